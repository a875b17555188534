"""Neighborhoods protect what chains do not, and leave the rest of the table alone."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.tabular_suppress import reach

from discreet.tabular.problem import FIXED, FREE, PRIMARY, Problem
from discreet.tabular.suppress.chains.local import Neighbors
from discreet.tabular.suppress.chains.witnesses import Pattern
from discreet.work import Deadline
from tests.tabular.suppress.chains.conftest import problem_of, tree_of

TREES = (tree_of([-1, 0, 0, 0, 1, 1]), tree_of([-1, 0, 0, 0]))


def problem() -> Problem:
    made = problem_of(TREES, np.random.default_rng(2))
    status = np.full(made.cells.n, FREE, np.int8)
    status[17] = PRIMARY  # a leaf in both variables
    level = np.where(status == PRIMARY, 3, 0)
    return made._replace(cells=made.cells._replace(status=status, above=level, below=level))


@pytest.mark.parametrize("known", [[], [18], [21, 1]])
def test_the_cells_protect_whoever_attacks(known: list[int]) -> None:
    made = problem()
    witness = Neighbors(Pattern(made, None, 0)).protect(17, np.array(known, np.int64), Deadline(None))
    assert witness is not None
    assert witness.rise is None
    hidden = np.zeros(made.cells.n, np.bool_)
    hidden[witness.cell] = True
    for side in (1, -1):
        assert reach(made, hidden, 17, side, known) >= 3 - 1e-6


def test_nothing_protects_a_cell_alone_in_its_sum() -> None:
    made = problem()
    status = made.cells.status.copy()
    status[[16, 18, 19]] = FIXED
    made = made._replace(cells=made.cells._replace(status=status))
    assert Neighbors(Pattern(made, None, 0)).protect(17, np.zeros(0, np.int64), Deadline(None)) is None


def test_a_small_neighborhood_is_enough_in_a_large_table() -> None:
    trees = (tree_of([-1] + [0] * 60), tree_of([-1] + [0] * 60))
    made = problem_of(trees, np.random.default_rng(3), 0.001)
    p = int(np.flatnonzero(made.cells.status == PRIMARY)[0])
    near = Neighbors(Pattern(made, None, 0))
    witness = near.protect(p, np.zeros(0, np.int64), Deadline(None))
    assert witness is not None
    assert p in witness.cell
    assert 4 <= witness.cell.size <= 12
