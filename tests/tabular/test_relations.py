"""Relations once each, and joined."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.tabular.problem import Relations
from discreet.tabular.relations import distinct, joined

rows = st.lists(
    st.tuples(st.lists(st.integers(0, 5), min_size=1, max_size=4, unique=True), st.integers(0, 1), st.booleans()),
    max_size=12,
)


def relations(given_rows: list[tuple[list[int], int, bool]]) -> Relations:
    start = np.cumsum([0] + [len(cells) for cells, _, _ in given_rows]).astype(np.int64)
    cell = np.array([c for cells, _, _ in given_rows for c in cells], np.int64)
    sign = [1 if k or not minus else -1 for cells, _, minus in given_rows for k in range(len(cells))]
    right = np.array([right for _, right, _ in given_rows], np.int64)
    return Relations(start, cell, np.array(sign, np.int8), right)


def listed(found: Relations) -> list[tuple[int, frozenset[tuple[int, int]]]]:
    out = []
    for r in range(found.n):
        span = slice(int(found.start[r]), int(found.start[r + 1]))
        out.append((int(found.right[r]), frozenset(zip(found.cell[span].tolist(), found.sign[span].tolist()))))
    return out


@given(rows)
def test_each_relation_once_at_its_first_place(given_rows: list[tuple[list[int], int, bool]]) -> None:
    found = relations(given_rows)
    assert listed(distinct(found)) == list(dict.fromkeys(listed(found)))


@given(rows, rows)
def test_one_after_the_other(first: list, second: list) -> None:
    assert listed(joined([relations(first), relations(second)])) == listed(relations(first + second))
