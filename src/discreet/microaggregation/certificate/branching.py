"""The best partition into listed groups, by branch and cut on pairs of records.

The linear relaxation over the groups, with cuts of rank 1 (`listed_lp`); where it is fractional, two records that share
weight strictly between 0 and 1 are held together in one branch and apart in the other (Ryan and Foster 1981). A pair is
chosen by trying: a few simplex steps in both branches, remembered for the next time. Groups whose reduced cost exceeds
what is left below the target are dropped, in every branch again. The bounds do not rest on the solver.
"""

from __future__ import annotations

import heapq
from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np

from discreet.microaggregation.certificate.listed_lp import Bools, ListedLP, Pair
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.certificate.standing import Cut
from discreet.microaggregation.problem import Labels
from discreet.scale import ordered_map
from discreet.work import Deadline

# Pairs tried at a node, simplex steps each, and after how many trials the mean gain is trusted.
TRIED = 8
STEPS = 30
TRUSTED = 1
# Rounds of cuts at the root: below it, small programs that are solved fast do better than cuts.
ROOT_ROUNDS = 3
# So many branches are shared out among threads, some at a time: what one wave finds, the next one knows.
SHARES = 64
WAVE = 8


class Branched(NamedTuple):
    """`bound`: no partition into the groups is below it. `labels`: the best partition below the target, or None."""

    bound: float
    labels: Labels | None
    value: float
    nodes: int


class _Node(NamedTuple):
    allowed: Bools
    basis: Any
    depth: int


