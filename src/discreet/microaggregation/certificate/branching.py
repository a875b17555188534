"""The best partition into listed groups, by branch and cut on pairs of records.

The linear relaxation over the groups, with cuts of rank 1; where it is fractional, two records that share weight
strictly between 0 and 1 are held together in one branch and apart in the other (Ryan and Foster 1981). A pair is chosen
by trying: a few simplex steps in both branches, remembered for the next time. Groups whose reduced cost exceeds what is
left below the target are dropped, in every branch again.

The bound of a branch does not rest on the solver: for any multipliers λ and penalties w ≥ 0, whatever they come from,

    SSE ≥ Σ_v λ_v − Σ_T w_T·rhs_T + Σ_C min(0, rc(C)) − what rounding may cost,

summed over the groups C that the branch allows. It is computed here from the listed groups themselves.
"""

from __future__ import annotations

import heapq
from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.microaggregation.certificate.columns import labels_of
from discreet.microaggregation.certificate.cuts import (
    coefficients,
    index_cuts,
    separate_rank_one,
    separate_triples,
    support_of,
)
from discreet.microaggregation.certificate.modular import separate_modular
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.certificate.standing import Cut
from discreet.microaggregation.problem import Labels
from discreet.scale import ordered_map
from discreet.solvers.master_lp import MasterLP
from discreet.work import Deadline

Bools = NDArray[np.bool_]
Pair = tuple[int, int]

