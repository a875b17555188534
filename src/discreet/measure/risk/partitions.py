"""Classes of records on every set of keys, depth first, in the numeric order of the sets as bit masks.

A set S of keys splits the records into classes. From the split by S that by S ∪ {b}, for a key b below all of S, is
found by looking at key b alone. Stripped: a class with fewer than k records has too few on every larger set as well, so
its records leave the branch; a class of one row that stands for k records or more never gets smaller, and leaves
silently.
In numeric order each set comes after all its subsets (TANE's partitions, Huhtala et al. 1999, in the order of SUDA2).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels import inner

Integers = NDArray[np.int32]


class Rows(NamedTuple):
    """Distinct rows of codes and how many records each stands for, counted up to k."""

    codes: Integers
    records: Integers


class Level(NamedTuple):
    """The split at each depth: rows class by class, where classes begin, and how many classes there are."""

    order: Integers
    start: Integers
    classes: Integers


class Scratch(NamedTuple):
    """Per code: records and rows with it, and the codes met in a class; the rows that left in the last step."""

    records: Integers
    place: Integers
    met: Integers
    left: Integers


def rooms(rows: Rows) -> tuple[Level, Scratch]:
    """Arrays for a walk over all sets; the first level has all rows in one class."""
    m, d = rows.codes.shape
    widest = int(rows.codes.max(initial=0)) + 1
    level = Level(np.empty((d + 1, m), np.int32), np.zeros((d + 1, m + 1), np.int32), np.zeros(d + 1, np.int32))
    level.order[0] = np.arange(m)
    level.start[0, 1] = m
    level.classes[0] = 1
    scratch = Scratch(*(np.zeros(size, np.int32) for size in (widest, widest, widest, m)))
    return level, scratch


@inner
def split(rows: Rows, level: Level, scratch: Scratch, depth: int, key: int, k: int) -> int:
    """Split the classes at `depth` by a key into those of the next depth; returns how many rows left, in `left`."""
    records, place, met, left = scratch.records, scratch.place, scratch.met, scratch.left
    order, below = level.order[depth], level.order[depth + 1]
    start, begin = level.start[depth], level.start[depth + 1]
    gone, filled, classes = 0, 0, 0
    for c in range(level.classes[depth]):
        codes = 0
        for i in range(start[c], start[c + 1]):
            row = order[i]
            code = rows.codes[row, key]
            if place[code] == 0:
                met[codes] = code
                codes += 1
            place[code] += 1
            records[code] += rows.records[row]
        for a in range(codes):
            code = met[a]
            many = place[code]
            if records[code] < k:
                place[code] = -1
            elif many == 1:
                place[code] = -2
            else:
                begin[classes] = filled
                classes += 1
                place[code] = filled
                filled += many
        for i in range(start[c], start[c + 1]):
            row = order[i]
            code = rows.codes[row, key]
            if place[code] >= 0:
                below[place[code]] = row
                place[code] += 1
            elif place[code] == -1:
                left[gone] = row
                gone += 1
        for a in range(codes):
            records[met[a]] = 0
            place[met[a]] = 0
    begin[classes] = filled
    level.classes[depth + 1] = classes
    return gone