def branch(
    members: Ints,
    sizes: Ints,
    costs: Floats,
    n: int,
    *,
    cuts: tuple[Cut, ...] = (),
    target: float,
    slack: float,
    node_limit: int,
    deadline: Deadline,
    pool: Executor | None = None,
) -> Branched:
    """Search for a partition below `target`.

    Unless nodes or time ran out, the bound is at least the best value (or the target) less `slack`. The first branches
    are opened here, the rest of the work is shared out: the same for any number of threads.
    """
    tree = _Tree(members, sizes, costs, n, cuts, target, slack, deadline)
    first = tree.run(node_limit, SHARES, pool)
    groups = tree.groups
    found = [first]
    for wave in range(0, len(tree.waiting), WAVE):
        best = min(part.value for part in found)
        left = node_limit - sum(part.nodes for part in found)
        tasks = [
            (
                groups.members[node.allowed], groups.sizes[node.allowed], groups.costs[node.allowed], n,
                tuple(groups.cuts), best, slack, deadline, max(1, left // WAVE),
                dict(tree.gains), bound,
            )
            for bound, _, node in tree.waiting[wave : wave + WAVE]
        ]  # fmt: skip
        found += ordered_map(pool, _subtree, tasks)
    best_part = min(found, key=lambda part: part.value)
    bound = min(part.bound for part in found)
    return Branched(bound, best_part.labels, best_part.value, sum(part.nodes for part in found))


def _subtree(
    members: Ints,
    sizes: Ints,
    costs: Floats,
    n: int,
    cuts: tuple[Cut, ...],
    target: float,
    slack: float,
    deadline: Deadline,
    node_limit: int,
    gains: dict[tuple[Pair, bool], list[float]],
    bound: float,
) -> Branched:
    tree = _Tree(members, sizes, costs, n, cuts, target, slack, deadline)
    tree.gains = {which: list(seen) for which, seen in gains.items()}
    tree.rounds = 0
    done = tree.run(node_limit)
    return done._replace(bound=max(done.bound, bound))


class _Tree:
    def __init__(
        self,
        members: Ints,
        sizes: Ints,
        costs: Floats,
        n: int,
        cuts: tuple[Cut, ...],
        target: float,
        slack: float,
        deadline: Deadline,
    ) -> None:
        self.slack, self.deadline = slack, deadline
        self.best = target
        self.labels: Labels | None = None
        self.gains: dict[tuple[Pair, bool], list[float]] = {}
        self.rounds = ROOT_ROUNDS
        self.groups = ListedLP(members, sizes, costs, n, cuts, target)

    def run(self, node_limit: int, shares: int = 0, pool: Executor | None = None) -> Branched:
        """Open branches until none is left: that of least bound, and on from there; or, by least bound alone, until
        `shares` > 0 of them are left for others."""
        root = _Node(self.groups.everything(), None, 0)
        self.waiting: list[tuple[float, int, _Node]] = [(-np.inf, 0, root)]
        waiting = self.waiting
        nodes, made = 0, 1
        lowest = np.inf  # least bound among the branches that were left
        following: tuple[float, _Node] | None = None
        while waiting or following:
            if following:
                (bound, node), following = following, None
            else:
                bound, _, node = heapq.heappop(waiting)
            if bound >= self.best - self.slack:
                lowest = min(lowest, bound)
                continue
            if nodes >= node_limit or self.deadline.passed:
                heapq.heappush(waiting, (bound, 0, node))
                break
            nodes += 1
            bound, children = self._open(node, bound, pool)
            if children is None:
                lowest = min(lowest, bound)
                continue
            if not shares:
                # Down to the end on the side where the records are together: partitions are found there.
                following, *children = children
            for value, child in children:
                heapq.heappush(waiting, (max(bound, value), made, child))
                made += 1
            if shares and len(waiting) >= shares:
                # Others will go on from these.
                return Branched(min(lowest, self.best), self.labels, self.best, nodes)
        lowest = min([lowest, self.best, *(bound for bound, _, _ in waiting)])
        self.waiting = []
        return Branched(lowest, self.labels, self.best, nodes)

    def _open(
        self, node: _Node, inherited: float, pool: Executor | None
    ) -> tuple[float, list[tuple[float, _Node]] | None]:
        """The bound of a node and its children; None where nothing better is below it."""
        groups, allowed = self.groups, node.allowed
        groups.allow(allowed)
        if node.basis is not None:
            groups.lp.restore(node.basis)
        bound = inherited
        rounds = self.rounds if node.depth == 0 else 0
        while True:
            solution = groups.lp.solve(self.deadline.remaining)
            fresh, reduced = groups.bound(solution.duals, allowed)
            bound = max(bound, fresh)
            if not solution.solved:
                return bound, [(bound, node)] if bound < self.best - self.slack else None
            if bound >= self.best - self.slack:
                return bound, None
            x = solution.x[groups.n :]
            if fresh == bound:
                allowed = allowed & ((reduced < self.best - bound) | (x > 1e-9))
                groups.allow(allowed)
            if groups.is_whole(solution):
                self._take(x)
                return bound, None
            if rounds == 0 or not groups.separate(x, pool):
                break
            rounds -= 1
        if node.depth == 0:
            x = groups.compact(allowed, solution.duals)
            allowed = groups.everything()
        return self._children(_Node(allowed, groups.lp.basis(), node.depth), x, solution.value, bound)

    def _take(self, x: Floats) -> None:
        found = self.groups.partition(x)
        if found is not None and found[1] < self.best:
            self.labels, self.best = found

    def _children(
        self, node: _Node, x: Floats, value: float, bound: float
    ) -> tuple[float, list[tuple[float, _Node]] | None]:
        """Both sides of the pair that raises the bound most; a side that cannot be below the target is left out."""
        groups = self.groups
        best: tuple[float, Pair] | None = None
        for pair in self._pairs(x):
            gains = []
            for together in (True, False):
                seen = self.gains.setdefault((pair, together), [])
                if len(seen) < TRUSTED:
                    groups.allow(groups.side(node.allowed, pair, together))
                    groups.lp.restore(node.basis)
                    seen.append(min(max(groups.lp.glance(STEPS) - value, 0.0), 2.0 * (self.best - value)))
                gains.append(sum(seen) / len(seen))
            score = max(gains[0], 1e-9) * max(gains[1], 1e-9)
            if best is None or score > best[0]:
                best = score, pair
        if best is None:
            return bound, None
        _, pair = best
        return bound, [
            (bound, _Node(groups.side(node.allowed, pair, together), node.basis, node.depth + 1))
            for together in (True, False)
        ]

    def _pairs(self, x: Floats) -> list[Pair]:
        """The pairs whose shared weight is nearest to one half."""
        shared = self.groups.shared(x)
        split = [pair for pair, z in shared.items() if 1e-4 < z < 1 - 1e-4]
        return sorted(split, key=lambda pair: (abs(shared[pair] - 0.5), pair))[:TRIED]
