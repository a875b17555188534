"""Moves of whole numbers that complete a pattern: valid, and there whenever hiding everything would do."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.tabular_suppress import reach

from discreet.tabular.problem import FIXED, FREE
from discreet.tabular.suppress.whole import Missing, whole_moves
from discreet.work import Deadline
from tests.tabular.suppress.test_search import table


@pytest.mark.parametrize("seed", range(25))
def test_moves_reach_what_can_be_reached(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = table(rng, 4, 0.2)  # two ways: what fractions reach, whole numbers do
    cells = problem.cells
    status = np.where((cells.status == FREE) & (rng.random(cells.n) < 0.4), FIXED, cells.status).astype(np.int8)
    problem = problem._replace(cells=cells._replace(status=status))
    hidden = problem.cells.hidden.copy()
    everything = status != FIXED
    for cell in np.flatnonzero(hidden)[:4].tolist():
        known = rng.choice(np.setdiff1d(np.arange(cells.n), [cell]), int(rng.integers(0, 3)), replace=False)
        for side, need in ((1, int(cells.above[cell])), (-1, int(cells.below[cell]))):
            moves = whole_moves(problem, hidden, [Missing(cell, side, need, known)], Deadline(None))
            far = reach(problem, everything, cell, side, known.tolist())
            assert (moves is not None) == (far >= need - 1e-6)
            for at, change in moves or ():
                assert everything[at].all() and not np.isin(known, at).any()
                assert side * change[at == cell][0] >= need
                more = hidden.copy()
                more[at] = True
                assert reach(problem, more, cell, side, known.tolist()) >= need - 1e-6


def test_one_move_serves_all_whom_it_does_not_tell() -> None:
    problem = table(np.random.default_rng(1), 5, 0.2)
    cell = int(np.flatnonzero(problem.cells.hidden)[0])
    nobody = np.zeros(0, np.int64)
    twice = [Missing(cell, 1, 1, nobody)] * 3
    assert len(whole_moves(problem, problem.cells.hidden, twice, Deadline(None)) or ()) == 1
    assert whole_moves(problem, problem.cells.hidden, twice, Deadline(0.0)) is None
    far = [Missing(cell, 1, 1 << 40, nobody)]
    assert whole_moves(problem, problem.cells.hidden, far, Deadline(None)) is None
