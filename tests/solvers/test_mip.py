from __future__ import annotations

from itertools import product

import numpy as np
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from discreet.solvers.mip import solve_mip


@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 10_000))
def test_set_partitioning_agrees_with_trying_everything(n: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = (rng.random((m, n)) < 0.5).astype(float)
    cost = rng.integers(1, 9, n).astype(float)
    feasible = [cost @ x for x in map(np.array, product((0, 1), repeat=n)) if (matrix @ x == 1).all()]
    solution = solve_mip(cost, sp.csc_matrix(matrix), np.ones(m), np.ones(m))
    if feasible:
        assert solution.status == "optimal" and solution.objective == min(feasible)
        assert solution.x is not None and np.allclose(matrix @ solution.x, 1)
    else:
        assert solution.status == "infeasible" and solution.x is None


def test_bounds_and_continuous_variables() -> None:
    solution = solve_mip(
        np.array([-1.0, -1.0]), sp.csc_matrix(np.array([[2.0, 1.0]])), np.array([-np.inf]), np.array([4.0]),
        upper=np.array([5.0, 1.5]), integer=np.array([True, False]),
    )  # fmt: skip
    assert solution.status == "optimal" and np.allclose(solution.x, [1.0, 1.5])
