"""Sampling weights in whole numbers: weighted amounts, and the largest contributors of an estimated population.

A record of weight w and amount x stands for w records of amount x. Its weighted amount w · x is exact, with the
decimals of both, unless the sum over all records would pass 2^60: then the last digits that do not fit are rounded off,
record by record, half to even, and totals still add up exactly.

Among the largest contributors a record takes the first w places that are left: with amounts 100 (weight 4) and 10
(weight 7) the two largest are 100 and 100, of a total of 470 (Hundepool et al. 2012, p. 151; τ-ARGUS computes it so in
`ComputeWeightedScoreCell`, sdcTools/libtauargus, DataCell.cpp). Fractions of a place are shared, and the share is
rounded up. A weight below 1 takes one place all the same: τ-ARGUS compares the largest amount itself, unweighted, in
its p % rule (`GetPQCell`, there). Both err on the side of protection.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.tabular.problem import Ints

_LARGEST = 1 << 60
# Weights are compared with places to this many decimals.
PLACE_DECIMALS = 6


class Weighted(NamedTuple):
    """Whole numbers of 10^-`decimals`."""

    amount: Ints
    decimals: int


def weighted(value: Ints, value_decimals: int, weight: Ints, weight_decimals: int) -> Weighted:
    """Each record's weight times its amount."""
    large = float(np.abs(value.astype(np.float64) * weight.astype(np.float64)).sum())
    decimals = value_decimals + weight_decimals
    drop = 0
    while large >= _LARGEST and drop < decimals:
        large /= 10
        drop += 1
    fits = float(np.abs(value).max(initial=0)) * float(weight.max(initial=0)) < _LARGEST
    if fits and not drop:
        return Weighted(value * weight, decimals)
    exact = value.astype(object) * weight.astype(object)
    return Weighted(np.array([_rounded(one, 10**drop) for one in exact], np.int64), decimals - drop)


def _rounded(number: int, divisor: int) -> int:
    """The nearest multiple of the divisor, as a number of them; half to even."""
    whole, rest = divmod(number, divisor)
    return whole + (2 * rest > divisor or (2 * rest == divisor and whole % 2 == 1))


def place_weights(weight: Ints, weight_decimals: int) -> tuple[Ints, int]:
    """Weights in units of 1 / unit, and the unit: what `largest_places` fills places with; none between 0 and 1."""
    divisor = 10 ** max(weight_decimals - PLACE_DECIMALS, 0)
    unit = int(10 ** min(weight_decimals, PLACE_DECIMALS))
    places = (weight + divisor // 2) // divisor
    return np.where(weight > 0, np.maximum(places, unit), 0), unit


def largest_places(size: Ints, weight: Ints, unit: int, first: Ints, top: int) -> Ints:
    """The contributions in the first `top` places of each run.

    Runs begin at `first`; within each, `size` falls. Place j of a run takes the weight between j - 1 and j units.
    """
    out = np.zeros((first.size, top), np.int64)
    if not first.size:
        return out
    before = np.cumsum(weight) - weight
    before -= np.repeat(before[first], np.diff(np.append(first, size.size)))
    large = float(size.max(initial=0)) * float(unit) * (top + 1) >= _LARGEST
    sizes = size.astype(object) if large else size
    filled = np.zeros(first.size, sizes.dtype)
    for place in range(top):
        taken = np.clip((place + 1) * unit - before, 0, weight)
        total = np.add.reduceat(sizes * taken, first)
        out[:, place] = -(-(total - filled) // unit)
        filled = total
    return out
