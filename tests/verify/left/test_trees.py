"""Trees: every split is the best there is, and what they predict follows the columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.verify.left.trees import LEAST, Parts, grow
from tests.oracles import left as slow

CODES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=20, max_size=60)


@settings(deadline=None)
@given(CODES)
def test_the_first_split_is_the_best(rows: list[tuple[int, int, int]]) -> None:
    a, b, y = (np.array(part, np.int64) for part in zip(*rows))
    columns = [Parts(a, 4, True), Parts(b, 3, False)]
    everyone = np.arange(len(rows))
    tree = grow(columns, y, 3, everyone, depth=1)
    best = max(slow.best_split(c.codes.tolist(), c.size, c.ordered, y.tolist(), LEAST) for c in columns)
    if not tree.columns:
        assert best <= 1e-9
        return
    column = columns[tree.columns[0][0]]
    right = tree.right[0][0][column.codes]
    sides = [np.bincount(y[side]) for side in (right, ~right)]
    gain = sum((s**2).sum() / s.sum() for s in sides) - (np.bincount(y) ** 2).sum() / y.size
    assert gain == pytest.approx(best) and min(s.sum() for s in sides) >= LEAST


def test_a_tree_finds_what_two_columns_say_together() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 6, 2000), rng.integers(0, 4, 2000)
    y = (a >= 3) * 2 + (b == 2)
    columns = [Parts(a, 6, True), Parts(b, 4, False)]
    tree = grow(columns, y, 4, np.arange(0, 2000, 2))
    shares = tree.predict(columns, np.arange(1, 2000, 2))
    assert (shares.argmax(axis=1) == y[1::2]).all() and shares.min() > 0
    assert shares.sum(axis=1) == pytest.approx(1.0)
