"""k-anonymity on every set of at most m keys: whom someone can single out who knows only some of the keys. Counted.

For each size s: over all sets of s keys, the records in classes of fewer than k, added up; and the records that are in
such a class for some set of at most m keys. A record that is in too small a class on S is so on every superset, so it
is counted for the sets below S in the walk at once: C(b, e) of them have e keys more, where b keys are below S.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.measure.risk.frequencies import Classes
from discreet.measure.risk.partitions import Level, Rows, Scratch, rooms, split

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Subsets(NamedTuple):
    """Per size 1 … m the pairs of a record and a set on which it is one of fewer than k; per record whether any is."""

    by_size: Codes
    exposed: Flags


def subsets(keys: Codes, found: Classes, k: int, largest: int) -> Subsets:
    """Records in classes of fewer than k over all sets of at most `largest` keys."""
    d = keys.shape[1]
    codes = keys[found.first] + 1
    narrow_first = np.argsort(codes.max(axis=0), kind="stable")
    rows = Rows(
        np.ascontiguousarray(codes[:, narrow_first].astype(np.int32)), np.minimum(found.size, k).astype(np.int32)
    )
    choose = np.array([[comb(b, e) for e in range(d + 1)] for b in range(d + 1)], np.int64)
    by_size, exposed = np.zeros(d + 1, np.int64), np.zeros(len(found.size), np.bool_)
    if len(found.of) < k:  # on no key at all, too
        return Subsets(len(found.of) * choose[d, 1 : largest + 1], np.ones(len(found.of), np.bool_))
    level, scratch = rooms(rows)
    if len(found.size) > 1:
        _walk(rows, level, scratch, found.size, choose, by_size, exposed, k, largest)
    return Subsets(by_size[1 : largest + 1], exposed[found.of])


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _walk(
    rows: Rows,
    level: Level,
    scratch: Scratch,
    size: Codes,
    choose: Codes,
    by_size: Codes,
    exposed: Flags,
    k: int,
    largest: int,
) -> None:
    """All sets of at most `largest` keys, depth first."""
    d = rows.codes.shape[1]
    following, limit = np.zeros(d + 1, np.int64), np.zeros(d + 1, np.int64)
    limit[0] = d
    depth = 0
    while depth >= 0:
        if depth >= largest or following[depth] >= limit[depth] or level.classes[depth] == 0:
            depth -= 1
            continue
        key = following[depth]
        following[depth] += 1
        gone = split(rows, level, scratch, depth, key, k)
        depth += 1
        records = 0
        for i in range(gone):
            records += size[scratch.left[i]]
            exposed[scratch.left[i]] = True
        for more in range(min(key, largest - depth) + 1):
            by_size[depth + more] += records * choose[key, more]
        following[depth], limit[depth] = 0, key
