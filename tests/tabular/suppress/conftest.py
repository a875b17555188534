"""Small random tables for the tests of suppression."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from discreet.tabular.problem import Cells, Problem, Relations


def flat_problem(inner: np.ndarray) -> tuple[np.ndarray, Relations]:
    """The values of a two-way table with totals, row by row, and its relations."""
    full = np.zeros((inner.shape[0] + 1, inner.shape[1] + 1), np.int64)
    full[:-1, :-1] = inner
    full[-1, :-1], full[:-1, -1], full[-1, -1] = inner.sum(0), inner.sum(1), inner.sum()
    place = np.arange(full.size).reshape(full.shape)
    lines = [*place, *place.T]
    start = np.concatenate(([0], np.cumsum([line.size for line in lines])))
    sign = np.concatenate([np.r_[np.ones(line.size - 1), -1] for line in lines]).astype(np.int8)
    return full.ravel(), Relations(start, np.concatenate(lines), sign, np.zeros(len(lines), np.int64))


@st.composite
def problems(draw: st.DrawFn, *, largest: int = 3) -> Problem:
    """Two-way tables with negative values, boxes, sliding levels, cells that must be hidden or published."""
    shape = draw(st.integers(2, largest)), draw(st.integers(2, 3))
    inner = np.array(draw(st.lists(st.integers(-3, 9), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])))
    value, relations = flat_problem(inner.reshape(shape))
    n = value.size

    def numbers(least: int, most: int) -> np.ndarray:
        return np.array(draw(st.lists(st.integers(least, most), min_size=n, max_size=n)), np.int64)

    status = np.array(draw(st.lists(st.sampled_from([0, 0, 1, 2, 2, 2, 2, 2, 3]), min_size=n, max_size=n)), np.int8)
    free = np.flatnonzero(status == 2)
    status[free[6:]] = 3  # few choices, so that all patterns can be tried
    narrow = draw(st.booleans())
    down, up = (numbers(0, 6), numbers(0, 8)) if narrow else (np.full(n, 40), np.full(n, 40))
    sliding = np.where(numbers(0, 2) == 0, numbers(0, 9), 0)
    cells = Cells(value, value - down, value + up, numbers(0, 9), status, numbers(0, 3), numbers(0, 3), sliding)
    return Problem(cells, relations)
