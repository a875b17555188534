"""Slow and obvious: Chvátal-Gomory cuts by definition, the most violated ones by trying all numerators."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.optimize import linprog

from oracles.certificate import all_groups


def violation(numerators: list[int], divisor: int, matrix: np.ndarray, x: np.ndarray, rhs: np.ndarray) -> float:
    """Σ_C ⌊a·q_C/b⌋·x_C − ⌊a·h/b⌋, term by term."""
    left = 0.0
    for column, weight in zip(matrix.T, x):
        left += weight * (sum(a * int(q) for a, q in zip(numerators, column)) // divisor)
    return left - sum(a * int(h) for a, h in zip(numerators, rhs)) // divisor


def linked(matrix: np.ndarray, row: int) -> list[int]:
    """The rows that a chain of shared groups connects to this one, itself among them."""
    reached, waiting = {row}, [row]
    while waiting:
        r = waiting.pop()
        for column in matrix.T:
            if column[r]:
                fresh = set(np.flatnonzero(column).tolist()) - reached
                reached |= fresh
                waiting += fresh
    return sorted(reached)


def most_violated(row: int, divisor: int, matrix: np.ndarray, x: np.ndarray, rhs: np.ndarray) -> float:
    """The largest violation with numerators on rows linked to this one and a remainder of b − 1 on the right."""
    rows = linked(matrix, row)
    best = -np.inf
    tops = np.array(list(product(range(divisor), repeat=len(rows))))
    tops = tops[tops @ rhs[rows] % divisor == divisor - 1]
    for part in np.array_split(tops, 1 + len(tops) // 20_000):
        left = (part @ matrix[rows] // divisor) @ x - part @ rhs[rows] // divisor
        best = max(best, float(left.max()))
    return best


def relaxed(random: np.random.Generator, n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Records by groups (zeros and ones), and a vertex of the relaxation of the set partitioning model."""
    groups = all_groups(n, k)
    matrix = np.zeros((n, len(groups)), np.int32)
    for g, group in enumerate(groups):
        matrix[list(group), g] = 1
    costs = random.integers(0, 8, len(groups)) * matrix.sum(axis=0)
    solved = linprog(costs, A_eq=matrix, b_eq=np.ones(n), method="highs-ds")
    assert solved.status == 0
    return matrix, solved.x
