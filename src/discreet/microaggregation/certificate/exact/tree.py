"""The best partition into listed groups, by branch and cut on pairs of records.

The linear relaxation over the groups, with cuts of rank 1 (`listed_lp`); where it is fractional, two records that share
weight strictly between 0 and 1 are held together in one branch and apart in the other (Ryan and Foster 1981). A pair is
chosen by trying: a few simplex steps in both branches, remembered for the next time as the gain for each part of the
pair that is to be decided. Groups whose reduced cost exceeds what is left below the target are dropped, in every branch
again. The bounds do not rest on the solver.

The branches of least bound are worked on beside one another, each for some nodes; what is left of them goes back to the
others. So all know what one has found, and the work is the same for any number of threads.
"""

from __future__ import annotations

import heapq
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.exact.listed_lp import Bools, ListedLP, Pair, Program, program_of
from discreet.microaggregation.certificate.space import Floats
from discreet.microaggregation.groups import Groups
from discreet.microaggregation.problem import Labels
from discreet.scale import ordered_map
from discreet.solvers.master_lp import Basis
from discreet.work import Deadline

# Pairs tried at a node, simplex steps each.
TRIED = 4
STEPS = 30
# Rounds of cuts at the root, and, of the cheapest kind, where a branch is taken up.
ROOT_ROUNDS = 3
ROUNDS = 1
# Branches worked on beside one another, nodes each; and as long as there are fewer branches.
WAVE = 8
TURN = 40
FIRST_TURN = 3
# Groups a record that the relaxation begins with.
FIRST = 5
# Groups that branches in waiting may hold, all together, some hundred bytes each. Beyond, those that are nearest to
# being closed come first.
MOST_HELD = 10_000_000

# By pair and side.
Gains = dict[tuple[int, int, bool], float]


class Branched(NamedTuple):
    """`bound`: no partition into the groups is below it. `labels`: the best partition below the target, or None."""

    bound: float
    labels: Labels | None
    value: float
    nodes: int


class _Node(NamedTuple):
    allowed: Bools
    basis: Basis | None
    depth: int


class _Worked(NamedTuple):
    """What work on a branch has come to: the best partition in it, the least bound among what was closed, and the
    branches left, with their bounds."""

    labels: Labels | None
    value: float
    lowest: float
    left: list[tuple[float, Program]]
    nodes: int
    gains: Gains


