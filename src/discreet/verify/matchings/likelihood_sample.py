"""The share of perfect matchings that hold a pair, estimated by a walk over perfect matchings.

One step: a person o steps aside, so its row r is open. The open row takes a person drawn uniformly from all it may
take; the row that had that person is open now, and so on until an open row takes o. Between perfect matchings lie
matchings that lack o and an open row; give them weight deg(r), the number of people the open row may take, and the
perfect ones weight 1. Every move then has the weight 1 in both directions: a row draws each person with probability
1/deg(r), and from a perfect matching the step aside is certain. So for each o the walk, looked at whenever it is
perfect, is reversible with the uniform distribution over perfect matchings, and so is any mixture of walks over o
that does not look at the matching. Two perfect matchings differ by alternating cycles, along each of which a walk can
go: all can be reached. How soon the walk forgets its start is not proven; the figures are estimates.

Several pairs are watched. The first part of the walk is thrown away, the second chooses the pair that occurs most,
the third, independent of the choice but for that memory, estimates its share, with the standard error of the means of
consecutive batches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

BATCHES = 25
LEAST_WALKS = 10 * BATCHES


class Component(NamedTuple):
    """Classes of rows with the classes of people they may take, and a perfect matching of their members.

    `upto[e]` is the number of people in the classes up to e of a class of rows, `first[j]` the first person of class
    j, `row_class` and `person_class` the class of each member, `row_of[o]` the row of person o.
    """

    ends: Integers
    other: Integers
    upto: Integers
    first: Integers
    row_class: Integers
    person_class: Integers
    row_of: Integers


@njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _below(random: NDArray[np.uint64], n: int) -> int:
    """A number in 0 … n−1 (splitmix64; Steele, Lea, Flood 2014)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64((z >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))  # type: ignore[return-value]


@njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _taken(c: Component, i: int, random: NDArray[np.uint64]) -> int:
    """A person drawn uniformly from those that rows of class i may take."""
    low, high = c.ends[i], c.ends[i + 1] - 1
    u = _below(random, c.upto[high])
    while low < high:
        middle = (low + high) // 2
        if u < c.upto[middle]:
            high = middle
        else:
            low = middle + 1
    before = 0 if low == c.ends[i] else c.upto[low - 1]
    return np.int64(c.first[c.other[low]] + u - before)  # type: ignore[return-value]


@njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _walk(
    c: Component, o: int, random: NDArray[np.uint64], rows: Integers, people: Integers, seen: Integers, most: int
) -> int:
    """One step of the walk; the moves it took, or −1 beyond `most`. `seen[w]` counts the pairs of watched classes."""
    r, moves = c.row_of[o], 0
    for w in range(rows.shape[0]):
        seen[w] -= people[w] == c.person_class[o] and rows[w] == c.row_class[r]
    while True:
        moves += 1
        p = _taken(c, c.row_class[r], random)
        held = c.row_of[p]
        for w in range(rows.shape[0]):
            if people[w] == c.person_class[p]:
                seen[w] += rows[w] == c.row_class[r]
                if p != o:
                    seen[w] -= rows[w] == c.row_class[held]
        c.row_of[p] = r
        if p == o:
            return moves
        if moves > most:
            return -1
        r = held


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def shares(
    c: Component, rows: Integers, people: Integers, row_sizes: Integers, person_sizes: Integers, seed: int, most: int
) -> tuple[int, float, float, int]:
    """The watched pair that occurs most, its estimated share, the standard error, and on how many steps it rests.

    Watched are pairs of classes, `rows[w]` and `people[w]`; `most` bounds the moves. No steps: it did not get that far.
    """
    watched, n = rows.shape[0], c.row_of.shape[0]
    random = np.array([seed], np.uint64)
    seen = np.zeros(watched, np.int64)
    for o in range(n):
        for w in range(watched):
            seen[w] += people[w] == c.person_class[o] and rows[w] == c.row_class[c.row_of[o]]
    total = np.zeros(watched)
    batch = np.zeros(BATCHES, np.int64)
    used, best, planned = 0, -1, 0
    steps = np.zeros(3, np.int64)
    part = 0
    while True:
        # Half of the steps begin near the watched pairs, the others anywhere; the choice ignores the matching.
        if _below(random, 2) == 0:
            o = _below(random, n)
        else:
            o = _taken(c, rows[_below(random, watched)], random)
        moves = _walk(c, o, random, rows, people, seen, most)
        if moves < 0:
            return max(best, 0), 0.0, 1.0, 0
        used += moves
        steps[part] += 1
        if part == 0:
            if used > most // 5:
                part = 1
        elif part == 1:
            for w in range(watched):
                total[w] += seen[w] / (row_sizes[w] * person_sizes[w])
            if used > most // 2:
                part, best = 2, int(np.argmax(total))
                planned = steps[1] // BATCHES
                if planned * BATCHES < LEAST_WALKS:
                    return best, 0.0, 1.0, 0
        else:
            at = (steps[2] - 1) // planned
            batch[at] += seen[best]
            if steps[2] == planned * BATCHES:
                break
            if used > most + most // 2:
                return best, 0.0, 1.0, 0
    unit = 1 / (planned * row_sizes[best] * person_sizes[best])
    squares = 0.0
    for at in range(BATCHES):
        squares += float(BATCHES * batch[at] - batch.sum()) ** 2  # whole numbers: 0 for a pair that never changed
    error = unit * np.sqrt(squares / (BATCHES - 1) / BATCHES) / BATCHES
    return best, unit * batch.sum() / BATCHES, error, steps[2]
