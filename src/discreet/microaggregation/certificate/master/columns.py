"""The pool of groups that the restricted master may choose from, without repetition."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from discreet.microaggregation.certificate.space import Floats, Ints, Space, group_costs
from discreet.microaggregation.problem import Labels


class Columns:
    """Groups as rows of sorted members padded with −1, their sizes and SSE."""

    def __init__(self, space: Space, width: int) -> None:
        self._space = space
        self._known: dict[bytes, int] = {}
        self._members = np.full((1024, width), -1, np.int32)
        self._sizes = np.zeros(1024, np.int32)
        self._costs = np.zeros(1024)
        self.count = 0

    @property
    def members(self) -> Ints:
        return self._members[: self.count]

    @property
    def sizes(self) -> Ints:
        return self._sizes[: self.count]

    @property
    def costs(self) -> Floats:
        return self._costs[: self.count]

    def add(self, members: Ints, sizes: Ints) -> Ints:
        """Take groups in; returns the rows of those that are new."""
        if len(sizes) == 0:
            return np.zeros(0, np.int32)
        width = self._members.shape[1]
        rows = normalized(members, width)
        costs = group_costs(self._space.distance, rows, np.ascontiguousarray(sizes, np.int32))
        fresh = []
        for g in range(len(sizes)):
            key = rows[g].tobytes()
            if key in self._known:
                continue
            if self.count == len(self._sizes):
                self._grow()
            self._known[key] = self.count
            self._members[self.count] = rows[g]
            self._sizes[self.count] = sizes[g]
            self._costs[self.count] = costs[g]
            fresh.append(self.count)
            self.count += 1
        return np.array(fresh, np.int32)

    def add_partition(self, labels: Labels) -> Ints:
        return self.add(*groups_of(labels, self._members.shape[1]))

    def rows_of(self, labels: Labels) -> list[int]:
        """The rows of a partition's groups; they must have been added."""
        return self.rows(groups_of(labels, self._members.shape[1])[0]).tolist()

    def rows(self, members: Ints) -> Ints:
        """The rows of groups that have been added."""
        return np.array([self._known[row.tobytes()] for row in normalized(members, self._members.shape[1])], np.int32)

    def reduced(self, multipliers: Floats) -> Floats:
        """Reduced costs of all columns, cuts left out."""
        padded = np.append(multipliers, 0.0)
        out: Floats = self.costs - padded[self.members].sum(axis=1)
        return out

    def subset(self, rows: Iterable[int]) -> tuple[Ints, Ints, Floats]:
        chosen = np.asarray(list(rows), np.int64)
        return self.members[chosen], self.sizes[chosen], self.costs[chosen]

    def _grow(self) -> None:
        more = 2 * len(self._sizes)
        for name in ("_members", "_sizes", "_costs"):
            old = getattr(self, name)
            new = np.full((more, *old.shape[1:]), -1, old.dtype)
            new[: self.count] = old
            setattr(self, name, new)


def normalized(members: Ints, width: int) -> Ints:
    """Every row sorted, with its padding of −1 at the end."""
    rows = np.full((len(members), width), np.iinfo(np.int32).max, np.int32)
    rows[:, : members.shape[1]] = np.where(members < 0, np.iinfo(np.int32).max, members)
    rows.sort(axis=1)
    rows[rows == np.iinfo(np.int32).max] = -1
    return rows


def groups_of(labels: Labels, width: int) -> tuple[Ints, Ints]:
    """The groups of a partition as rows of members, and their sizes."""
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels).astype(np.int32)
    sizes = sizes[sizes > 0]
    members = np.full((sizes.size, width), -1, np.int32)
    members[np.arange(width) < sizes[:, None]] = order
    return members, sizes


def labels_of(members: Ints, n: int) -> Labels:
    """Labels of the partition whose groups are the rows of `members`."""
    labels = np.full(n, -1, np.int64)
    for g, row in enumerate(members):
        labels[row[row >= 0]] = g
    return labels
