"""A bound below the distance of every rounding, in whole numbers, from any multipliers.

Deviations add up, A y = 0, so that for every λ and D > 0, with g = Aᵀλ,

    D Σ w_i |y_i| = Σ (D w_i |y_i| - g_i y_i) ≥ Σ_i min over the deviations y that cell i may have of D w_i |y| - g_i y.

Exact cells may have two deviations; for others the term is convex between 0 and either end, or falls at a single point,
so that the ends and 0 are enough. Where cells may leave the two multiples next to them, the ends are those of the sums
of their parts. λ comes from a linear program in floats and is rounded: nothing is trusted but this sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.tabular.problem import Ints, Relations
from discreet.tabular.rounding.choices import Choices

_SCALES = (1, 2, 6, 12, 60, 5040)
_LARGEST = 2.0**61


class Bound(NamedTuple):
    """No rounding has a smaller weighted distance than `value`, by λ = `multiplier` / `denominator`."""

    value: int
    denominator: int
    multiplier: Ints


def points_of(choices: Choices, reach: tuple[Ints, Ints] | None = None) -> Ints:
    """The deviations that decide the least term of each cell, a row a cell.

    `reach` are ends that exact cells may go to beyond down and up, by whole bases.
    """
    middle = np.where(choices.exact, choices.low, 0)
    points = [choices.low, middle, choices.high]
    if reach is not None:
        points += [np.minimum(reach[0], choices.low), np.maximum(reach[1], choices.high)]
    return np.stack(points, axis=1)


def bound_from(
    choices: Choices, points: Ints, relations: Relations, multipliers: NDArray[np.float64] | None = None
) -> Bound:
    """The best bound that multipliers give at several denominators; without multipliers, every cell on its own."""
    nothing = np.zeros(relations.n, np.int64)
    best = Bound(_least(choices, points, relations, nothing, 1), 1, nothing)
    if multipliers is None or not np.isfinite(multipliers).all():
        return best
    size = float(np.abs(points).max(initial=1)) * max(1, points.shape[0])
    largest = float(choices.weight.max(initial=1)) + float(np.abs(multipliers).max(initial=0)) * _widest(relations)
    for scale in _SCALES:
        denominator = choices.base * scale
        if denominator * size * largest >= _LARGEST:
            break
        rounded = np.rint(multipliers * denominator).astype(np.int64)
        value = -(-_least(choices, points, relations, rounded, denominator) // denominator)
        if value > best.value:
            best = Bound(value, denominator, rounded)
    return best


def _widest(relations: Relations) -> int:
    """The most relations that a cell is in."""
    return int(np.bincount(relations.cell).max(initial=1)) if relations.cell.size else 1


def _least(choices: Choices, points: Ints, relations: Relations, multiplier: Ints, denominator: int) -> int:
    slope = np.zeros(points.shape[0], np.int64)
    terms = relations.sign * np.repeat(multiplier, np.diff(relations.start))
    np.add.at(slope, relations.cell, terms)
    worth = (denominator * choices.weight)[:, None] * np.abs(points) - slope[:, None] * points
    return int(worth.min(axis=1).sum())
