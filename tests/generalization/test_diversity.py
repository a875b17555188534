from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import is_regular
from oracles.generalization_domains import random_domain

from discreet.errors import InfeasibleError
from discreet.generalization.diversity import least_diversity, solve_diverse
from discreet.generalization.extraction import draw


def _least(matchings: np.ndarray, values: np.ndarray) -> int:
    """By definition: for each draw, the distinct values shown by the records that may be a person's."""
    k, n = matchings.shape
    found = []
    for shown in matchings:
        for person in range(n):
            holders = [i for s in range(k) for i in range(n) if matchings[s, i] == person]
            found.append(len({values[shown[i]] for i in holders}))
    return min(found)


@settings(max_examples=25, deadline=None)
@given(n=st.integers(6, 40), k=st.integers(2, 5), kinds=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_every_draw_shows_l_values(n: int, k: int, kinds: int, seed: int) -> None:
    domain = random_domain(n, seed)
    values = np.random.default_rng(seed).integers(0, kinds, n)
    l = min(2, k)
    try:
        solution = solve_diverse(domain, k, values, l)
    except InfeasibleError:
        assert np.bincount(values).max() > n // 2 - k  # only a dominant value stands in the way
        return
    assert is_regular(solution.matches, k)
    assert solution.matchings is not None
    assert all(sorted(matching) == list(range(n)) for matching in solution.matchings)
    assert all(sorted(solution.matchings[:, i]) == sorted(solution.matches[i]) for i in range(n))
    assert _least(solution.matchings, values) == least_diversity(solution.matchings, values) >= l
    origin = draw(solution.matches, seed=seed, matchings=solution.matchings).origin
    assert sorted(origin) == list(range(n))


def test_a_dominant_value_is_told() -> None:
    with pytest.raises(InfeasibleError, match="too frequent"):
        solve_diverse(random_domain(30, 0), 3, np.array([0] * 29 + [1]), 2)
