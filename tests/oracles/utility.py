"""Utility, slowly: a cell, a row, a query at a time, from the definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

Ends = tuple[float, float] | None
"""A published number: its ends, infinite for anything, None for a blank."""
Words = frozenset[object] | str | None
"""A published category: the values it may be, "*" for anything, None for a blank."""


def number_loss(x: float | None, published: Ends, column: Sequence[float | None]) -> float:
    if x is None or published is None:
        return 0.0 if x is None and published is None else 1.0
    low, high = published
    if math.isinf(low):
        return 1.0
    known = sorted(Fraction(value) for value in column if value is not None)
    half = len(known) // 2
    median = known[half] if len(known) % 2 else (known[half - 1] + known[half]) / 2
    spread = sum(abs(value - median) for value in known) / len(known)
    a, b, at = Fraction(low), Fraction(high), Fraction(x)
    error = ((at - a) ** 2 + (b - at) ** 2) / (2 * (b - a)) if a < at < b else abs(at - (a + b) / 2)
    if spread == 0:
        return 1.0 if error else 0.0
    return float(min(error / (2 * spread), Fraction(1)))


def category_loss(x: object, published: Words, column: Sequence[object]) -> float:
    """Missing is None, in the original and among the members of a set."""
    if published is None:
        return 0.0 if x is None else 1.0
    if published == "*" or x not in published:
        return 1.0
    return min((len(published) - 1) / max(len(set(column)) - 1, 1), 1.0)


def distribution(entries: Sequence[tuple[float, float, float]], t: float) -> float:
    """F(t) of a mixture of entries (low, high, weight), each uniform."""
    total = sum(w for _, _, w in entries)
    below = 0.0
    for low, high, w in entries:
        if low == high:
            below += w * (t >= low)
        else:
            below += w * min(max((t - low) / (high - low), 0.0), 1.0)
    return below / total
