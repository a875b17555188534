"""Totals as sums of innermost cells, against the table itself."""

from __future__ import annotations

import numpy as np

from discreet.tabular.problem import Relations
from discreet.tabular.rounding.innermost import innermost_cells
from tests.oracles.rounding import chain_tree, table_of


def test_sums_are_those_of_the_table() -> None:
    inner = list(range(1, 2 * 3 * 2 * 2 + 1))
    problem = table_of([chain_tree(2, 3), chain_tree(2, 2)], inner)
    found = innermost_cells(problem.cells.n, problem.relations)
    assert found is not None
    value = problem.cells.value
    assert found.sums(value[found.cell]).tolist() == value.tolist()
    for total in range(problem.cells.n):
        parts = found.part[found.first[total] : found.first[total + 1]]
        if parts.size:
            assert value[found.cell[parts]].sum() == value[total]


def test_a_cell_that_is_a_total_of_two_sets_is_not_determined() -> None:
    two = Relations(
        np.array([0, 3, 6]),
        np.array([0, 1, 2, 0, 3, 4]),
        np.array([-1, 1, 1, -1, 1, 1], np.int8),
        np.zeros(2, np.int64),
    )
    assert innermost_cells(5, two) is None


def test_relations_without_a_total_or_in_a_circle_are_not_determined() -> None:
    no_total = Relations(np.array([0, 2]), np.array([0, 1]), np.array([1, 1], np.int8), np.zeros(1, np.int64))
    assert innermost_cells(2, no_total) is None
    circle = Relations(
        np.array([0, 3, 6]),
        np.array([0, 1, 2, 1, 0, 3]),
        np.array([-1, 1, 1, -1, 1, 1], np.int8),
        np.zeros(2, np.int64),
    )
    assert innermost_cells(4, circle) is None
