"""Branch and cut whose every leaf is proven in whole numbers.

A node holds some cells at 0 and some at 1. Its linear program is cut further (covers and roundings of known rows, new
rows from integer points that do not protect); then either its duals prove, in whole numbers, that no pattern there is
cheaper than the incumbent (a leaf), or cells are fixed by reduced costs and the node branches on the cell that promises
most, by strong branching first and by what was learned of the cell later (pseudocosts).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from discreet.solvers.warm_lp import Box, WarmLp, WarmSolution
from discreet.tabular.problem import Ints
from discreet.tabular.suppress.attack import check
from discreet.tabular.suppress.improve import Improver
from discreet.tabular.suppress.model import Flags, Floats
from discreet.tabular.suppress.proof import Proof, empty_proof, proof_of
from discreet.tabular.suppress.repair import Repaired
from discreet.tabular.suppress.separation import STRICT, add_unmet, separate, separate_rounded
from discreet.tabular.suppress.state import State

_WHOLE = 1e-6
_RELIABLE = 4  # so many branchings make a pseudocost
_TRIED = 8  # cells of strong branching at a node
_LOOK = 40  # simplex steps of a look
_ROUNDS = 10  # of cuts at a node
_BETWEEN = 12  # linear programs between two attempts at a better pattern
_WIDE = 0.05  # with such a gap there is an attempt at every node, and the node of the least bound is next
_ATTEMPTS = 8  # at a time, then
_FEW = 3  # rows that are not enough to go on with


@dataclass
class Node:
    """A leaf (proof alone), a fixing (proof, zero, one, then) or a branching (branch, children at 0 and 1)."""

    proof: int = -1
    zero: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    one: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    then: int = -1
    branch: int = -1
    children: tuple[int, int] = (-1, -1)


@dataclass
class _Task:
    """A node to be worked on: what it holds at 0 and 1, its bound so far, where the simplex method starts."""

    node: int
    zero: Flags
    one: Flags
    bound: float
    basis: Any


class _Look(NamedTuple):
    """The bound of a child after a few steps, and the weights of rows then; None where it has no solution."""

    bound: float
    duals: Floats | None


class Tree:
    """`nodes[0]` is the root; `proofs` are numbered."""

    def __init__(self, state: State, seed: int = 0) -> None:
        self._improver = Improver(state, seed)
        self.state, self.master, self.model = state, state.master, state.model
        self.nodes = [Node()]
        self.proofs: list[Proof] = []
        self.gain = np.zeros((2, self.model.count))
        self.seen = np.zeros((2, self.model.count))
        self.solved = 0
        self._stack: list[_Task] = []
        self._dive = False
        self._open: list[_Task] = []

    @property
    def target(self) -> int:
        """A node is done when its bound exceeds this: costs are whole."""
        return int(self.state.cost) - 1 - self.model.constant

    def grow(self) -> float:
        """Work until every leaf is proven or time is over; the bound that the tree proves to float precision."""
        closed = self.model.free & ~self.model.open
        solution = self.master.solve()
        self.nodes[0].proof = self._number(self._proof(solution.duals))
        self._stack = [_Task(0, closed, np.zeros(self.model.count, np.bool_), solution.value, None)]
        due = 3 * self._pause()
        while self._stack and not self.state.deadline.passed:
            self._process(self._next())
            if self._stack and self.solved >= due:
                for _ in range(_ATTEMPTS if self._far else 1):
                    self._improver.improve()
                due = self.solved + self._pause()
            self.state.raise_bound(self.bound())
            self.state.report("tree")
        return self.bound()

    def _pause(self) -> int:
        """Linear programs until the next attempt at a better pattern."""
        return 1 if self._far else _BETWEEN

    @property
    def _far(self) -> bool:
        return self.bound() < (1 - _WIDE) * (self.target + 1)

    def _next(self) -> _Task:
        """Dive from the last branching while there is one, then go on where the bound is least.

        With a wide gap no dive ends in a leaf soon: there the least bound is all that counts.
        """
        if not self._dive or self._far:
            self._stack.append(self._stack.pop(min(range(len(self._stack)), key=lambda k: self._stack[k].bound)))
        self._dive = False
        return self._stack.pop()

    def bound(self) -> float:
        """The least bound of what is not proven yet."""
        return min((task.bound for task in (*self._stack, *self._open)), default=float(self.target + 1))

    def proven(self) -> int:
        """The bound that follows in whole numbers, on the cost of what is chosen."""
        least = self.target + 1
        for task in (*self._stack, *self._open):
            proof = self.proofs[self.nodes[task.node].proof]
            least = min(least, -(-proof.bound(task.zero, task.one) // proof.denominator))
        return max(least, 0)

    @property
    def complete(self) -> bool:
        """Whether every leaf is proven."""
        return not self._stack and not self._open

    def _process(self, task: _Task) -> None:
        master = self.master
        master.restrict(task.zero, task.one)
        if task.basis is not None:
            master.restore(task.basis)
        last = -np.inf
        for rounds in range(1000):
            solution = master.solve()
            self.solved += 1
            if solution.status != "optimal":
                if self._infeasible(task):
                    return
                break
            task.bound = max(task.bound, solution.value)
            if solution.value > self.target + 1e-5 and self._settle(task, solution.duals):
                return
            x = master.spread(solution.x)
            if self._whole(x):
                if not self._cut(x):
                    break
                continue
            if rounds >= _ROUNDS or (rounds > 2 and solution.value - last < 1e-3 * abs(self.target - last)):
                break
            last = solution.value
            if not (master.strengthen(x) or master.add_bridges(x) or self._separate(x)):
                break
        self._fix(task, solution)
        self._branch(task, solution)

    def _separate(self, x: Floats) -> int:
        """New rows: from what the cells that x favors do not protect; far from the end, from x itself where few."""
        added = separate_rounded(self.master, x, self.state.own, 0.5)
        if added < _FEW and self._far:
            added += separate(self.master, x, self.state.hard, STRICT, self.state.deadline).added
        return added

    def _whole(self, x: Floats) -> bool:
        return bool((np.minimum(x, 1 - x) < _WHOLE).all())

    def _cut(self, x: Floats) -> bool:
        """A 0/1 solution is an incumbent, or is cut off."""
        hidden = x > 0.5
        checked = check(self.model, hidden, self.state.own)
        if not checked.unmet:
            self.state.offer(Repaired(hidden, self.model.cost_of(hidden), checked.support))
            return True
        return add_unmet(self.master, checked.unmet, x) > 0

    def _settle(self, task: _Task, duals: Floats) -> bool:
        """Make the node a leaf, if weights prove it in whole numbers."""
        proof = proof_of(self.master.pool, self.master.rows, duals)
        if proof is None or proof.bound(task.zero, task.one) <= self.target * proof.denominator:
            return False
        self.nodes[task.node].proof = self._number(proof)
        return True

    def _infeasible(self, task: _Task) -> bool:
        """Make the node a leaf by weights that prove more than the target: a ray, or those of a program with slack."""
        if self._settle(task, np.zeros(len(self.master.rows))):  # no choice is left at all
            return True
        for weights in (self.master.ray(), self._slack(task)):
            if weights is not None and np.abs(weights).max(initial=0.0) > 0:
                scaled = np.maximum(weights if weights.sum() >= 0 else -weights, 0.0) / np.abs(weights).max()
                if any(self._settle(task, scaled * large * (self.target + 2)) for large in (4.0, 1e3)):
                    return True
        return False

    def _slack(self, task: _Task) -> Floats:
        """Weights of the rows in: the least total slack with which they hold at the node. It is feasible."""
        matrix, right = self.master.matrix()
        rows, k = matrix.shape
        cost = np.concatenate([np.zeros(k), np.ones(rows)])
        low = np.concatenate([task.one[self.master.cells].astype(np.float64), np.zeros(rows)])
        open_ = (self.model.open & ~task.zero)[self.master.cells].astype(np.float64)
        high = np.concatenate([np.maximum(open_, low[:k]), np.full(rows, np.inf)])
        both = sp.csr_matrix(sp.hstack([matrix, sp.identity(rows, format="csr")]))
        return WarmLp(both, cost, Box(low, high), Box(right, np.full(rows, np.inf))).run().duals

    def _proof(self, duals: Floats) -> Proof:
        """Weights evaluated; none at all where numbers are too large for that."""
        proof = proof_of(self.master.pool, self.master.rows, duals)
        return empty_proof(self.master.pool) if proof is None else proof

    def _number(self, proof: Proof) -> int:
        self.proofs.append(proof)
        return len(self.proofs) - 1

    def _fix(self, task: _Task, solution: WarmSolution) -> None:
        """Hold cells whose other value is proven too dear; a node of its own in the tree."""
        if solution.status != "optimal":
            return
        gap = self.target - solution.value
        cells = self.master.cells
        out = cells[(solution.reduced > gap + 1e-5) & (solution.x < 0.5)]
        into = cells[(solution.reduced < -gap - 1e-5) & (solution.x > 0.5)]
        out, into = (these[~(task.zero | task.one)[these]] for these in (out, into))
        if not out.size and not into.size:
            return
        proof = proof_of(self.master.pool, self.master.rows, solution.duals)
        if proof is None:
            return
        bound, enough = proof.bound(task.zero, task.one), self.target * proof.denominator
        out = out[bound + np.maximum(proof.reduced[out], 0) > enough]
        into = into[bound - np.minimum(proof.reduced[into], 0) > enough]
        if not out.size and not into.size:
            return
        then = self._new()
        node = self.nodes[task.node]
        self.nodes[then].proof = node.proof
        node.proof, node.zero, node.one, node.then = self._number(proof), out, into, then
        task.node = then
        task.zero, task.one = task.zero.copy(), task.one.copy()
        task.zero[out] = True
        task.one[into] = True

    def _new(self) -> int:
        self.nodes.append(Node())
        return len(self.nodes) - 1

    def _branch(self, task: _Task, solution: WarmSolution) -> None:
        master, node = self.master, self.nodes[task.node]
        basis = master.basis()
        free = ~(task.zero | task.one)[master.cells]
        x = np.where(free, solution.x, 0.0)
        fraction = np.minimum(x, 1 - x)
        at = np.flatnonzero(fraction > _WHOLE) if solution.status == "optimal" else np.flatnonzero(free)[:1]
        if not at.size:
            at = np.flatnonzero(free)[:1]
        if not at.size:
            # All decided, not proven: numbers too large to evaluate. The node stays open.
            self._open.append(task)
            return
        proof = node.proof if solution.status != "optimal" else self._number(self._proof(solution.duals))
        cell, looks = self._choose(master.cells[at], x[at], solution, task, basis)
        zero, one = self._new(), self._new()
        node.branch, node.children = cell, (zero, one)
        children = []
        for child, value in ((zero, 0), (one, 1)):
            flags = task.zero.copy(), task.one.copy()
            flags[value][cell] = True
            bound = max(task.bound, looks[value].bound if looks else task.bound)
            children.append(_Task(child, *flags, bound, basis))
            self.nodes[child].proof = self._better(proof, looks[value].duals if looks else None, flags)
        # The child with the lower bound last: it is worked on first.
        children.sort(key=lambda child: -child.bound)
        self._stack += children
        self._dive = True

    def _better(self, number: int, duals: Floats | None, flags: tuple[Flags, Flags]) -> int:
        """The number of the proof that says more of a new node: its parent's, or that of a look at it."""
        proof = None if duals is None else proof_of(self.master.pool, self.master.rows, duals)
        known = self.proofs[number]
        if proof is None or proof.bound(*flags) * known.denominator <= known.bound(*flags) * proof.denominator:
            return number
        return self._number(proof)

    def _choose(
        self, cells: Ints, x: Floats, solution: WarmSolution, task: _Task, basis: Any
    ) -> tuple[int, tuple[_Look, _Look] | None]:
        """The cell to branch on, and what was seen of its children where they were looked at."""
        mean = [self.gain[v].sum() / max(self.seen[v].sum(), 1.0) for v in (0, 1)]
        rate = [
            np.where(self.seen[v][cells] > 0, self.gain[v][cells] / np.maximum(self.seen[v][cells], 1), mean[v])
            for v in (0, 1)
        ]
        guess = np.maximum(rate[0] * x, 1e-6) * np.maximum(rate[1] * (1 - x), 1e-6)
        if not self.seen.any():
            guess = np.minimum(x, 1 - x) * self.model.cost[cells]
        order = np.argsort(-guess, kind="stable")
        best, score, looks = int(cells[order[0]]), -1.0, None
        tried = 0
        for k in order.tolist():
            cell = int(cells[k])
            if min(self.seen[0][cell], self.seen[1][cell]) >= _RELIABLE:
                if guess[k] > score:
                    best, score, looks = cell, float(guess[k]), None
                continue
            if tried >= _TRIED:
                continue
            tried += 1
            found = self._look(cell, float(x[k]), solution.value, task, basis)
            gains = [max(look.bound - solution.value, 1e-6) for look in found]
            product = min(gains[0], 1e9) * min(gains[1], 1e9)
            if product > score:
                best, score, looks = cell, product, found
        self.master.restore(basis)
        return best, looks

    def _look(self, cell: int, x: float, value: float, task: _Task, basis: Any) -> tuple[_Look, _Look]:
        """Both children after a few steps of the simplex method."""
        found = []
        for v in (0, 1):
            self.master.restore(basis)
            self.master.hold(cell, float(v), float(v))
            solution = self.master.solve(_LOOK)
            bound = (
                float(self.target + 1) if solution.status == "infeasible" else min(solution.value, self.target + 1.0)
            )
            found.append(_Look(max(bound, value), None if solution.status == "infeasible" else solution.duals))
            self.gain[v][cell] += max(bound - value, 0.0) / max(x if v == 0 else 1 - x, 1e-3)
            self.seen[v][cell] += 1
            self.master.hold(cell, 0.0, 1.0)
        return found[0], found[1]
