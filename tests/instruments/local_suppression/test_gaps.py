"""Missing keys: blank already. What is found holds, and what is proven is never above what is possible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import blanks as oracle

from discreet.instruments.local_suppression.gaps import blanks, certificate
from discreet.work import Deadline, Reporter


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    n, d = draw(st.sampled_from([(3, 2), (4, 2), (5, 2), (3, 3)]))
    codes = np.array(draw(st.lists(st.integers(-1, 1), min_size=n * d, max_size=n * d)), np.int64).reshape(n, d)
    weights = np.array(draw(st.lists(st.integers(1, 3), min_size=d, max_size=d)), np.int64)
    return codes, weights, draw(st.integers(2, 3))


@pytest.mark.parametrize("semantics", ["class", "cover"])
@given(tables(), st.sampled_from([None, None, 1, 2]))
@settings(max_examples=40)
def test_blanks_hold_and_bounds_are_true(
    semantics: str, case: tuple[np.ndarray, np.ndarray, int], m: int | None
) -> None:
    codes, weights, k = case
    m = m if m is not None and m < codes.shape[1] else None
    found = blanks(
        codes,
        weights,
        k,
        semantics=semantics,
        combinations=m,
        deadline=Deadline(None),
        reporter=Reporter(None),
        seed=0,
    )
    original = codes + 1
    hidden = found.blank & (original != 0)
    published = np.where(hidden, 0, original)
    sharers = oracle.fewest_shown(published, m) if semantics == "class" else oracle.fewest_fits(original, published, m)
    assert min(sharers) >= k
    cost = int(hidden.sum(axis=0) @ weights)
    least = oracle.least(original, weights, k, semantics, m)
    assert least is not None
    names = tuple("abc"[: codes.shape[1]])
    bound = certificate(names, codes, weights, k, semantics, m, found.prices)["lower_bound"]
    assert bound <= least <= cost
    if semantics == "cover":
        assert bound == least == cost