# Pairs tried at a node, simplex steps each, and after how many trials the mean gain is trusted.
TRIED = 8
STEPS = 30
TRUSTED = 3
# Rounds of cuts at the root: below it, small programs that are solved fast do better than cuts.
ROOT_ROUNDS = 3
LEAST = 0.01
# So many branches are shared out among threads.
SHARES = 16


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
    first = tree.run(node_limit, SHARES)
    tasks = [
        (
            tree.members[node.allowed], tree.sizes[node.allowed], tree.costs[node.allowed], n,
            tuple(tree.cuts), tree.best, slack, deadline, max(1, (node_limit - first.nodes) // SHARES),
            dict(tree.gains),
        )
        for _, _, node in tree.waiting
    ]  # fmt: skip
    found = [first, *(ordered_map(pool, _subtree, tasks, ahead=4) if pool else (_subtree(*task) for task in tasks))]
    best = min(found, key=lambda part: part.value)
    return Branched(min(part.bound for part in found), best.labels, best.value, sum(part.nodes for part in found))


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
) -> Branched:
    tree = _Tree(members, sizes, costs, n, cuts, target, slack, deadline)
    tree.gains = {which: list(seen) for which, seen in gains.items()}
    tree.rounds = 0
    return tree.run(node_limit)


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
        self.n, self.slack, self.deadline = n, slack, deadline
        self.best = target
        self.labels: Labels | None = None
        self.gains: dict[tuple[Pair, bool], list[float]] = {}
        self.rounds = ROOT_ROUNDS
        self._build(members, sizes, costs, cuts)

    def _build(self, members: Ints, sizes: Ints, costs: Floats, cuts: tuple[Cut, ...]) -> None:
        """The program over the given groups and cuts, from scratch."""
        n = self.n
        self.members, self.sizes, self.costs = members, sizes, costs
        self.inside = np.zeros((n, len(sizes)), np.bool_)
        group, place = np.nonzero(members >= 0)
        self.inside[members[group, place], group] = True
        ones = np.ones(n)
        self.lp = MasterLP(ones, ones)
        # A record may stay out, at a price that no partition below the target would pay.
        self.lp.add_columns(
            np.full(n, 100.0 * abs(self.best) + 1.0),
            np.arange(n + 1, dtype=np.int32),
            np.arange(n, dtype=np.int32),
            ones,
        )
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        self.lp.add_columns(costs, start, members[members >= 0].astype(np.int32), np.ones(int(start[-1])))
        self.cuts: list[Cut] = []
        self.charges = np.zeros((0, len(sizes)))
        self._closed = np.zeros(len(sizes), np.bool_)
        if cuts:
            self._add_cuts(list(cuts))

    def _add_cuts(self, cuts: list[Cut]) -> None:
        m = len(self.sizes)
        start, cut, value = coefficients(self.members, self.sizes, index_cuts(cuts, self.n))
        rows = np.zeros((len(cuts), m))
        rows[cut, np.repeat(np.arange(m), np.diff(start))] = value
        at, group = np.nonzero(rows)
        begin = np.concatenate([[0], np.cumsum(np.bincount(at, minlength=len(cuts)))]).astype(np.int32)
        rhs = np.array([float(c.rhs) for c in cuts])
        self.lp.add_rows(np.full(len(cuts), -np.inf), rhs, begin, (self.n + group).astype(np.int32), rows[at, group])
        self.cuts += cuts
        self.charges = np.concatenate([self.charges, rows])

    def run(self, node_limit: int, shares: int = 0) -> Branched:
        """Open branches, that of least bound first, until none is left, or `shares` > 0 are left for others."""
        root = _Node(np.ones(len(self.sizes), np.bool_), None, 0)
        self.waiting: list[tuple[float, int, _Node]] = [(-np.inf, 0, root)]
        waiting = self.waiting
        nodes, made = 0, 1
        lowest = np.inf  # least bound among the branches that were left
        while waiting:
            bound, _, node = heapq.heappop(waiting)
            if bound >= self.best - self.slack:
                lowest = min(lowest, bound)
                continue
            if nodes >= node_limit or self.deadline.passed:
                heapq.heappush(waiting, (bound, 0, node))
                break
            nodes += 1
            bound, children = self._open(node, bound)
            if children is None:
                lowest = min(lowest, bound)
                continue
            for value, child in children:
                heapq.heappush(waiting, (max(bound, value), made, child))
                made += 1
            if shares and len(waiting) >= shares:
                # Others will find the bounds of these.
                return Branched(min(lowest, self.best), self.labels, self.best, nodes)
        lowest = min([lowest, self.best, *(bound for bound, _, _ in waiting)])
        self.waiting = []
        return Branched(lowest, self.labels, self.best, nodes)

    def _open(self, node: _Node, inherited: float) -> tuple[float, list[tuple[float, _Node]] | None]:
        """The bound of a node and its children; None where nothing better is below it."""
        allowed = node.allowed
        self._close(~allowed)
        if node.basis is not None:
            self.lp.restore(node.basis)
        bound = inherited
        rounds = self.rounds if node.depth == 0 else 0
        while True:
            solution = self.lp.solve(self.deadline.remaining)
            fresh, reduced = self._bound(solution.duals, allowed)
            bound = max(bound, fresh)
            if not solution.solved:
                return bound, [(bound, node)] if bound < self.best - self.slack else None
            if bound >= self.best - self.slack:
                return bound, None
            x = solution.x[self.n :]
            if fresh == bound:
                allowed = allowed & ((reduced < self.best - bound) | (x > 1e-9))
                self._close(~allowed)
            if not ((x > 1e-6) & (x < 1 - 1e-6)).any() and solution.x[: self.n].max() < 1e-6:
                self._take(x)
                return bound, None
            if rounds == 0 or not self._separate(x):
                break
            rounds -= 1
        if node.depth == 0:
            allowed, x = self._compact(allowed, solution.duals)
        return self._children(_Node(allowed, self.lp.basis(), node.depth), x, solution.value, bound)

    def _bound(self, duals: Floats, allowed: Bools) -> tuple[float, Floats]:
        """The bound of a branch and the reduced costs of the groups."""
        n = self.n
        multipliers, weights = duals[:n], np.maximum(-duals[n:], 0.0)
        padded = np.append(multipliers, 0.0)
        reduced = self.costs - padded[self.members].sum(axis=1) + weights @ self.charges
        rhs = np.array([float(c.rhs) for c in self.cuts])
        value = float(multipliers.sum()) - float(weights @ rhs) + float(np.minimum(reduced[allowed], 0.0).sum())
        size = float(np.abs(multipliers).sum() + weights @ rhs) + abs(self.best)
        return value - (self.members.shape[1] + len(self.cuts) + n) * 2.0**-52 * size, reduced

    def _close(self, closed: Bools) -> None:
        n = self.n
        self.lp.close_columns((n + np.flatnonzero(closed & ~self._closed)).astype(np.int32))
        self.lp.close_columns((n + np.flatnonzero(self._closed & ~closed)).astype(np.int32), reopen=True)
        self._closed = closed.copy()

    def _take(self, x: Floats) -> None:
        labels = labels_of(self.members[x > 0.5], self.n)
        value = float(self.costs[x > 0.5].sum())
        if (labels >= 0).all() and int(self.sizes[x > 0.5].sum()) == self.n and value < self.best:
            self.best, self.labels = value, labels

    def _separate(self, x: Floats) -> bool:
        support = support_of(self.members, self.sizes, x, self.n)
        known = set(self.cuts)
        cuts = separate_triples(support, known, 100, LEAST)
        if len(cuts) < 10:
            cuts += separate_rank_one(support, known | set(cuts), 50, LEAST)
        if len(cuts) < 10:
            cuts += separate_modular(support, known | set(cuts), 50, LEAST)
        if cuts:
            self._add_cuts(cuts)
        return bool(cuts)

    def _compact(self, allowed: Bools, duals: Floats) -> tuple[Bools, Floats]:
        """Leave out for good what the root has excluded: groups, and cuts that do nothing."""
        active = tuple(c for c, y in zip(self.cuts, duals[self.n :]) if y < -1e-9)
        self._build(self.members[allowed], self.sizes[allowed], self.costs[allowed], active)
        solution = self.lp.solve()
        return np.ones(len(self.sizes), np.bool_), solution.x[self.n :]

    def _children(
        self, node: _Node, x: Floats, value: float, bound: float
    ) -> tuple[float, list[tuple[float, _Node]] | None]:
        """Both sides of the pair that raises the bound most; a side that cannot be below the target is left out."""
        pairs = self._pairs(x)
        best: tuple[float, Pair] | None = None
        for pair in pairs:
            gains = []
            for together in (True, False):
                seen = self.gains.setdefault((pair, together), [])
                if len(seen) < TRUSTED:
                    self._close(~self._side(node.allowed, pair, together))
                    self.lp.restore(node.basis)
                    seen.append(min(max(self.lp.glance(STEPS) - value, 0.0), 2.0 * (self.best - value)))
                gains.append(sum(seen) / len(seen))
            score = max(gains[0], 1e-9) * max(gains[1], 1e-9)
            if best is None or score > best[0]:
                best = score, pair
        if best is None:
            return bound, None
        _, pair = best
        return bound, [
            (bound, _Node(self._side(node.allowed, pair, together), node.basis, node.depth + 1))
            for together in (True, False)
        ]

    def _pairs(self, x: Floats) -> list[Pair]:
        """The pairs whose shared weight is nearest to one half."""
        shared: dict[Pair, float] = {}
        for g in np.flatnonzero((x > 1e-6) & (x < 1 - 1e-6)):
            row = sorted(int(v) for v in self.members[g] if v >= 0)
            for a, i in enumerate(row):
                for j in row[a + 1 :]:
                    shared[i, j] = shared.get((i, j), 0.0) + float(x[g])
        split = [pair for pair, z in shared.items() if 1e-4 < z < 1 - 1e-4]
        return sorted(split, key=lambda pair: (abs(shared[pair] - 0.5), pair))[:TRIED]

    def _side(self, allowed: Bools, pair: Pair, together: bool) -> Bools:
        a, b = self.inside[pair[0]], self.inside[pair[1]]
        return allowed & ((a == b) if together else ~(a & b))
