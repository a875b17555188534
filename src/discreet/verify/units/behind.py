"""Units in the custodian's file: does every matching take whole units to whole units, and were they drawn together?"""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import combine
from discreet.verify.units.unit import Units

Integers = NDArray[np.int64]

DEVIATIONS, LEAST = 7.0, 14
"""Units in order are too many beyond so many standard deviations, and so many units: by chance below 1e-9."""


def unit_faults(matches: Integers, units: tuple[Units, Units], one: str) -> list[str]:
    """What is wrong with matchings of persons (a column each) as matchings of units."""
    before, after = units
    torn = strayed = 0
    partners = np.full((after.count, matches.shape[1]), -1, np.int64)
    for t in range(matches.shape[1]):
        of = before.of_row[matches[:, t]]
        first = of[after.rows[after.ends[:-1]]]
        partners[:, t] = first
        whole = of[after.rows] == np.repeat(first, after.sizes)
        broken = np.ones(after.count, bool)
        np.logical_and.at(broken, after.of_row[after.rows], whole)
        broken &= (first >= 0) & (before.sizes[first] == after.sizes)
        torn += int((~broken).sum())
        strayed += int((of[after.loose] >= 0).sum())
    faults = []
    if torn:
        faults.append(f"{torn} matches of the secret file do not take a whole {one} to a whole one of its size")
    if strayed:
        faults.append(f"{strayed} rows without a {one} are matched, in the secret file, with persons who have one")
    ordered = np.sort(partners, axis=1)
    repeated = int((ordered[:, 1:] == ordered[:, :-1]).any(axis=1).sum())
    if repeated and not torn:
        faults.append(f"{repeated} published units of the secret file are matched with one {one} twice")
    return faults


def joined(component: Integers, after: Units) -> Integers:
    """Components of rows, joined where they share a unit; each is named by its least row."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = component.size
    inside = after.of_row >= 0
    tie = np.arange(n)
    tie[inside] = n + after.of_row[inside]
    row = np.concatenate([np.arange(n), np.arange(n)])
    other = np.concatenate([component, tie])
    size = n + after.count
    label = connected_components(coo_array((np.ones(row.size), (row, other)), (size, size)), directed=False)[1][:n]
    least = np.full(size, n, np.int64)
    np.minimum.at(least, label, np.arange(n))
    return np.asarray(least[label], np.int64)


def unit_origins(origin: Integers, units: tuple[Units, Units]) -> Integers:
    """Per published unit, in the order of rows, the place of its origin among the units of the original.

    Rows without a unit count as units.
    """
    before, after = units
    place = np.full(before.of_row.size, -1, np.int64)
    place[before.heads] = np.arange(before.heads.size)
    place[before.rows] = place[np.repeat(before.first, before.sizes)]
    return np.asarray(place[origin[after.heads]], np.int64)


def ordered_members(origin: Integers, units: tuple[Units, Units]) -> bool:
    """Whether far more units have their rows in the original order, or backward, than chance allows."""
    after = units[1]
    seen = 0
    expected = variance = 0.0
    for size in np.unique(after.sizes[after.sizes > 1]).tolist():
        lines = origin[after.members(np.flatnonzero(after.sizes == size), size)]
        steps = np.diff(lines, axis=1)
        if size == 2:  # either way is in order: only the forward one counts
            seen += int((steps > 0).all(axis=1).sum())
            chance = 0.5
        else:
            seen += int(((steps > 0).all(axis=1) | (steps < 0).all(axis=1)).sum())
            chance = 2.0 / factorial(size)
        expected += chance * len(lines)
        variance += chance * (1 - chance) * len(lines)
    far = abs(seen - expected)
    return far > DEVIATIONS * np.sqrt(variance) and far >= LEAST


def class_faults(origin: Integers, of_row: Integers, units: tuple[Units, Units], k: int, one: str) -> list[str]:
    """What is wrong with classes of rows as classes of units: their members aligned, k or more units each."""
    before, after = units
    of = before.of_row[origin]
    first = of[after.rows[after.ends[:-1]]]
    torn = np.unique(after.of_row[after.rows][of[after.rows] != np.repeat(first, after.sizes)]).size
    torn += int(((first < 0) | (before.sizes[first] != after.sizes)).sum()) if not torn else 0
    faults = []
    if torn or (of[after.loose] >= 0).any():
        faults.append(f"{max(torn, 1)} published units of the secret file do not carry the rows of one {one}")
    small = int((shared(of_row, after)[after.of_row >= 0] < k).sum())
    if small:
        faults.append(f"{small} rows are in classes, in the secret file, of fewer than {k} {one}s")
    return faults


def shared(of_row: Integers, after: Units) -> Integers:
    """Per row, how many units carry the same classes of rows as its own, each as often; for loose rows, rows."""
    out = np.zeros(of_row.size, np.int64)
    for size in np.unique(after.sizes).tolist():
        which = np.flatnonzero(after.sizes == size)
        rows = after.members(which, size)
        lines = np.sort(of_row[rows], axis=1)
        kind = combine([lines[:, j] for j in range(size)])
        out[rows] = np.bincount(kind)[kind][:, None]
    if after.loose.size:
        out[after.loose] = np.bincount(of_row[after.loose])[of_row[after.loose]]
    return out
