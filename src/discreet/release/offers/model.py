"""A secret table and all that is public of it, as an additive problem: what the audit of published tables decides on.

The cells of the table are hidden. Σ of the cells that share a category of a released margin is its count: a relation. A
count that is told within a box is a cell of its own, with that box. A cell with a true count of 1 … c is sensitive and
asks for a sliding level w: the ends of what is possible must be at least w apart, which is the server's rule.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.release.frontier import axes_of
from discreet.release.offers.partial import Partial
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY, Cells, Problem, Relations

Ints = NDArray[np.int64]


def places(shape: tuple[int, ...], mask: int) -> Ints:
    """For each cell of the table the place of the count that it belongs to in the margin over `mask`."""
    axes = axes_of(mask)
    found = np.zeros(shape, np.int64)
    for axis in axes:
        found = found * shape[axis] + np.arange(shape[axis]).reshape(
            [-1 if a == axis else 1 for a in range(len(shape))]
        )
    return found.reshape(-1)


def margin_counts(counts: Ints, shape: tuple[int, ...], mask: int) -> Ints:
    """The counts of a margin, in the order of its places."""
    size = int(np.prod([shape[axis] for axis in axes_of(mask)], dtype=np.int64))
    return np.bincount(places(shape, mask), counts, size).astype(np.int64)


def posed(
    counts: Ints,
    shape: tuple[int, ...],
    released: Sequence[int],
    partials: Sequence[Partial],
    rule: tuple[int, int],
    asked: int | None = None,
) -> Problem:
    """The problem for counts in flat order, released margins, parts of margins, and the rule (c, w).

    `asked` is a margin whose counts may be told or hidden: they are the last cells, in the order of its places.
    """
    c, w = rule
    n, total = counts.size, int(counts.sum())
    sensitive = (counts >= 1) & (counts <= c)
    builder = _Builder(n)
    for mask in released:
        builder.relate(places(shape, mask), margin_counts(counts, shape, mask))
    for partial in partials:
        own = margin_counts(counts, shape, partial.mask)
        builder.box(places(shape, partial.mask), own, *partial.boxes(own))
    if asked is not None:
        own = margin_counts(counts, shape, asked)
        builder.box(places(shape, asked), own, np.zeros_like(own), np.full_like(own, total), FREE)
    value, low, high, status = (
        (np.concatenate(part) for part in zip(*builder.extra)) if builder.extra else [counts[:0]] * 4
    )
    zeros = np.zeros(n + value.size, np.int64)
    cells = Cells(
        np.concatenate([counts, value]),
        np.concatenate([np.zeros(n, np.int64), low]),
        np.concatenate([np.full(n, total, np.int64), high]),
        (np.arange(zeros.size) >= n).astype(np.int64),
        np.concatenate([np.where(sensitive, PRIMARY, SECONDARY), status]).astype(np.int8),
        zeros,
        zeros,
        np.concatenate([np.where(sensitive, w, 0), np.zeros_like(value)]).astype(np.int64),
    )
    return Problem(cells, builder.relations())


class _Builder:
    """Relations of counts to cells of the table, and further cells."""

    def __init__(self, cells: int) -> None:
        self.cells = cells
        self.extra: list[tuple[Ints, Ints, Ints, Ints]] = []
        self.rows: list[list[int]] = []
        self.signs: list[list[int]] = []
        self.right: list[int] = []

    def relate(self, place: Ints, own: Ints) -> None:
        """The counts are told."""
        for at, members in enumerate(_members(place, own.size)):
            self.rows.append(members)
            self.signs.append([1] * len(members))
            self.right.append(int(own[at]))

    def box(self, place: Ints, own: Ints, low: Ints, high: Ints, status: int = SECONDARY) -> None:
        """The counts are cells, within boxes; those whose box is a point are told."""
        known = (low == high) & (status == SECONDARY)
        for at, members in enumerate(_members(place, own.size)):
            if known[at]:
                self.rows.append(members)
                self.signs.append([1] * len(members))
                self.right.append(int(own[at]))
        chosen = np.flatnonzero(~known)
        groups = _members(place, own.size)
        for cell, at in enumerate(chosen.tolist(), start=self.cells):
            self.rows.append([*groups[at], cell])
            self.signs.append([1] * len(groups[at]) + [-1])
            self.right.append(0)
        self.cells += chosen.size
        self.extra.append((own[chosen], low[chosen], high[chosen], np.full(chosen.size, status, np.int64)))

    def relations(self) -> Relations:
        start = np.cumsum([0, *map(len, self.rows)]).astype(np.int64)
        cell = np.array([c for row in self.rows for c in row], np.int64)
        sign = np.array([s for row in self.signs for s in row], np.int8)
        return Relations(start, cell, sign, np.array(self.right, np.int64))


def _members(place: Ints, size: int) -> list[list[int]]:
    """The cells of each place."""
    order = np.argsort(place, kind="stable")
    ends = np.searchsorted(place[order], np.arange(size + 1))
    return [order[ends[at] : ends[at + 1]].tolist() for at in range(size)]
