"""The best node of the lattice of global recoding, proven: one level per column, k records in every class, least loss.

A node gives every column a level; records fall into classes by the groups that stand for their values. Wider groups
only join classes, so whatever is above a node that holds (k records, l known values in every class) holds too, and
whatever is below one that fails fails too. Loss rises with every level. The search keeps a list F of nodes that fail:

1. Take the cheapest node v that is below none of F. Nodes below some f in F are passed over: to leave the cone of f, v
   has to rise above f in one of the columns, so its successors are the d nodes v with level f_c + 1 in column c, and a
   queue by loss finds v without ever listing the lattice.
2. If v holds, nothing cheaper does: v is the best node, and F the proof.
3. Otherwise raise v, column after column, to a greatest node that fails, put that into F, and go on.

Nodes that hold, met on the way in step 3, bound the loss from above. (Predictive tagging by monotony: P. Samarati,
"Protecting respondents' identities in microdata release", 2001; K. El Emam et al., "A globally optimal
k-anonymity method for the de-identification of health data", 2009; F. Kohlmayer et al., "Flash", 2012. Cheapest
candidate against a growing list of failures: the implicit hitting sets of E. Moreno-Centeno, R. Karp, 2013.)
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.generalization.domain import Codes, Integers
from discreet.generalization.recoding.levels import Levels
from discreet.methods import Status
from discreet.work import Deadline, Reporter

At = tuple[int, ...]

WIDEST = 2**62
"""Numbers of classes stay below this; they are numbered anew before they pass it."""


@dataclass(frozen=True)
class Node:
    """Where every column is published at `levels`; `labels[i]` is the class of record i.

    `loss` is the mean over columns. `status` is "optimal" where no node loses less: each node of the lattice (from the
    least levels up; `nodes` in all, of which `visited` were looked at) with a smaller loss than `lower_bound` is at or
    below a row of `failing`, and each row of `failing` has a class with too few records or values.
    """

    levels: At
    labels: Integers = field(repr=False)
    loss: float
    lower_bound: float
    nodes: int
    visited: int
    failing: Integers = field(repr=False)
    status: Status


def best_node(
    codes: Codes,
    levels: Sequence[Levels],
    k: int,
    *,
    values: Integers | None = None,
    l: int = 1,
    deadline: Deadline,
    report: Reporter,
) -> Node:
    """The node of least loss with at least k records, and l distinct known `values` (−1: not known), in every class."""
    _check(codes, levels, k, values, l)
    records = _Records(codes, levels, k, values if l > 1 else None, l)
    search = _Search(records, levels)
    if not search.holds(search.top):
        raise InputError(f"no class can hold {l} distinct known values: there are fewer in all; choose a smaller l")
    bound = search.run(deadline, report)
    best = search.best
    return Node(
        best,
        records.classes(best)[records.member],
        search.loss(best),
        bound,
        search.nodes,
        search.visited,
        search.failing,
        "optimal" if bound >= search.loss(best) else "time limit",
    )


def _check(codes: Codes, levels: Sequence[Levels], k: int, values: Integers | None, l: int) -> None:
    faults = Faults()
    n, d = codes.shape
    faults.check(d == len(levels) and d > 0, "give the levels of every column")
    faults.check(1 <= k <= n, f"k = {k} is larger than the number of records ({n}): choose a smaller k")
    faults.check(l <= 1 or values is not None, f"l = {l} needs the values that are to differ")
    for c, (column, own) in enumerate(zip(codes.T, levels)):
        height, size = own.groups.shape
        inside = column.size == 0 or (column.min() >= 0 and column.max() < size)
        faults.check(bool(inside), f"column {c}: codes must lie between 0 and the number of values")
        faults.check(own.loss.size == height and bool((np.diff(own.loss) >= 0).all()), f"column {c}: losses must rise")
        faults.check(0 <= own.least < height, f"column {c}: there is no level {own.least}")
        nested = all(_coarsens(below, above) for below, above in zip(own.groups[:-1], own.groups[1:]))
        faults.check(nested, f"column {c}: levels must be nested, each a union of groups of the level below")
        faults.check(bool((own.groups[-1] == own.groups[-1][:1]).all()), f"column {c}: the top level must be one group")
    faults.raise_if_any()


def _coarsens(below: Integers, above: Integers) -> bool:
    first = np.unique(below, return_index=True)[1]
    stands = np.zeros(below.max(initial=0) + 1, np.int64)
    stands[below[first]] = above[first]
    return bool((stands[below] == above).all())


class _Records:
    """The distinct records with their numbers, and the classes they fall into at a node."""

    def __init__(self, codes: Codes, levels: Sequence[Levels], k: int, values: Integers | None, l: int) -> None:
        known = np.zeros((codes.shape[0], 0), np.int64) if values is None else np.asarray(values)[:, None]
        rows = np.hstack([codes.astype(np.int64), np.maximum(known, -1)])
        distinct, member, times = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        self.member, self.times = member.ravel(), times
        self.groups = [own.groups[:, distinct[:, c]] for c, own in enumerate(levels)]
        self.values = None if values is None else np.unique(distinct[:, -1], return_inverse=True)[1]
        self.unknown = values is not None and bool((distinct[:, -1] < 0).any())
        self.k, self.l = k, l

    def classes(self, node: At) -> Integers:
        """The class of every distinct record, numbered from 0."""
        out = np.zeros(self.times.size, np.int64)
        size = 1
        for groups, level in zip(self.groups, node):
            group = groups[level]
            count = int(group.max()) + 1
            if size * count > WIDEST:
                out = np.unique(out, return_inverse=True)[1]
                size = int(out.max()) + 1
            out, size = out * count + group, size * count
        return np.unique(out, return_inverse=True)[1].astype(np.int64)

    def hold(self, node: At) -> bool:
        """Whether every class has k records and l known values."""
        found = self.classes(node)
        if np.bincount(found, self.times).min() < self.k:
            return False
        if self.values is None:
            return True
        known = self.values > 0 if self.unknown else np.ones(found.size, bool)
        width = int(self.values.max()) + 1
        pairs = np.unique(found[known] * width + self.values[known])
        return bool(np.bincount(pairs // width, minlength=int(found.max()) + 1).min() >= self.l)


class _Search:
    """What is known of the lattice so far: nodes that hold and the best of them, and greatest nodes that fail."""

    def __init__(self, records: _Records, levels: Sequence[Levels]) -> None:
        self.records = records
        self.losses = [own.loss / len(levels) for own in levels]
        self.bottom: At = tuple(own.least for own in levels)
        self.top: At = tuple(len(own.loss) - 1 for own in levels)
        self.nodes = int(np.prod([high - low + 1 for low, high in zip(self.bottom, self.top)], dtype=object))
        self.visited = 0
        self.holding = self.failing = np.zeros((0, len(levels)), np.int64)
        self.best = self.top
        # _above[c][h]: the loss of column c one level above h; there is none above the top.
        self._above = [np.append(loss[1:], np.inf) for loss in self.losses]

    def loss(self, node: At) -> float:
        return float(sum(loss[level] for loss, level in zip(self.losses, node)))

    def holds(self, node: At) -> bool:
        """By what is known of nodes above and below, else by looking at its classes."""
        if (self.failing >= node).all(axis=1).any():
            return False
        if (self.holding <= node).all(axis=1).any():
            return True
        self.visited += 1
        held = self.records.hold(node)
        if held:
            self.holding = np.vstack([self.holding, node])
            if self.loss(node) < self.loss(self.best):
                self.best = node
        return held

    def run(self, deadline: Deadline, report: Reporter) -> float:
        """Search to the end or the deadline; no node that loses less than what is returned holds."""
        queue = [(self.loss(self.bottom), self.bottom)]
        queued = {self.bottom}
        while queue and queue[0][0] < self.loss(self.best):
            bound, node = heapq.heappop(queue)
            if deadline.passed:
                return bound
            report("recoding", None, visited=self.visited, bound=bound)
            above = self._covering(node)
            if above is None:
                if self.holds(node):
                    return bound
                above = self._greatest(node)
                self.failing = np.vstack([self.failing, above])
            for c, level in enumerate(above):
                if level < self.top[c]:
                    risen = (*node[:c], level + 1, *node[c + 1 :])
                    if risen not in queued and self.loss(risen) < self.loss(self.best):
                        queued.add(risen)
                        heapq.heappush(queue, (self.loss(risen), risen))
        return self.loss(self.best)

    def _covering(self, node: At) -> At | None:
        """Of the failing nodes above `node`, that from which the way out is dearest; None where there are none."""
        covering = self.failing[(self.failing >= node).all(axis=1)]
        if not covering.size:
            return None
        ways: NDArray[np.float64] = np.stack(
            [above[covering[:, c]] - loss[node[c]] for c, (above, loss) in enumerate(zip(self._above, self.losses))]
        )
        return tuple(int(level) for level in covering[int(np.argmax(ways.min(axis=0)))])

    def _greatest(self, node: At) -> At:
        """A greatest failing node above a failing one: each column in turn as high as it goes.

        First those columns whose top loses least above their level now: a wide cone of cheap nodes is then done with.
        """
        rise = [float(loss[-1] - loss[level]) for loss, level in zip(self.losses, node)]
        for c in sorted(range(len(node)), key=lambda c: (rise[c], c)):
            low, high = node[c], self.top[c] + 1  # fails at low, and holds at high or there is none
            while high - low > 1:
                middle = (low + high) // 2
                if self.holds((*node[:c], middle, *node[c + 1 :])):
                    high = middle
                else:
                    low = middle
            node = (*node[:c], low, *node[c + 1 :])
        return node
