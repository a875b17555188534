"""What the release server needs of the room of tables with totals, in its own terms: no other file here imports it.

A secret table and all that is public of it are an additive problem. The cells of the table are hidden. Σ of the cells
that share a category of a released margin is its count: a relation. A count that is told within a box is a cell of its
own, with that box. A cell with a true count of 1 … c is sensitive and asks for a sliding level w: the ends of what is
possible must be at least w apart, which is the server's rule. Proofs are in whole numbers, on both sides; what neither
side proves stays open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.release.engine import CellBounds
from discreet.release.frontier import axes_of
from discreet.release.offers.partial import Partial
from discreet.tabular.audit import audit, protects
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY, Cells, Problem, Relations
from discreet.tabular.suppress import Conflict, requirements_of, suppress
from discreet.work import Deadline, Reporter

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Public:
    """A secret table, counts in flat order, and what is public of it: whole margins and parts of margins."""

    counts: Ints
    shape: tuple[int, ...]
    released: Sequence[int]
    partials: Sequence[Partial]

    @cached_property
    def most(self) -> int:
        """What no count exceeds: the total, where a released margin tells it; else one that leaves room."""
        total = int(self.counts.sum())
        return total if self.released else 4 * total + 1000

    def margin(self, mask: int) -> Ints:
        """The counts of a margin, in the order of its places."""
        apart = tuple(axis for axis in range(len(self.shape)) if not mask >> axis & 1)
        return np.asarray(self.counts.reshape(self.shape).sum(axis=apart)).reshape(-1)


def places(shape: tuple[int, ...], mask: int) -> Ints:
    """For each cell of the table the place of the count that it belongs to in the margin over `mask`."""
    found = np.zeros(shape, np.int64)
    for axis in axes_of(mask):
        along = [-1 if a == axis else 1 for a in range(len(shape))]
        found = found * shape[axis] + np.arange(shape[axis]).reshape(along)
    return found.reshape(-1)


def keeps_rule(public: Public, c: int, w: int, deadline: Deadline) -> bool | None:
    """Whether every sensitive cell keeps its width, given all that is public; None where that was not settled."""
    found = protects(_posed(public, c, w), deadline=deadline)
    if found.exposed:
        return False
    return None if found.undecided or not found.complete else True


def fewest_hidden(public: Public, mask: int, c: int, w: int, deadline: Deadline) -> tuple[Ints | None, bool]:
    """Places of the fewest counts of a margin that must be hidden, and whether the search was finished.

    Places are None where none was found in time, or where hiding all of them would not do either. The pattern is one
    by the word of linear programs: `keeps_rule` decides about it.
    """
    problem = _posed(public, c, w, asked=mask)
    found = suppress(problem, requirements_of(problem), deadline, Reporter(None))
    if found is None or isinstance(found, Conflict):
        return None, found is not None
    size = public.margin(mask).size
    return np.flatnonzero(found.hidden[problem.cells.n - size :]), found.status != "time limit"


def cell_ends(public: Public, cells: Ints, deadline: Deadline) -> CellBounds:
    """What is possible of some cells, as far as it is settled in time."""
    found = audit(_posed(public, 0, 0), deadline=deadline)
    place = np.full(public.counts.size, -1, np.int64)
    inside = found.cell < public.counts.size
    place[found.cell[inside]] = np.flatnonzero(inside)
    at, known = place[cells], place[cells] < 0  # a cell that is not in it is fixed by what is public

    def ends(values: Ints) -> Ints:
        return np.where(known, public.counts[cells], values[at])

    return CellBounds(ends(found.lower), ends(found.upper), known | found.sharp[at])


def _posed(public: Public, c: int, w: int, asked: int | None = None) -> Problem:
    """The problem of a rule: cells of 1 … c ask for the width w.

    `asked` is a margin whose counts may be told or hidden: they are the last cells, in the order of its places.
    """
    counts = public.counts
    n, sensitive = counts.size, (counts >= 1) & (counts <= c)
    rows = _Rows(n)
    for mask in public.released:
        rows.relate(places(public.shape, mask), public.margin(mask))
    for partial in public.partials:
        own = public.margin(partial.mask)
        rows.box(places(public.shape, partial.mask), own, *partial.boxes(own, public.most))
    if asked is not None:
        own = public.margin(asked)
        rows.box(places(public.shape, asked), own, np.zeros_like(own), np.full_like(own, public.most), FREE)
    value, low, high, status = (np.concatenate(part) for part in zip(_NONE, *rows.extra))
    zeros = np.zeros(n + value.size, np.int64)
    cells = Cells(
        np.concatenate([counts, value]),
        np.concatenate([np.zeros(n, np.int64), low]),
        np.concatenate([np.full(n, public.most, np.int64), high]),
        (np.arange(zeros.size) >= n).astype(np.int64),
        np.concatenate([np.where(sensitive, PRIMARY, SECONDARY), status]).astype(np.int8),
        zeros,
        zeros,
        np.concatenate([np.where(sensitive, w, 0), np.zeros_like(value)]),
    )
    return Problem(cells, rows.relations())


_NONE = (np.zeros(0, np.int64),) * 4


@dataclass
class _Rows:
    """Relations of counts to cells of the table, and the further cells of counts that are not told."""

    cells: int
    extra: list[tuple[Ints, Ints, Ints, Ints]] = field(default_factory=list)
    members: list[Ints] = field(default_factory=list)
    signs: list[Ints] = field(default_factory=list)
    right: list[int] = field(default_factory=list)

    def relate(self, place: Ints, own: Ints) -> None:
        """The counts are told."""
        for group, count in zip(_groups(place, own.size), own.tolist()):
            self._add(group, np.ones(group.size, np.int64), count)

    def box(self, place: Ints, own: Ints, low: Ints, high: Ints, status: int = SECONDARY) -> None:
        """The counts are cells, within boxes; those whose box is a point are told, unless that is still open."""
        known = (low == high) & (status == SECONDARY)
        chosen, groups = np.flatnonzero(~known), _groups(place, own.size)
        for at in np.flatnonzero(known).tolist():
            self._add(groups[at], np.ones(groups[at].size, np.int64), int(own[at]))
        for cell, at in enumerate(chosen.tolist(), start=self.cells):
            signs = np.append(np.ones(groups[at].size, np.int64), -1)
            self._add(np.append(groups[at], cell), signs, 0)
        self.cells += chosen.size
        self.extra.append((own[chosen], low[chosen], high[chosen], np.full(chosen.size, status, np.int64)))

    def _add(self, members: Ints, signs: Ints, right: int) -> None:
        self.members.append(members)
        self.signs.append(signs)
        self.right.append(right)

    def relations(self) -> Relations:
        start = np.cumsum([0, *(row.size for row in self.members)]).astype(np.int64)
        cell = np.concatenate([_NONE[0], *self.members])
        sign = np.concatenate([_NONE[0], *self.signs]).astype(np.int8)
        return Relations(start, cell, sign, np.array(self.right, np.int64))


def _groups(place: Ints, size: int) -> list[Ints]:
    """The cells of each place."""
    order = np.argsort(place, kind="stable")
    ends = np.searchsorted(place[order], np.arange(size + 1))
    return [order[ends[at] : ends[at + 1]] for at in range(size)]


def warm_up() -> None:
    """Have everything compiled that an offer may need."""
    counts = np.array([1, 4, 6, 2, 5, 7, 3, 9], np.int64)
    public = Public(counts, (2, 2, 2), [0b011], [Partial(0b101, "round", (), 3)])
    fewest_hidden(public, 0b111, 2, 3, Deadline(60.0))
    keeps_rule(public, 2, 3, Deadline(60.0))
    cell_ends(public, np.arange(8), Deadline(60.0))
