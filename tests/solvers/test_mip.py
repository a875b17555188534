from __future__ import annotations

import subprocess
import sys
from itertools import product

import numpy as np
import pytest
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


# A market split: equations with weights of two digits, which no branch and bound finishes.
ENDLESS = """
import os, signal, threading
import numpy as np, scipy.sparse as sp
from discreet.scale import workers
from discreet.solvers.mip import solve_mip

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start what runs behind without
weights = np.random.default_rng(0).integers(0, 100, (7, 70)).astype(float)
half = weights.sum(1) // 2
program = (np.ones(70), sp.csc_matrix(weights), half, half)
threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    with workers(None) as pool:
        pool.submit(solve_mip, *program).result() if {inside} else solve_mip(*program)
except KeyboardInterrupt:
    print("cancelled")
"""


@pytest.mark.parametrize("inside", [False, True])
def test_cancelling(inside: bool) -> None:
    script = ENDLESS.format(inside=inside)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and ran.stdout == "cancelled\n", ran.stderr
