from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import is_regular
from oracles.generalization_domains import random_domain

from discreet.errors import InfeasibleError, InputError
from discreet.generalization.boxes import gcp
from discreet.generalization.diversity.closed_blocks import closed_matchings
from discreet.generalization.extraction import draw
from discreet.generalization.methods import Solution, solve
from discreet.work import Deadline, Reporter


def _seen(matchings: np.ndarray, values: np.ndarray) -> list[int]:
    """By definition: for each draw, the distinct values shown by the records that may be a person's."""
    k, n = matchings.shape
    found = []
    for shown in matchings:
        for person in range(n):
            holders = [i for s in range(k) for i in range(n) if matchings[s, i] == person]
            found.append(len({values[shown[i]] for i in holders} - {-1}))
    return found


def _least(matchings: np.ndarray, values: np.ndarray) -> int:
    return min(_seen(matchings, values))


def _check(solution: Solution, k: int, values: np.ndarray, l: int) -> None:
    n = values.size
    assert is_regular(solution.matches, k)
    assert solution.matchings is not None
    assert all(sorted(matching) == list(range(n)) for matching in solution.matchings)
    assert all(sorted(solution.matchings[:, i]) == sorted(solution.matches[i]) for i in range(n))
    assert (solution.matches[:, 0] == np.arange(n)).all()
    assert _least(solution.matchings, values) >= l


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(6, 40),
    k=st.integers(2, 5),
    kinds=st.integers(2, 5),
    l=st.integers(1, 3),
    seed=st.integers(0, 10**6),
    limit=st.sampled_from([None, 0.0]),
    gaps=st.sampled_from([0.0, 0.1, 0.3]),
)
def test_every_draw_shows_l_values(
    n: int, k: int, kinds: int, l: int, seed: int, limit: float | None, gaps: float
) -> None:
    domain = random_domain(n, seed)
    values = np.random.default_rng(seed).integers(0, kinds, n)
    values[np.random.default_rng(seed + 1).random(n) < gaps] = -1  # missing, which is no value
    l = min(l, k)
    try:
        solution = solve(domain, k, values=values, l=l, rounds=10, time_limit=limit)
    except InfeasibleError:
        # Only where there is next to no choice: few values against l, or one nearly as frequent as may be.
        counts = np.bincount(values + 1)
        often = counts[0] + counts[1:].max(initial=0)
        assert (counts[1:] > 0).sum() <= l or l == k or k * often > 0.8 * (k - l + 1) * n or counts[0]
        return
    if l == 1 and (values >= 0).all():
        return  # whoever has matches has one value
    _check(solution, k, values, l)
    origin = draw(solution.matches, seed=seed, matchings=solution.matchings).origin
    assert sorted(origin) == list(range(n))


@pytest.mark.parametrize(("k", "l"), [(3, 2), (5, 2), (5, 3), (6, 4)])
def test_rounds_lower_the_loss_and_keep_l(k: int, l: int) -> None:
    domain = random_domain(300, 5)
    values = np.random.default_rng(1).integers(0, 6, 300)
    closed = closed_matchings(domain, k, values, l, Deadline(None), Reporter(None))
    assert closed is not None
    losses = [gcp(domain.tables, domain.codes, np.ascontiguousarray(closed.T))]
    for rounds in (0, 10, 60):
        solution = solve(domain, k, values=values, l=l, rounds=rounds, block_size=64)
        _check(solution, k, values, l)
        losses.append(solution.gcp)
    assert losses[3] < losses[2] < losses[0]
    assert l > 2 or losses[3] < 1.15 * solve(domain, k, rounds=60).gcp


def test_the_seed_and_not_the_threads_decide() -> None:
    domain = random_domain(400, 2)
    values = np.random.default_rng(1).integers(0, 4, 400)
    options = {"rounds": 8, "block_size": 50, "partition_size": 100}
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(4) as four:
        first = solve(domain, 4, values=values, l=2, random_state=3, executor=one, **options)
        second = solve(domain, 4, values=values, l=2, random_state=3, executor=four, **options)
    assert (first.matchings == second.matchings).all()


def test_a_scarce_value_is_dealt_out() -> None:
    values = np.zeros(200, np.int64)
    values[:44] = 1  # with k = 5, 20 % is the least share with which everyone can see both
    _check(solve(random_domain(200, 0), 5, values=values, l=2, rounds=30), 5, values, 2)


def test_a_dominant_value_is_told() -> None:
    with pytest.raises(InfeasibleError, match="too frequent"):
        solve(random_domain(30, 0), 3, values=np.array([0] * 29 + [1]), l=2)


def test_options_that_do_not_exist_are_told() -> None:
    with pytest.raises(InputError, match="no option 'speed'"):
        solve(random_domain(30, 0), 3, values=np.arange(30) % 3, l=2, speed=1)
