"""Whose numbers follow from published means: with matchings the sets overlap, and every mean is an equation.

A row whose box holds just k persons has these as its set, so k times its number is the sum of theirs. Whoever knows the
keys of all and none of the numbers has one such equation for each of these rows. A person's number follows from them if
the unit vector of the person is a combination of their left sides: if it is a row of the reduced echelon form.
The form is computed modulo a prime, so what it tells is not a rounded guess; it is a count of some who can be solved
for and not of all, since other rows tell something, too, and with the matchings themselves every row is an equation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.verify.matchings.reading import Reading
from discreet.verify.order import held_pairs

Integers = NDArray[np.int64]

PRIME = 2_147_483_629
MOST_PAIRS = 20_000_000
MOST_WORK = 200_000_000
"""Steps of one elimination; what takes more is left out of the count."""


def solved(readings: Sequence[Reading], k: int) -> int:
    """How many persons' numbers follow from the means of the rows whose boxes hold just k persons."""
    persons, rows = readings[0].codes.size, readings[0].texts.size
    if persons * rows > MOST_PAIRS:
        return 0
    everyone = np.arange(persons, dtype=np.int64)
    found = set()
    for row in range(rows):
        held = np.flatnonzero(held_pairs(readings, np.full(persons, row, np.int64), everyone))
        if held.size == k:
            found.add(tuple(held.tolist()))
    sets = np.array(sorted(found), np.int64).reshape(-1, k)
    return sum(_follow(part) for part in _parts(sets, persons))


def _parts(sets: Integers, persons: int) -> Iterator[Integers]:
    """The sets that persons tie together, apart from the others."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n, k = sets.shape
    pairs = sets.ravel(), persons + np.arange(n).repeat(k)
    graph = coo_array((np.ones(n * k), pairs), (persons + n, persons + n))
    part = connected_components(graph, directed=False)[1][persons:]
    for one in np.unique(part).tolist():
        yield sets[part == one]


def _follow(sets: Integers) -> int:
    """How many unit vectors are combinations of these sets, as vectors of ones and zeros."""
    members, places = np.unique(sets, return_inverse=True)
    m, n = len(sets), members.size
    if m * m * n > MOST_WORK:
        return 0
    a = np.zeros((m, n), np.int64)
    a[np.arange(m)[:, None], places.reshape(sets.shape)] = 1
    rank = 0
    for column in range(n):
        below = np.flatnonzero(a[rank:, column])
        if not below.size:
            continue
        pivot = rank + int(below[0])
        a[[rank, pivot]] = a[[pivot, rank]]
        a[rank] = a[rank] * pow(int(a[rank, column]), -1, PRIME) % PRIME
        others = np.flatnonzero(a[:, column])
        others = others[others != rank]
        a[others] = (a[others] - a[others, column][:, None] * a[rank]) % PRIME
        rank += 1
        if rank == m:
            break
    return int((np.count_nonzero(a[:rank], axis=1) == 1).sum())
