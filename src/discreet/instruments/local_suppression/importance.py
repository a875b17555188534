"""What a blank in each key costs: importance as whole numbers.

    cost of a release = Σ over its blanks of the importance of their column

A column of importance 2 is given up half as eagerly as one of importance 1: the greater, the fewer blanks it gets.
(sdcMicro counts the other way round: there 1 is the most important.) Importance may have decimals; the room counts in
whole units, so all are divided by the greatest number that goes into each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, listing

FINEST, MOST = 1000, 1_000_000
WRONG = f"must be a positive number of at most 3 decimals, up to {MOST}, where a greater one means fewer blanks"


@dataclass(frozen=True)
class Importance:
    """The importance of every key, its cost in whole units, and what a unit is worth."""

    given: Mapping[str, float]
    cost: NDArray[np.int64] = field(repr=False)
    unit: Fraction

    def worth(self, units: int) -> float:
        """So many units in terms of importance: a whole number where it is one."""
        value = units * self.unit
        return int(value) if value.denominator == 1 else float(value)


def read_importance(given: Any, keys: Sequence[str], faults: Faults) -> Importance | None:
    """The importance of every key, 1 unless given; None, with the faults, where something is wrong with it."""
    if not faults.check(isinstance(given, Mapping | None), "importance must be a mapping from keys to numbers"):
        return None
    named = dict(given or {})
    stray = [name for name in named if name not in set(keys)]
    faults.check(not stray, f"importance names columns that are not keys: {listing(stray)}")
    shares = {}
    for name in keys:
        share = _share(named.get(name, 1))
        if faults.check(share is not None, f"the importance of {name!r} {WRONG}"):
            shares[name] = share or Fraction(1)
    if stray or len(shares) < len(keys) or not keys:
        return None
    parts = lcm(*(share.denominator for share in shares.values()))
    whole = [int(share * parts) for share in shares.values()]
    common = gcd(*whole)
    cost = np.array([number // common for number in whole], np.int64)
    unit = Fraction(common, parts)
    return Importance({name: _plain(share) for name, share in shares.items()}, cost, unit)


def _share(value: Any) -> Fraction | None:
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not np.isfinite(float(value)):
        return None
    share = Fraction(str(value)) if not isinstance(value, Fraction) else value
    return share if 0 < share <= MOST and FINEST % share.denominator == 0 else None


def _plain(share: Fraction) -> float:
    return int(share) if share.denominator == 1 else float(share)