def branch(
    groups: Groups,
    n: int,
    *,
    excess: Floats,
    cuts: tuple[Cut, ...] = (),
    target: float,
    slack: float,
    node_limit: int,
    deadline: Deadline,
    executor: Executor | None = None,
) -> Branched:
    """Search for a partition below `target`; the relaxation begins with the groups of least `excess`.

    Unless nodes or time ran out, the bound is at least the best value (or the target) less `slack`.
    """
    first = np.sort(np.argsort(excess, kind="stable")[: FIRST * n]).astype(np.int32)
    worked = _work(
        program_of(groups, cuts, first), n, target, slack, deadline, min(FIRST_TURN, node_limit),
        {}, -np.inf, True, executor,
    )  # fmt: skip
    labels, best, lowest, nodes, gains = worked.labels, worked.value, worked.lowest, worked.nodes, worked.gains
    waiting: list[tuple[float, int, Program]] = []
    made = 0
    done = [worked]
    while True:
        for worked in done:
            for bound, program in worked.left:
                waiting.append((bound, made, program))
                made += 1
        remaining = node_limit - nodes
        turn = FIRST_TURN if len(waiting) < WAVE else TURN
        taken: list[tuple[float, Program]] = []
        waiting.sort(key=lambda entry: entry[:2])
        full = sum(len(program.allowed) for _, _, program in waiting) > MOST_HELD
        while waiting and len(taken) < min(WAVE, remaining) and not deadline.passed:
            bound, _, program = waiting.pop(-1 if full else 0)
            if bound >= best - slack:
                lowest = min(lowest, bound)
            else:
                taken.append((bound, program))
        if not taken:
            break
        each = min(turn, max(1, remaining // len(taken)))
        tasks = [(program, n, best, slack, deadline, each, gains, bound) for bound, program in taken]
        done = list(ordered_map(executor, _work, tasks))
        for worked in done:
            nodes += worked.nodes
            lowest = min(lowest, worked.lowest)
            if worked.value < best:
                labels, best = worked.labels, worked.value
        gains = {pair: gain for known in (*(worked.gains for worked in done), gains) for pair, gain in known.items()}
    lowest = min([lowest, best, *(bound for bound, _, _ in waiting)])
    return Branched(lowest, labels, best, nodes)


def _work(
    program: Program,
    n: int,
    target: float,
    slack: float,
    deadline: Deadline,
    nodes: int,
    gains: Gains,
    bound: float,
    root: bool = False,
    executor: Executor | None = None,
) -> _Worked:
    return _Tree(program, n, target, slack, deadline, gains).run(nodes, bound, root, executor)


class _Tree:
    def __init__(self, program: Program, n: int, target: float, slack: float, deadline: Deadline, gains: Gains) -> None:
        self.slack, self.deadline = slack, deadline
        self.best = target
        self.labels: Labels | None = None
        self.known, self.gains = gains, Gains()
        self.groups = ListedLP(program, n, target)

    def run(self, node_limit: int, bound: float, root: bool, executor: Executor | None) -> _Worked:
        """Open branches: that of least bound, and on from there."""
        waiting: list[tuple[float, int, _Node]] = [(bound, 0, _Node(self.groups.open, None, 0))]
        nodes, made = 0, 1
        lowest = np.inf
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
                heapq.heappush(waiting, (bound, made, node))
                break
            nodes += 1
            bound, children = self._open(node, bound, root, executor)
            if children is None:
                lowest = min(lowest, bound)
                continue
            # Down to the end on the side where the records are together: partitions are found there.
            following = bound, children[0]
            for child in children[1:]:
                heapq.heappush(waiting, (bound, made, child))
                made += 1
        waiting.sort(key=lambda entry: entry[:2])
        left = [(bound, self.groups.part(node.allowed, node.basis)[0]) for bound, _, node in waiting]
        return _Worked(self.labels, self.best, lowest, left, nodes, self.gains)

    def _open(
        self, node: _Node, inherited: float, root: bool, executor: Executor | None
    ) -> tuple[float, list[_Node] | None]:
        """The bound of a node and its children; None where nothing better is below it."""
        groups, allowed = self.groups, node.allowed
        groups.allow(allowed)
        if node.basis is not None:
            groups.lp.restore(node.basis)
        bound = inherited
        rounds = (ROOT_ROUNDS if root else ROUNDS) if node.depth == 0 else 0
        while True:
            solution = groups.solve(self.deadline.remaining)
            bound = max(bound, solution.bound)
            if not solution.solved:
                # The deadline has passed: the node is left as it is.
                return bound, [node]
            if bound >= self.best - self.slack:
                return bound, None
            if solution.bound == bound:
                allowed = allowed & ((solution.reduced < self.best - bound) | (solution.x > 1e-9))
                groups.allow(allowed)
            if solution.is_whole:
                self._take(solution.x)
                return bound, None
            if rounds == 0 or not groups.separate(solution.x, executor, cheap=not root):
                break
            rounds -= 1
        x, basis = solution.x, groups.lp.basis()
        if node.depth == 0:
            # What is not allowed here is left out for good.
            program, kept = groups.part(allowed, basis)
            self.groups = groups = ListedLP(program, groups.n, groups.limit)
            allowed, x, basis = program.allowed, x[kept], groups.lp.basis()
        pair = self._choose(allowed, basis, x, solution.value)
        if pair is None:
            return bound, None
        return bound, [_Node(groups.side(allowed, pair, side), basis, node.depth + 1) for side in (True, False)]

    def _take(self, x: Floats) -> None:
        found = self.groups.partition(x)
        if found is not None and found[1] < self.best:
            self.labels, self.best = found

    def _choose(self, allowed: Bools, basis: Basis, x: Floats, value: float) -> Pair | None:
        """The pair that raises the bound most on both sides: of those of known gain, and some others near one half."""
        groups = self.groups
        pairs, weights = groups.shared(x)
        split = np.flatnonzero((weights > 1e-4) & (weights < 1 - 1e-4))
        split = split[np.argsort(np.abs(weights[split] - 0.5), kind="stable")]
        best: tuple[float, Pair] | None = None
        for place, (one, other, weight) in enumerate(zip(*pairs[split].T.tolist(), weights[split].tolist())):
            score = 1.0
            # What is left to decide of the pair.
            for together, part in ((True, 1.0 - weight), (False, weight)):
                key = one, other, together
                gain = self.gains.get(key)
                if gain is None:
                    gain = self.known.get(key)
                if gain is None:
                    if place >= TRIED:
                        break
                    groups.allow(groups.side(allowed, (one, other), together))
                    groups.lp.restore(basis)
                    gain = min(max(groups.lp.glance(STEPS) - value, 0.0), 2.0 * (self.best - value)) / part
                    self.gains[key] = gain
                score *= max(gain * part, 1e-9)
            else:
                if best is None or score > best[0]:
                    best = score, (one, other)
        return None if best is None else best[1]
