"""Mean, standard deviation and frequencies of a column, before and after.

A range [a, b] is read as uniform: its mean is the middle, its variance (b − a)²/12. So, over the known entries of a
column with weights w that sum to W,

    m = Σ w (a + b)/2 / W        v = Σ w ((a + b)/2 − m)² / W + Σ w (b − a)²/12 / W

    change of the mean           (m' − m) / √v
    standard deviation kept      √(v' / v)
    frequencies of categories    ½ Σ_c |p_c − p'_c|, the members of a set sharing its weight; values that the original
                                 does not have are categories of their own
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.measure.utility.absent import CONSTANT, EMPTY, Figure
from discreet.measure.utility.columns import MISSING, Categories, Floats, Numbers


class Spread(NamedTuple):
    """How a column's mean moved, in standard deviations of the original, and how much of its deviation is left."""

    mean_change: Figure
    sd_kept: Figure


def spread(original: Numbers, published: Numbers, before: Floats, after: Floats) -> Spread:
    """With the weights of the records in both files."""
    unit, other = largest(original), largest(published)
    old, new = _moments(original, before, unit), _moments(published, after, other)
    if old is None or new is None:
        return Spread(EMPTY, EMPTY)
    if old[1] == 0:
        return Spread(0.0 if old[0] * unit == new[0] * other else CONSTANT, CONSTANT)
    times = other / unit
    return Spread((new[0] * times - old[0]) / np.sqrt(old[1]), float(np.sqrt(new[1] / old[1])) * times)


def largest(column: Numbers) -> float:
    """The largest known number, in size; 1 where there is none but 0: what numbers are divided by before squaring."""
    return float(max(np.abs(end[column.known]).max(initial=0.0) for end in column)) or 1.0


def _moments(column: Numbers, weights: Floats, unit: float) -> tuple[float, float] | None:
    """Mean and variance in units of `unit`."""
    known = column.known & (weights > 0)
    if not known.any():
        return None
    w = weights[known] / weights[known].sum()
    low, high = column.low[known] / unit, column.high[known] / unit
    middle = (low + high) / 2
    if np.ptp(middle) == 0 and not (high > low).any():
        return float(middle[0]), 0.0
    mean = float((w * middle).sum())
    return mean, float((w * ((middle - mean) ** 2 + (high - low) ** 2 / 12)).sum())


def frequency_change(original: Categories, published: Categories, before: Floats, after: Floats) -> Figure:
    """Half the sum of the changes of all shares, from 0 to 1; blanks and anything have no part in it."""
    values = int(max(published.member.max(initial=0) + 1, original.size))
    old, new = shares(original, before, values), shares(published, after, values)
    if old is None or new is None:
        return EMPTY
    return float(np.abs(old - new).sum() / 2)


def shares(column: Categories, weights: Floats, values: int) -> Floats | None:
    """The share of each value; None where nothing is known."""
    known = column.codes >= 0
    of_set = np.bincount(column.codes[known], weights=weights[known], minlength=column.width.size)
    width = column.width
    each = np.repeat(of_set / np.maximum(width, 1), width)
    named = column.member != MISSING
    total = np.bincount(column.member[named], weights=each[named], minlength=values)
    return total / total.sum() if total.sum() > 0 else None
