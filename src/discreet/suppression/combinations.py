"""Every combination of m of the d keys is shared by k: for an intruder who knows no more than m keys of a person.

Cover: a record may keep the columns K where every set of at most m of them fits k originals, so its cheapest blanks hit
all its sets that do not; exact, tuple by tuple, over the 2^d sets of columns.

Class: every published combination of every m keys, blank being a value of its own, is that of k records; then so is
every combination of fewer. A search: from the cover's blanks, each record that is in too small a class on some sets of
m keys blanks the column that most of these sets have in common (per cost), until none is; then blanks are taken back
(`restoring.py`). Classes on all keys, with blanks taken back, are the other candidate. What records publish alike on m
keys they have alike but for blanks, so the cover's cost is a lower bound of the class's; its prices prove it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.suppression.cover import Cover
from discreet.suppression.restoring import BLANK, restored
from discreet.suppression.subsets import groupings, refine, set_costs, sorted_rows
from discreet.suppression.tuples import Tuples, tuples_of
from discreet.work import Deadline, Reporter

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]

_MOST_FLAGS = 400_000_000


def cover_combinations(tuples: Tuples, cost: Codes, k: int, m: int) -> Cover:
    """The cheapest blanks of each tuple after which every m of its keys fit k originals: exact."""
    rows, d = tuples.codes.shape
    everything = (1 << d) - 1
    if rows << d > _MOST_FLAGS:
        raise InputError(f"combinations of {m} out of {d} keys need too much memory for this file: name fewer keys")
    exposed = np.zeros((1 << d, rows), np.bool_)
    for blank, of, classes in groupings(tuples.codes):
        if (everything ^ blank).bit_count() <= m:
            exposed[everything ^ blank] = np.bincount(of, tuples.size, classes)[of] < k
    for kept in range(1 << d):
        for j in range(d):
            if kept >> j & 1:
                exposed[kept] |= exposed[kept ^ (1 << j)]
    costs = set_costs(cost)
    best, least = np.full(rows, -1, np.int64), np.zeros(rows, np.int64)
    for blank in np.argsort(costs, kind="stable"):
        chosen = (best < 0) & ~exposed[everything ^ blank]
        best[chosen], least[chosen] = blank, costs[blank]
    return Cover(best, least)


def class_combinations(
    codes: Codes, cost: Codes, k: int, m: int, start: Flags, deadline: Deadline, reporter: Reporter
) -> Flags:
    """Blanks under which every published combination of m keys is shared by k, from those at the start."""
    blank = start.copy()
    while True:
        hits, lonely = _exposed(codes, blank, k, m)
        if lonely is not None:
            blank[lonely] = True
        elif not hits.any():
            break
        reporter("combinations", cost=float((blank @ cost).sum()))
        rows = np.flatnonzero(hits.any(axis=1))
        if deadline.passed:
            blank[rows] |= hits[rows] > 0
        else:
            blank[rows, np.argmax(hits[rows] / cost, axis=1)] = True
    return restored(codes, blank, cost, k, m, deadline)


def _exposed(codes: Codes, blank: Flags, k: int, m: int) -> tuple[Codes, tuple[Codes, Codes] | None]:
    """In how many sets of m keys with too small a class each cell stands that is not blank.

    Where such a class is blank in the whole set nothing is left to blank but other records: these cells come second.
    """
    published = tuples_of(np.where(blank, BLANK, codes))
    hidden = published.codes == BLANK
    hits = np.zeros(published.codes.shape, np.int64)
    for columns, of, classes in _sets(published.codes, m):
        small = np.bincount(of, published.size, classes)[of] < k
        if not small.any():
            continue
        bare = small & hidden[:, columns].all(axis=1)
        if bare.any():
            missing = k - int(published.size[bare].sum())
            shown = (~blank[:, columns]).sum(axis=1)
            helpers = np.argsort(np.where(shown == 0, codes.shape[1] + 1, shown), kind="stable")[:missing]
            rows, places = np.meshgrid(helpers, columns, indexing="ij")
            return hits[published.of], (rows.ravel().astype(np.int64), places.ravel().astype(np.int64))
        for j in columns:
            hits[:, j] += small & ~hidden[:, j]
    return hits[published.of], None


def _sets(codes: Codes, m: int) -> Iterator[tuple[list[int], Codes, int]]:
    """The classes of rows on every set of m columns."""
    rows, d = codes.shape
    columns = [np.ascontiguousarray(codes[:, j]) for j in range(d)]
    orders = [sorted_rows(column) for column in columns]

    def walk(chosen: list[int], of: Codes, classes: int, free: int) -> Iterator[tuple[list[int], Codes, int]]:
        if len(chosen) == m:
            yield chosen, of, classes
            return
        for j in range(m - len(chosen) - 1, free):
            finer, number = refine(of, classes, columns[j], orders[j])
            yield from walk([*chosen, j], finer, number, j)

    return walk([], np.zeros(rows, np.int64), min(rows, 1), d)
