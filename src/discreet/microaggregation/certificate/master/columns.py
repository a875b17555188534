"""The pool of groups that the restricted master may choose from, without repetition."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from discreet.microaggregation.certificate.space import Floats, Ints, Space, group_costs
from discreet.microaggregation.groups import Groups, groups_of, normalized, reduced_costs, take
from discreet.microaggregation.problem import Labels


class Columns:
    """`Groups` that grow, each known by its members."""

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
        return reduced_costs(self.groups, multipliers)

    @property
    def groups(self) -> Groups:
        return Groups(self.members, self.sizes, self.costs)

    def subset(self, rows: Iterable[int]) -> Groups:
        return take(self.groups, np.asarray(list(rows), np.int64))

    def _grow(self) -> None:
        more = 2 * len(self._sizes)
        for name in ("_members", "_sizes", "_costs"):
            old = getattr(self, name)
            new = np.full((more, *old.shape[1:]), -1, old.dtype)
            new[: self.count] = old
            setattr(self, name, new)
