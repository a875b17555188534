"""A program over equalities, its multipliers and what has no solution."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from discreet.solvers.equality_lp import EqualityProgram, solve_equalities


def program(right: float) -> EqualityProgram:
    return EqualityProgram(
        np.array([1.0, 3.0]), sp.csr_matrix([[1.0, 1.0]]), np.array([right]), np.zeros(2), np.ones(2)
    )


def test_the_cheaper_variable_first() -> None:
    found = solve_equalities(program(1.5))
    assert found.status == "optimal"
    assert np.allclose(found.x, [1.0, 0.5])
    assert np.allclose(found.multipliers, [3.0])  # another unit must be taken from the dearer one


def test_what_has_no_solution() -> None:
    assert solve_equalities(program(3.0)).status == "infeasible"
