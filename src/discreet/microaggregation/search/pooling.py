"""Pooling: the best partition that can be made of groups seen in good partitions.

Every group of every partition in the pool is a column of a set-partitioning problem,

    minimize Σ_G SSE(G)·y_G   subject to   Σ_{G ∋ x} y_G = 1 for every record x,   y binary,

solved by HiGHS from the best partition known. The optimum combines the good parts of different partitions
and is never worse than the best of them. The search is bounded by nodes, not by seconds: the same pool gives
the same answer.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.microaggregation.groups import Groups, groups_of, incidence, joined, labels_of, take
from discreet.microaggregation.problem import Floats, Labels, group_means, group_sse
from discreet.solvers.mip import Tuning, solve_mip

# Groups beyond which a pool is full, and nodes of a search.
MOST = 60_000
NODES = 20


class Pool:
    """Distinct groups with their SSE.

    A group is known by the sum of random 64-bit keys of its records; should two groups collide, the second
    is merely not added."""

    def __init__(self, points: Floats) -> None:
        self._points = points
        self._keys = np.random.default_rng(0).integers(0, 2**63, len(points), dtype=np.int64).astype(np.uint64)
        self._seen: set[int] = set()
        self._parts: list[Groups] = []

    def __len__(self) -> int:
        return len(self._seen)

    @property
    def full(self) -> bool:
        return len(self._seen) >= MOST

    def add(self, labels: Labels) -> int:
        """Take in the groups of a partition with labels 0 .. g−1; returns how many were new."""
        groups = int(labels.max()) + 1
        costs = group_sse(self._points, labels, group_means(self._points, labels, groups))
        members, sizes = groups_of(labels, int(np.bincount(labels).max()))
        new = np.zeros(groups, bool)
        for p, name in enumerate(_names(self._keys, labels, groups).tolist()):
            if name not in self._seen:
                self._seen.add(name)
                new[p] = True
        self._parts.append(take(Groups(members, sizes, costs), new))
        return int(new.sum())

    @property
    def groups(self) -> Groups:
        return joined(*self._parts)

    def combine(self, best: Labels, *, time_limit: float | None = None) -> tuple[Labels, int]:
        """The best partition made of pooled groups, from the partition `best`; and the nodes it took."""
        self.add(best)
        groups, n = self.groups, len(self._points)
        chosen = _contained(groups, best)
        solution = solve_mip(
            groups.costs,
            incidence(groups, n),
            np.ones(n),
            np.ones(n),
            start=chosen.astype(np.float64),
            node_limit=NODES,
            time_limit=time_limit,
            tuning=Tuning(relative_gap=0.0),
        )
        if solution.x is None:
            return best, solution.nodes
        taken = solution.x > 0.5
        labels = labels_of(groups.members[taken], n)
        whole = labels.min() >= 0 and groups.sizes[taken].sum() == n
        if not whole or groups.costs[taken].sum() >= groups.costs[chosen].sum():
            return best, solution.nodes
        return labels, solution.nodes


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _names(keys: NDArray[np.uint64], labels: Labels, groups: int) -> NDArray[np.uint64]:
    out = np.zeros(groups, np.uint64)
    for x in range(labels.size):
        out[labels[x]] += keys[x]
    return out


def _contained(groups: Groups, labels: Labels) -> NDArray[np.bool_]:
    """Which groups of the pool are groups of the partition."""
    first = labels[groups.members[:, 0]]
    agree = (labels[groups.members] == first[:, None]) | (groups.members < 0)
    return agree.all(axis=1) & (np.bincount(labels)[first] == groups.sizes)
