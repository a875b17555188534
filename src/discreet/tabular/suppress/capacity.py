"""Capacity inequalities: exact consequences of any multipliers λ of the relations, in whole numbers.

For a requirement (p, side, need) and whole λ, D > 0 let d = D·side·e_p − Aᵀλ. Every move with A f = 0 has
D·side·f_p = d·f, and −Lo_i x_i ≤ f_i ≤ Up_i x_i, hence

    Σ_i c_i x_i ≥ D·need,   c_i = d_i Up_i where d_i > 0, −d_i Lo_i where d_i < 0

is necessary for protection. It is strengthened because x is 0 or 1: coefficients are cut at the right side, hidden
cells go to the right, coefficients are cut again; so do the cells of a cover C with Σ_C c_i < r, whatever x is on them
(knapsack cover); and a divisor δ rounds the row (mixed-integer rounding, with g = r mod δ > 0):

    Σ_{i∉C} min(c_i, r') x_i ≥ r' = r − Σ_C c_i            Σ ((c_i div δ)·g + min(g, c_i mod δ)) x_i ≥ (r div δ + 1)·g.

A sliding requirement (side 0) adds the rows of both sides. Rows are Fischetti and Salazar's (2001), covers after Carr,
Fleischer, Leung and Phillips (2000); whoever knows p, side, D, λ, C and δ can rebuild a row, whatever proposed λ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.tabular.problem import Ints
from discreet.tabular.suppress.model import Model

Floats = NDArray[np.float64]
# Denominators of the multipliers that are tried, the least first.
_DENOMINATORS = (1, 2, 3, 4, 6, 12)
_ODD = (5, 7, 8, 9, 60, 5040, 2**20)
_CLEAR = 0.05  # a violation at which the least denominator will do
_LARGEST = 2**60
_DIVISORS = 4  # tried for a row


class Source(NamedTuple):
    """What a row is rebuilt from: relations and multipliers of the upper (or only) side and, for sliding, the lower."""

    requirement: int
    denominator: int
    rows: Ints
    multipliers: Ints
    below_rows: Ints
    below: Ints
    cover: Ints
    divisor: int


class Cut(NamedTuple):
    """Σ coefficient · x[cell] ≥ right, over cells that may be chosen; `scaled` is coefficient / right."""

    cell: Ints
    coefficient: Ints
    right: int
    scaled: Floats
    source: Source


_NOTHING = np.zeros(0, np.int64)


def cut_of(model: Model, source: Source) -> Cut | None:
    """The row that belongs to `source`; None where it says nothing."""
    needs = model.requirements
    r, whole = source.requirement, source.denominator
    right = whole * int(needs.need[r])
    if right > _LARGEST:
        return None
    side = int(needs.side[r])
    row = _capacities(model, r, side or 1, whole, source.rows, source.multipliers, right)
    if not side:
        row = np.minimum(row + _capacities(model, r, -1, whole, source.below_rows, source.below, right), right)
    inside = np.flatnonzero(row)
    fixed = inside[model.forced[inside]]
    right -= sum(row[fixed].tolist())
    if right <= 0:
        return None
    cells = inside[model.free[inside]]
    coefficients = np.minimum(row[cells], right)
    if source.cover.size:
        within = np.isin(cells, source.cover)
        right -= sum(coefficients[within].tolist())
        if right <= 0:
            return None
        cells, coefficients = cells[~within], np.minimum(coefficients[~within], right)
    if source.divisor:
        coefficients, right = _rounded(coefficients, right, source.divisor)
    return Cut(cells, coefficients, right, coefficients / right, source)


def _capacities(model: Model, r: int, side: int, whole: int, rows: Ints, multipliers: Ints, most: int) -> Ints:
    """Coefficients of one side of requirement r for all cells, cut at `most`."""
    needs = model.requirements
    dense = np.zeros(model.matrix.shape[0], np.int64)
    dense[rows] = multipliers
    d = -(model.transposed @ dense)
    d[needs.cell[r]] += side * whole
    much, reach = np.abs(d), np.where(d > 0, model.up, model.down)
    if needs.attacker[r]:
        cells, up, down = needs.reach_of(int(needs.attacker[r]))
        reach[cells] = np.where(d[cells] > 0, up, down)
    # Where floats say that a product is beyond, it need not be formed.
    beyond = much.astype(np.float64) * reach > 2.0 * most
    return np.where(beyond, most, np.minimum(np.where(beyond, 0, much) * reach, most))


def _rounded(coefficients: Ints, right: int, divisor: int) -> tuple[Ints, int]:
    g = right % divisor
    return coefficients // divisor * g + np.minimum(g, coefficients % divisor), (right // divisor + 1) * g


def violated(model: Model, requirement: int, upper: Floats, lower: Floats | None, x: Floats) -> Cut | None:
    """The row of rounded multipliers that x violates most; `lower` are those of the lower side of a sliding level."""
    best, most = None, 1e-9
    for whole in (*_DENOMINATORS, *_ODD):
        if best is not None and whole in _ODD:
            break
        rows, multipliers = _whole(upper, whole)
        below_rows, below = (_NOTHING, _NOTHING) if lower is None else _whole(lower, whole)
        if not rows.size and not below_rows.size:
            continue
        cut = cut_of(model, Source(requirement, whole, rows, multipliers, below_rows, below, _NOTHING, 0))
        if cut is None:
            continue
        violation = 1.0 - float(cut.scaled @ x[cut.cell])
        if violation > most * 1.001:
            best, most = cut, violation
        if whole == 1 and violation > _CLEAR:
            break
    if best is None:
        return None
    return stronger(model, best, x, least=max(1.05 * most, 1e-3)) or (best if most > 1e-3 else None)


def _whole(multipliers: Floats, whole: int) -> tuple[Ints, Ints]:
    scaled = np.rint(multipliers * whole).astype(np.int64)
    rows = np.flatnonzero(scaled)
    return rows, scaled[rows]


def stronger(model: Model, cut: Cut, x: Floats, *, least: float = 0.01) -> Cut | None:
    """The row that follows from `cut` by a cover and a divisor and that x violates most, if by more than `least`."""
    if cut.source.divisor or cut.source.cover.size:
        return None
    values = x[cut.cell]
    used = np.flatnonzero(values > 1e-6)
    order = used[np.argsort(-values[used], kind="stable")]
    best, most = (0, 0), least
    share, x_used = cut.coefficient[order].astype(np.float64), values[order]
    rest = float(cut.right) - np.concatenate(([0.0], np.cumsum(share)))
    for k in range(order.size):
        if rest[k] <= 0.5 or (x_used[k] < 0.3 and k):
            break
        covered = float(np.minimum(share[k:], rest[k]) @ x_used[k:])
        if 1.0 - covered / rest[k] > most:
            best, most = (k, 0), 1.0 - covered / rest[k]
        divisor, violation = _divisor(share[k:], x_used[k:], rest[k])
        if violation > most:
            best, most = (k, divisor), violation
    if best == (0, 0):
        return None
    return cut_of(model, cut.source._replace(cover=np.sort(cut.cell[order[: best[0]]]), divisor=best[1]))


def _divisor(share: Floats, x: Floats, right: float) -> tuple[int, float]:
    """Which coefficient of a cell that x is undecided about rounds the row best, and the violation then."""
    share = np.minimum(share, right)
    divisors = np.unique(share[x < 1 - 1e-6])
    divisors = divisors[(divisors > 1) & (right % np.maximum(divisors, 1) > 0)]
    if divisors.size > _DIVISORS:
        divisors = divisors[np.linspace(0, divisors.size - 1, _DIVISORS).astype(np.int64)]
    best, most = 0, 0.0
    for divisor in divisors.tolist():
        g = right % divisor
        left = float((np.floor(share / divisor) * g + np.minimum(g, share % divisor)) @ x)
        violation = 1.0 - left / ((right // divisor + 1) * g)
        if violation > most:
            best, most = int(divisor), violation
    return best, most
