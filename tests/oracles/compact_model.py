"""The compact model (7) of Gentile, Spagnolo-Arrizabalaga and Castro (2020), solved exactly for a dozen records.

Model (7) divides by the number of records that share a group. With one copy of its variables for every size s of
k .. 2k−1 (no optimum needs others) the division becomes a constant:

    minimize Σ_s Σ_{i<j} d²_ij·z^s_ij / s
    Σ_s u^s_i = 1,   Σ_j z^s_ij = (s−1)·u^s_i,   z^s_ir + z^s_rj − z^s_ij ≤ u^s_r,   z, u binary.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import scipy.sparse as sp

from discreet.microaggregation.certificate.space import measure
from discreet.microaggregation.problem import Floats, Labels, renumber
from discreet.solvers.mip import solve_mip


def solve_compact(points: Floats, k: int) -> Labels:
    """Labels of an optimal partition."""
    n = len(points)
    distance = measure(points, k).distance
    sizes = range(k, min(2 * k - 1, n) + 1)
    pairs = list(combinations(range(n), 2))
    names = [("u", s, i) for s in sizes for i in range(n)] + [("z", s, pair) for s in sizes for pair in pairs]
    number = {name: j for j, name in enumerate(names)}
    cost = np.array([distance[name[2]] / name[1] if name[0] == "z" else 0.0 for name in names])
    rows: list[dict[int, float]] = []
    lower: list[float] = []
    upper: list[float] = []

    def add(row: dict[int, float], low: float, high: float) -> None:
        rows.append(row)
        lower.append(low)
        upper.append(high)

    def z(s: int, i: int, j: int) -> int:
        return number["z", s, (min(i, j), max(i, j))]

    for i in range(n):
        add({number["u", s, i]: 1.0 for s in sizes}, 1.0, 1.0)
        for s in sizes:
            row = {z(s, i, j): 1.0 for j in range(n) if j != i}
            row[number["u", s, i]] = -(s - 1.0)
            add(row, 0.0, 0.0)
    for s in sizes:
        for i, j in pairs:
            for r in range(n):
                if r not in (i, j):
                    add({z(s, i, r): 1.0, z(s, r, j): 1.0, z(s, i, j): -1.0, number["u", s, r]: -1.0}, -np.inf, 0.0)
    index = [(r, c, v) for r, row in enumerate(rows) for c, v in row.items()]
    matrix = sp.csc_matrix(
        ([v for _, _, v in index], ([r for r, _, _ in index], [c for _, c, _ in index])), shape=(len(rows), len(names))
    )
    solution = solve_mip(cost, matrix, np.array(lower), np.array(upper))
    if solution.status != "optimal" or solution.x is None:
        raise RuntimeError(f"HiGHS left model (7) {solution.status}")
    labels = np.arange(n)
    for s in sizes:
        for i, j in pairs:
            if solution.x[z(s, i, j)] > 0.5:
                labels[labels == labels[j]] = labels[i]
    return renumber(labels)
