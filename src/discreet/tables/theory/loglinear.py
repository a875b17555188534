"""Log-linear models with given margins as sufficient statistics.

The maximum likelihood estimate has the margins of the data and no interaction beyond them. For a decomposable model
m̂(i) = Π_cliques n_c(i_c) / Π_separators n_s(i_s) (0 where a factor is 0); otherwise iterative proportional fitting
rescales the table to one margin after the other until all agree (Bishop, Fienberg and Holland 1975). The deviance of
a table is G² = 2 Σ n log(n / m̂); degrees of freedom are cells minus independent margin cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from discreet.tables.table import Ints
from discreet.tables.theory.frechet_theorem_2 import separator_counts, spread
from discreet.tables.theory.graph import Axes, Decomposition, decompose

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """`iterations` is 0 where the closed form was used; `error` is the largest difference of a margin."""

    expected: Floats
    closed_form: bool
    iterations: int
    error: float


def fit_margins(
    shape: tuple[int, ...],
    margins: Mapping[Axes, Ints],
    *,
    tolerance: float = 1e-8,
    iterations: int = 1000,
    start: Floats | None = None,
) -> Fit:
    """Expected counts of the log-linear model whose sufficient statistics are the margins."""
    tree = decompose(len(shape), margins)
    if tree.decomposable and not tree.uncovered and start is None:
        return Fit(_closed_form(shape, tree, margins), True, 0, 0.0)
    total = float(next(iter(margins.values())).sum())
    table = np.full(shape, total / max(prod(shape), 1)) if start is None else start.astype(np.float64)
    k = len(shape)
    goals = [(axes, spread(values, axes, k)) for axes, values in margins.items() if axes in tree.generators]
    if not goals:
        return Fit(table, True, 0, 0.0)
    error, done = np.inf, 0
    while done < iterations and error > tolerance * max(total, 1.0):
        done += 1
        error = 0.0
        for axes, goal in goals:
            drop = tuple(a for a in range(k) if a not in axes)
            have = table.sum(axis=drop, keepdims=True)
            error = max(error, float(np.abs(have - goal).max()))
            table *= np.divide(goal, have, out=np.zeros(goal.shape), where=have > 0)
    return Fit(table, False, done, error)


def deviance(counts: Ints, expected: Floats) -> float:
    """G², infinite where a cell is occupied that the model excludes."""
    seen = counts > 0
    if bool((expected[seen] <= 0).any()):
        return float("inf")
    return float(2.0 * np.sum(counts[seen] * np.log(counts[seen] / expected[seen])))


def _closed_form(shape: tuple[int, ...], tree: Decomposition, margins: Mapping[Axes, Ints]) -> Floats:
    k = len(shape)
    table = spread(margins[tree.atoms[0]], tree.atoms[0], k).astype(np.float64)
    for j, known in enumerate(separator_counts(tree, margins), 1):
        atom = spread(margins[tree.atoms[j]], tree.atoms[j], k)
        below = spread(known, tree.separators[j], k)
        table = table * np.divide(
            atom, below, out=np.zeros(np.broadcast_shapes(atom.shape, below.shape)), where=below > 0
        )
    return np.ascontiguousarray(np.broadcast_to(table, shape))
