"""Pooling: the best partition that can be made of groups seen in good partitions.

Every group of every partition in the pool is a column of a set-partitioning problem,

    minimize Σ_G SSE(G)·y_G   subject to   Σ_{G ∋ x} y_G = 1 for every record x,   y binary,

solved by HiGHS from the best partition known. The optimum combines the good parts of different partitions
and is never worse than the best of them. The search is bounded by nodes, not by seconds: the same pool gives
the same answer.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numba import njit
from numpy.typing import NDArray

from discreet.microaggregation.problem import Floats, Labels, group_means, group_sse
from discreet.solvers.mip import solve_mip


class Pool:
    """Distinct groups with their SSE, as columns of a sparse matrix: `members[ends[c−1] : ends[c]]` is group
    c.

    A group is known by the sum of random 64-bit keys of its records; should two groups collide, the second
    is merely not added."""

    def __init__(self, points: Floats, *, most: int = 60_000) -> None:
        self._points = points
        self._keys = np.random.default_rng(0).integers(0, 2**63, len(points), dtype=np.int64).astype(np.uint64)
        self._seen: set[int] = set()
        self._members: list[Labels] = []
        self._sizes: list[Labels] = []
        self._costs: list[Floats] = []
        self._most = most

    def __len__(self) -> int:
        return len(self._seen)

    @property
    def full(self) -> bool:
        return len(self._seen) >= self._most

    def add(self, labels: Labels) -> int:
        """Take in the groups of a partition with labels 0 .. g−1; returns how many were new."""
        groups = int(labels.max()) + 1
        sizes = np.bincount(labels, minlength=groups)
        costs = group_sse(self._points, labels, group_means(self._points, labels, groups))
        names = _names(self._keys, labels, groups)
        new = np.zeros(groups, bool)
        for p, name in enumerate(names.tolist()):
            if sizes[p] and name not in self._seen:
                self._seen.add(name)
                new[p] = True
        order = np.argsort(labels, kind="stable")
        self._members.append(order[np.repeat(new, sizes)])
        self._sizes.append(sizes[new])
        self._costs.append(costs[new])
        return int(new.sum())

    def columns(self) -> tuple[Floats, Labels, Labels]:
        """Cost of every group, its members one after another, and where each group ends."""
        return (
            np.concatenate(self._costs),
            np.concatenate(self._members),
            np.cumsum(np.concatenate(self._sizes)),
        )

    def combine(
        self, best: Labels, *, nodes: int = 20, time_limit: float | None = None, gap: float = 0.0
    ) -> tuple[Labels, int]:
        """The best partition made of pooled groups, from the partition `best`; and the nodes it took."""
        self.add(best)
        costs, members, ends = self.columns()
        n, count = len(self._points), len(costs)
        matrix = sp.csc_matrix((np.ones(len(members)), members, np.concatenate([[0], ends])), shape=(n, count))
        chosen = _contained(members, ends, best)
        solution = solve_mip(
            costs,
            matrix,
            np.ones(n),
            np.ones(n),
            start=chosen.astype(np.float64),
            node_limit=nodes,
            time_limit=time_limit,
            relative_gap=gap,
        )
        if solution.x is None:
            return best, solution.nodes
        taken = solution.x > 0.5
        owner = np.repeat(np.arange(count), np.diff(ends, prepend=0))
        kept = taken[owner]
        labels = np.full(n, -1, np.int64)
        labels[members[kept]] = owner[kept]
        if kept.sum() != n or labels.min() < 0 or costs[taken].sum() >= costs[chosen].sum():
            return best, solution.nodes
        return np.unique(labels, return_inverse=True)[1].astype(np.int64), solution.nodes


@njit(cache=True, nogil=True)
def _names(keys: NDArray[np.uint64], labels: Labels, groups: int) -> NDArray[np.uint64]:
    out = np.zeros(groups, np.uint64)
    for x in range(labels.size):
        out[labels[x]] += keys[x]
    return out


def _contained(members: Labels, ends: Labels, labels: Labels) -> NDArray[np.bool_]:
    """Which groups of the pool are groups of the partition."""
    starts = np.concatenate([[0], ends[:-1]])
    sizes = ends - starts
    owner = np.repeat(np.arange(len(ends)), sizes)
    agree = labels[members] == labels[members[starts]][owner]
    alike = np.bincount(owner[agree], minlength=len(ends)) == sizes
    return alike & (np.bincount(labels)[labels[members[starts]]] == sizes)
