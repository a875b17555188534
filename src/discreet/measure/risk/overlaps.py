"""Frequencies where a key may be a set of values: how many records could be of the same person, for all the file tells.

    f_i = number of records whose set meets that of record i on every key        F_i = sum of their weights

A set is an interval of numbers together with a set of categories (bits); two meet where both parts do. A box
of a generalized file is such a set, a plain value the set of itself, and what can be anything meets everything: the
reading "wildcard" of a missing key is the same idea. Every two distinct rows are compared, m²d/2 steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.measure.risk.frequencies import Classes, Frequencies

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Bits = NDArray[np.uint64]


class Sets(NamedTuple):
    """The set of each code, of all keys one after the other; the codes of key j begin at `first[j]`."""

    low: Floats
    high: Floats
    bits: Bits
    first: Codes


def overlap_frequencies(keys: Codes, found: Classes, weights: Floats | None, sets: Sets) -> Frequencies:
    """f and F of each class of equal rows; codes are 0, 1, … for each key, none is missing."""
    size = found.size.astype(np.float64)
    total = size if weights is None else np.bincount(found.of, weights=weights, minlength=len(size))
    rows = np.ascontiguousarray(keys[found.first] + sets.first)
    f, F = size.copy(), total.astype(np.float64)
    _meet(rows, sets, size, total.astype(np.float64), f, F)
    return Frequencies(f, F)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _meet(rows: Codes, sets: Sets, size: Floats, total: Floats, f: Floats, F: Floats) -> None:
    """Add to every row the size and weight of those that it meets."""
    m, d = rows.shape
    words = sets.bits.shape[1]
    for a in range(m):
        for b in range(a):
            meets = True
            for j in range(d):
                x, y = rows[a, j], rows[b, j]
                if x == y:
                    continue
                meets = sets.low[x] <= sets.high[y] and sets.low[y] <= sets.high[x]
                if meets:
                    common = np.uint64(0)
                    for w in range(words):
                        common |= sets.bits[x, w] & sets.bits[y, w]
                    meets = common != 0
                if not meets:
                    break
            if meets:
                f[a] += size[b]
                F[a] += total[b]
                f[b] += size[a]
                F[b] += total[a]
