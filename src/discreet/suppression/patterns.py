"""Patterns that k records or more could publish: a set of blanked columns and the values outside it.

A tuple may use every pattern it agrees with. Three kinds are left out, as some best solution does without them: those
that fewer than k records fit; those whose records all agree in a blanked column, which could stay; and, but for the
tuples' own, those that no rare tuple (of fewer than k records) fits. The last need not be so: a tuple that lends all
but a few of its records might want such a pattern for the rest. Tiny tables keep them; the bound does not rest on this
list at all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.suppression.subsets import groupings, set_costs
from discreet.suppression.tuples import Tuples

Codes = NDArray[np.int64]
Places = NDArray[np.int32]

MOST_PLACES = 20_000_000
"""Pairs of a tuple and a pattern that are listed at most: beyond, dear sets of columns are left out, but for all."""
TINY = 4000
"""Pairs up to which nothing is left out that could be of use."""


class Patterns(NamedTuple):
    """A place is a tuple in a pattern. Places are numbered by tuple, the cheapest of each first."""

    blank: Codes
    """The blanked columns of each pattern, as a mask."""
    cost: Codes
    """What it costs a record."""
    begin: Codes
    """Where each pattern's members begin in the next two lists."""
    member: Places
    """The tuples that fit each pattern …"""
    place: Places
    """… and their places in it."""
    first: Codes
    """Where each tuple's places begin in the next list."""
    pattern: Places
    """The pattern of each place."""


class Chunk(NamedTuple):
    """The places in the patterns of one set of blanked columns."""

    cost: int
    blank: int
    patterns: int
    tuple_of: Places
    pattern_of: Places


def patterns_of(tuples: Tuples, cost: Codes, k: int) -> Patterns:
    """All patterns worth listing."""
    costs = set_costs(cost)
    rare = tuples.size < k
    everything = (1 << cost.size) - 1
    tiny = rare.size << cost.size <= TINY
    chunks: list[Chunk] = []
    for blank, of, classes in groupings(tuples.codes):
        usable = np.bincount(of, tuples.size, classes) >= k
        if blank and not tiny:
            usable &= np.bincount(of, rare, classes) > 0
        if blank and blank != everything:
            usable &= _varying(tuples.codes, of, classes, blank)
        if blank == everything or usable.any():
            chunks.append(_chunk(int(costs[blank]), blank, of, usable))
    chunks.sort(key=lambda chunk: (chunk.cost, chunk.blank))
    while len(chunks) > 1 and sum(chunk.tuple_of.size for chunk in chunks) > MOST_PLACES:
        chunks.pop(-2)
    return _joined(chunks, tuples.size.size)


def _chunk(cost: int, blank: int, of: Codes, usable: NDArray[np.bool_]) -> Chunk:
    name = np.cumsum(usable) - 1
    rows = np.flatnonzero(usable[of])
    return Chunk(cost, blank, int(usable.sum()), rows.astype(np.int32), name[of[rows]].astype(np.int32))


def _joined(chunks: list[Chunk], rows: int) -> Patterns:
    counts = np.array([chunk.patterns for chunk in chunks])
    offset = np.cumsum(counts) - counts
    tuple_of = np.concatenate([chunk.tuple_of for chunk in chunks])
    pattern_of = np.concatenate([chunk.pattern_of + at for chunk, at in zip(chunks, offset)]).astype(np.int32)
    first = np.concatenate([[0], np.cumsum(np.bincount(tuple_of, minlength=rows))])
    begin = np.concatenate([[0], np.cumsum(np.bincount(pattern_of, minlength=int(counts.sum())))])
    member, place, pattern = (np.empty(tuple_of.size, np.int32) for _ in range(3))
    _file(tuple_of, pattern_of, first.copy(), begin.copy(), member, place, pattern)
    blank = np.repeat(np.array([chunk.blank for chunk in chunks], np.int64), counts)
    cost = np.repeat(np.array([chunk.cost for chunk in chunks], np.int64), counts)
    return Patterns(blank, cost, begin, member, place, first, pattern)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _file(
    tuple_of: Places, pattern_of: Places, next_of: Codes, next_in: Codes, member: Places, place: Places, pattern: Places
) -> None:
    """Sort places by tuple and members by pattern, keeping their order otherwise."""
    for i in range(tuple_of.size):
        t, q = tuple_of[i], pattern_of[i]
        e, at = next_of[t], next_in[q]
        next_of[t] += 1
        next_in[q] += 1
        pattern[e] = q
        member[at] = t
        place[at] = e


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _varying(codes: Codes, of: Codes, classes: int, blank: int) -> NDArray[np.bool_]:
    """Whether the members of each class differ in every blanked column."""
    found, first = np.zeros(classes, np.int64), np.full(classes, -1, np.int64)
    for i in range(of.size):
        group = of[i]
        if first[group] < 0:
            first[group] = i
        elif found[group] != blank:
            for j in range(codes.shape[1]):
                if codes[i, j] != codes[first[group], j]:
                    found[group] |= 1 << j
            found[group] &= blank
    return found == blank
