"""A proof by linear programming that no table, not even one with fractions, has given margins.

The vector λ with Aᵀλ ≤ 0 and λ·b > 0 comes from a solver and is evaluated in whole numbers: the solver is not trusted.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.mip import solve_mip
from discreet.tables.table import Ints
from discreet.tables.theory.graph import Axes
from discreet.tables.theory.lattice import Lattice

Floats = NDArray[np.float64]


def least_shortfall(lattice: Lattice, margins: Mapping[Axes, Ints]) -> float:
    """A proven lower bound on how much the margins of a non-negative table must miss these; > 0: there is none.

    The elastic program min Σ (s⁺ + s⁻), A x + s⁺ − s⁻ = b, x ≥ 0 has the dual max λ·b over |λ| ≤ 1, Aᵀλ ≤ 0. Any λ
    from the solver is scaled to whole numbers and made feasible before it is evaluated.
    """
    right_side = lattice.right_side(margins)
    starts, cells = lattice.matrix
    m, n = right_side.size, lattice.size
    matrix = sp.csr_matrix((np.ones(cells.size), cells, starts), shape=(m, n))
    total = int(next(iter(margins.values())).sum())
    # In units in which counts are moderate: the solver's tolerances are absolute.
    duals = _elastic_duals(matrix, right_side / max(1.0, total / 2.0**20))
    scaled = np.rint(np.clip(duals, -1, 1) * 5040 * 1024).astype(np.int64)
    whole = sp.csr_matrix(matrix.astype(np.int64))
    # The margins imply the total; as much of that equation as needed makes λ feasible in the dual.
    excess = int(max(np.asarray(whole.T @ scaled).max(), 0))
    value = sum(a * b for a, b in zip(scaled.tolist(), right_side.tolist()))
    return (value - excess * total) / (5040 * 1024)


def _elastic_duals(matrix: sp.csr_matrix, b: Floats) -> Floats:
    """max λ·b, |λ| ≤ 1, Aᵀλ ≤ 0, solved as a program of its own."""
    m, n = matrix.shape
    # Its own program rather than the elastic one's duals: the solver wrapper returns none.
    solution = solve_mip(
        -b,
        sp.csc_matrix(matrix.T),
        np.full(n, -np.inf),
        np.zeros(n),
        lower=-1.0,
        upper=1.0,
        integer=False,
    )
    return np.zeros(m) if solution.x is None else solution.x
