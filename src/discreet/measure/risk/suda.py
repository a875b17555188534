"""SUDA2: special uniques, records that are unique already on few keys. Counted in the file.

A minimal sample unique (MSU) of a record is a set of keys on which it is unique, while it is on none of its subsets.
With d keys an MSU of s keys adds to the record's score

    original: (d − s)!          ihsn: (2^(d−s) − 1) · s! (d − s)! / d!

(Elliot, Manning, Ford 2002; Manning, Haglin, Keane, "A recursive search algorithm for statistical disclosure
assessment", 2008; the second form is the IHSN's). A key's part is what the MSUs with this key add. DIS-SUDA scales
scores to probabilities, given that a share φ of the file could be found (disclosure intrusion simulation, estimated):

    DIS = 1 / (1 + P (1 − φ)/φ / (score^Q A))      Q = 1 + (8 − d)/20,  A = Σ score^−Q,  P = records that come in pairs

Sets are met in numeric order, so every subset before its superset: each unique record has a bitmap of the 2^d sets that
contain one of its MSUs, and a set on which it is unique is minimal where its bit is not set.
"""

from __future__ import annotations

from math import factorial
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.measure.risk.frequencies import Classes
from discreet.measure.risk.partitions import Level, Rows, Scratch, rooms, split

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Bits = NDArray[np.uint64]

SCORES = ("original", "ihsn")
MOST_KEYS = 14


class Suda(NamedTuple):
    """Per record its score, its DIS and the part of each key in its score (shares that may add up to more than 1)."""

    score: Floats
    dis: Floats
    part: Floats


class Scored(NamedTuple):
    """Per row: where its bitmap is (−1: not unique), the bitmaps, the score, and the part of each key."""

    place: Codes
    bitmap: Bits
    score: Floats
    part: Floats


def suda(keys: Codes, found: Classes, *, fraction: float = 0.01, score: str = "original", largest: int = 0) -> Suda:
    """Scores by minimal sample uniques of `largest` keys at most (0: of any number)."""
    d = keys.shape[1]
    codes = keys[found.first] + 1
    narrow_first = np.argsort(codes.max(axis=0), kind="stable")
    rows = Rows(
        np.ascontiguousarray(codes[:, narrow_first].astype(np.int32)), np.minimum(found.size, 2).astype(np.int32)
    )
    unique = found.size == 1
    scored = Scored(
        np.where(unique, np.cumsum(unique) - 1, -1),
        np.zeros((int(unique.sum()), max(1, 2**d // 64)), np.uint64),
        np.zeros(len(found.size)),
        np.zeros((len(found.size), d)),
    )
    amount = np.array([0.0, *(_amount(score, s, d) for s in range(1, d + 1))])
    level, scratch = rooms(rows)
    if len(found.size) > 1:
        _walk(rows, level, scratch, scored, _supersets(d), amount, largest or d)
    part = np.zeros_like(scored.part)
    part[:, narrow_first] = scored.part
    total = scored.score[:, None]
    part = np.divide(part, total, out=np.zeros_like(part), where=total > 0)
    chance = dis(scored.score[found.of], d, pairs=2 * int((found.size == 2).sum()), fraction=fraction)
    return Suda(scored.score[found.of], chance, part[found.of])


def dis(score: Floats, d: int, *, pairs: int, fraction: float) -> Floats:
    """DIS-SUDA of every record: 0 where the score is 0."""
    out = np.zeros(len(score))
    there = score > 0
    if there.any():
        power = 1.0 + (8 - d) / 20.0
        raised = score[there] ** power
        out[there] = 1.0 / (1.0 + pairs * (1.0 - fraction) / fraction / (raised * (1.0 / raised).sum()))
    return out


def _amount(form: str, s: int, d: int) -> float:
    """What an MSU of s out of d keys adds to a score."""
    if form == "original":
        return float(factorial(d - s))
    return (2.0 ** (d - s) - 1.0) * factorial(s) * factorial(d - s) / factorial(d)


def _supersets(d: int) -> Bits:
    """Row S: the bitmap of all sets that contain S."""
    sets = np.arange(2**d, dtype=np.int64)
    out = np.zeros((2**d, max(1, 2**d // 64)), np.uint64)
    for s in range(2**d):
        above = sets[(sets & s) == s]
        np.bitwise_or.at(out[s], above >> 6, np.uint64(1) << (above & 63).astype(np.uint64))
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _walk(
    rows: Rows, level: Level, scratch: Scratch, scored: Scored, supersets: Bits, amount: Floats, largest: int
) -> None:
    """All sets in numeric order, depth first; scores grow as minimal uniques are met."""
    d = rows.codes.shape[1]
    following, limit, masks = np.zeros(d + 1, np.int64), np.zeros(d + 1, np.int64), np.zeros(d + 1, np.int64)
    limit[0] = d
    depth = 0
    while depth >= 0:
        if depth >= largest or following[depth] >= limit[depth] or level.classes[depth] == 0:
            depth -= 1
            continue
        key = following[depth]
        following[depth] += 1
        mask = masks[depth] | (1 << key)
        gone = split(rows, level, scratch, depth, key, 2)
        depth += 1
        word, bit = mask >> 6, np.uint64(1) << np.uint64(mask & 63)
        for i in range(gone):
            row = scratch.left[i]
            bitmap = scored.bitmap[scored.place[row]]
            if bitmap[word] & bit:
                continue
            for w in range(word, bitmap.size):
                bitmap[w] |= supersets[mask, w]
            scored.score[row] += amount[depth]
            for j in range(d):
                if (mask >> j) & 1:
                    scored.part[row, j] += amount[depth]
        masks[depth], following[depth], limit[depth] = mask, 0, key
