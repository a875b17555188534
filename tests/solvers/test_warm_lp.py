"""The warm program agrees with a cold one after every change, and proves what is infeasible."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from discreet.solvers.warm_lp import Box, WarmLp


def test_changes_of_costs_boxes_and_rows() -> None:
    random = np.random.default_rng(1)
    matrix, cost = random.integers(-2, 4, (4, 6)).astype(float), random.integers(1, 9, 6).astype(float)
    low, high = np.zeros(6), np.ones(6)
    right = matrix.sum(axis=1) / 2
    lp = WarmLp(sp.csr_matrix(matrix), cost, Box(low, high), Box(right, np.full(4, np.inf)))
    for step in range(12):
        if step % 3 == 0:
            cost = random.integers(-3, 9, 6).astype(float)
            lp.set_costs(cost)
        elif step % 3 == 1:
            low, high = np.zeros(6), random.integers(1, 4, 6).astype(float)
            lp.set_boxes(low, high)
        else:
            row = random.integers(0, 3, 6).astype(float)
            matrix, right = np.vstack([matrix, row]), np.append(right, row.sum() / 3)
            lp.add_row(row.sum() / 3, np.arange(6), row)
        if step % 4 == 3:
            lp.forget()
        found = lp.run()
        cold = linprog(cost, A_ub=-matrix, b_ub=-right, bounds=list(zip(low, high)), method="highs")
        assert (found.status == "optimal") == (cold.status == 0)
        if cold.status == 0:
            assert abs(found.value - cold.fun) < 1e-7
            assert np.allclose(found.reduced, cost - matrix.T @ found.duals, atol=1e-7)


def test_what_is_forgotten_is_begun_anew() -> None:
    """After `forget` nothing of the last basis is left: no step of the simplex method is allowed, and none was made."""
    lp = WarmLp(
        sp.csr_matrix(np.ones((1, 3))), np.arange(1.0, 4.0), Box(np.zeros(3), np.ones(3)), Box(*np.ones((2, 1)))
    )
    assert lp.run().value == 1.0 and lp.run(0).status == "optimal"
    lp.forget()
    assert lp.run(0).status == "unknown"
    assert lp.run().value == 1.0


def test_an_infeasible_program_has_a_ray() -> None:
    lp = WarmLp(
        sp.csr_matrix(np.ones((1, 2))),
        np.ones(2),
        Box(np.zeros(2), np.ones(2)),
        Box(np.full(1, 3.0), np.full(1, np.inf)),
    )
    assert lp.run().status == "infeasible"
    ray = lp.ray()
    assert ray is not None
    assert ray[0] != 0
