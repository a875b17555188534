"""How often each combination of keys occurs: in the file (f, counted) and in the population (F, estimated).

    f_i = number of records that agree with record i on every key        F_i = sum of their sampling weights

Two readings of a missing key, by name. "value": missing is a value of its own, and agrees with missing only.
"wildcard": it agrees with anything; a match that leans on a missing value of the other record counts `alpha`, so that

    complete record:  f = equal records + alpha · (records with missing keys that fit)
    other record:     f = equal records + complete records that fit + alpha · (other records with missing keys that fit)

as sdcMicro's freqCalc has it (Templ, Kowarik, Meindl, "Statistical Disclosure Control for Micro-Data Using the R
Package sdcMicro", 2015). What agrees by a wildcard is not protected by it: one record without keys agrees with
everybody.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

MISSING = ("value", "wildcard")
_LARGEST = 2**62


class Classes(NamedTuple):
    """Records that agree on every key: the class of each record, and the size and first record of each class."""

    of: Codes
    size: Codes
    first: Codes


class Frequencies(NamedTuple):
    """Per class: f, how many records agree, and F, the sum of their weights."""

    f: Floats
    F: Floats


def classes(keys: Codes) -> Classes:
    """The classes of equal records, numbered in the order of their codes."""
    n, d = keys.shape
    code, span = np.zeros(n, np.int64), 1
    for j in range(d):
        column = keys[:, j] + 1
        width = int(column.max(initial=0)) + 1
        if span * width >= _LARGEST:
            code, span = _dense(code, span)
        code, span = code * width + column, span * width
    of, count = _dense(code, span)
    size = np.bincount(of, minlength=count)
    first = np.empty(count, np.int64)
    first[of[::-1]] = np.arange(n - 1, -1, -1)
    return Classes(of, size, first)


def _dense(code: Codes, span: int) -> tuple[Codes, int]:
    """The codes that occur, numbered 0, 1, … in their order; by counting where there is room for every code."""
    if span <= 8 * len(code) + 1024:
        there = np.zeros(span, bool)
        there[code] = True
        number = np.cumsum(there) - 1
        return number[code], int(number[-1]) + 1
    found, inverse = np.unique(code, return_inverse=True)
    return inverse.ravel(), len(found)


def frequencies(
    keys: Codes, found: Classes, weights: Floats | None, *, missing: str = "value", alpha: float = 1.0
) -> Frequencies:
    """f and F of each class; without weights every record stands for itself alone."""
    size = found.size.astype(np.float64)
    total: Floats = size if weights is None else _sums(found.of, weights, len(size))
    rows = keys[found.first]
    if missing == "value" or not (rows < 0).any():
        return Frequencies(size, total)
    return _wildcards(rows, size, total, alpha)


def _sums(of: Codes, amounts: Floats, count: int) -> Floats:
    return np.bincount(of, weights=amounts, minlength=count).astype(np.float64, copy=False)


def _wildcards(rows: Codes, size: Floats, total: Floats, alpha: float) -> Frequencies:
    """f and F where −1 agrees with anything: for every two patterns of missing keys, a join on what both have."""
    f, F = size.copy(), total.copy()
    absent = rows < 0
    pattern = classes(absent.astype(np.int64))
    members = [np.flatnonzero(pattern.of == p) for p in range(len(pattern.size))]
    blank = absent[pattern.first]
    for a, mine in enumerate(members):
        for b, theirs in enumerate(members):
            if not blank[a].any() and not blank[b].any():
                continue  # complete records agree with their equals only, which are counted
            factor = alpha if blank[b].any() else 1.0
            both = ~(blank[a] | blank[b])
            group = classes(np.concatenate([rows[mine][:, both], rows[theirs][:, both]]))
            here, there = group.of[: len(mine)], group.of[len(mine) :]
            for out, amount in ((f, size), (F, total)):
                fits = np.bincount(there, weights=amount[theirs], minlength=len(group.size))[here]
                out[mine] += factor * (fits - amount[mine] if a == b else fits)
    return Frequencies(f, F)
