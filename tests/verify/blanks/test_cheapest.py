"""What each combination must cost by itself adds up to the best cover, and to no more than the best classes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import blanks as oracle

from discreet.verify.blanks import cheapest as module
from discreet.verify.blanks.cheapest import cheapest
from discreet.verify.blanks.sharing import distinct


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int, int | None]:
    n, d = draw(st.sampled_from([(2, 2), (3, 2), (4, 2), (5, 2), (3, 3)]))
    codes = np.array(draw(st.lists(st.integers(0, 2), min_size=n * d, max_size=n * d)), np.int64).reshape(n, d)
    weights = np.array(draw(st.lists(st.integers(1, 3), min_size=d, max_size=d)), np.int64)
    return codes, weights, draw(st.integers(2, n)), draw(st.none() | st.integers(1, d))


@given(tables())
@settings(max_examples=40)
def test_the_sum_is_the_best_cover(case: tuple[np.ndarray, np.ndarray, int, int | None]) -> None:
    codes, weights, k, m = case
    kinds, _, count = distinct(codes)
    total = int(cheapest(kinds, count, k, weights, m) @ count)
    assert total == oracle.least(codes, weights, k, "cover", m)
    classes = oracle.least(codes, weights, k, "class", m)
    assert classes is not None
    assert total <= classes


def test_parts_give_what_the_whole_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.random.default_rng(1).integers(0, 3, (40, 3))
    kinds, _, count = distinct(codes)
    weights = np.array([1, 2, 3])
    whole = cheapest(kinds, count, 4, weights, 2)
    monkeypatch.setattr(module, "AT_ONCE", 16)
    assert cheapest(kinds, count, 4, weights, 2).tolist() == whole.tolist()
