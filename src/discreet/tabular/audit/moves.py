"""Moves that keep every relation: exact witnesses of tables that an attacker must think possible.

A move f is a witness when A f = 0 and low ≤ f ≤ high, both in whole numbers; then the table a + f has all that is
published, and proves for every hidden cell at once that its interval reaches at least to a + f. A move with a
denominator D > 1 stands for f / D: a table of fractions, which proves what the linear program attains but no table of
whole numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tabular.audit.system import Component
from discreet.tabular.problem import Codes, Ints

Floats = NDArray[np.float64]
# Larger denominators of vertices are not looked for.
DENOMINATOR = 5000


class Move(NamedTuple):
    """The columns of a component that move, by how much, and what to divide by."""

    column: Ints
    change: Ints
    denominator: int = 1


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _holds(start: Ints, column: Ints, sign: Codes, low: Ints, high: Ints, change: Ints, denominator: int) -> bool:
    for j in range(low.size):
        if change[j] < low[j] * denominator or change[j] > high[j] * denominator:
            return False
    for r in range(start.size - 1):
        total = 0
        for t in range(start[r], start[r + 1]):
            total += change[column[t]] if sign[t] > 0 else -change[column[t]]
        if total != 0:
            return False
    return True


def holds(component: Component, change: Ints, denominator: int = 1) -> bool:
    """Whether `change / denominator` keeps all relations and boxes; sums are exact below 2^60."""
    widest = max(int(component.high.max(initial=0)), -int(component.low.min(initial=0)))
    if denominator * widest * max(component.n, 1) >= 2**62:
        return False
    rows = component.start, component.column, component.sign
    return bool(_holds(*rows, component.low, component.high, change, denominator))


def fraction(component: Component, x: Floats) -> tuple[Ints, int] | None:
    """The move of fractions with a small common denominator next to `x`, where it keeps all relations."""
    part = np.abs(x - np.rint(x))
    loose = x[part > 1e-7 * np.maximum(1.0, np.abs(x)) + 1e-9]
    common = _common(np.unique(np.round(loose - np.floor(loose), 7)))
    if common == 0 or not (np.abs(x) * common < 2.0**53).all():
        return None
    change = np.rint(x * common).astype(np.int64)
    np.clip(change, component.low * common, component.high * common, out=change)
    return (change, common) if holds(component, change, common) else None


def _common(parts: Floats) -> int:
    """The least denominator up to a limit that all `parts` are near to multiples of; 0 where there is none."""
    common = 1
    for part in parts:
        scaled = part * common
        if abs(scaled - round(scaled)) < 1e-5 * common:
            continue
        own = np.arange(1, DENOMINATOR // common + 1)
        near = np.abs(scaled * own - np.rint(scaled * own))
        good = np.flatnonzero(near < 1e-6 * common * own + 1e-6)
        if not good.size:
            return 0
        common *= int(own[good[0]])
    return common
