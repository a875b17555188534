"""The master with cuts: simplex, exact pricing, violated cuts, and again, until neither finds anything.

Multipliers of the cuts enter pricing as penalties of the groups (see `pricing.roots`). A tolerance of pricing costs n
times itself of the bound, so that here groups are priced to almost nothing.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Literal

import numpy as np

from discreet.microaggregation.certificate.bound import lower_bound
from discreet.microaggregation.certificate.cuts.cut import Cut, coefficients, index_cuts, penalties_of
from discreet.microaggregation.certificate.cuts.modular import separate
from discreet.microaggregation.certificate.cuts.rank_one import support_of
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.pricing.sweep import NO_LIMIT, sweep
from discreet.microaggregation.certificate.progress import Kind, Progress, Proof
from discreet.microaggregation.certificate.space import Floats, Ints, Space
from discreet.microaggregation.groups import labels_of
from discreet.solvers.master_lp import MasterLP

# How pricing ended, and how rounds of cuts did.
PricingStatus = Literal["converged", "stalled", "integer", "closed", "late"]
CutStatus = Literal["stalled", "integer", "closed", "late", "tailing off", "no cuts", "rounds"]

KIND: Kind = "column generation with cuts"
# What multipliers in the middle of the optimal face may give away, as a share of the bound.
CENTERED = 1e-6
# Candidates a root on the way there: before, roots may have thousands.
CANDIDATES = 400
# Rounds of cuts that close little of the gap, in a row, before that is the end.
SLOW = 3
# A cut is violated by so much at least; rounds that raise the master by less than this share of it are the end.
LEAST = 0.003
STALL = 1e-8
# Simplex and pricing in turn, so often at most: for the optimum, and for the middle of the optimal face.
MOST_PASSES = 200
CENTERINGS = 8


class CutMaster:
    """The restricted master on HiGHS, and the cuts in it."""

    def __init__(self, space: Space, columns: Columns, progress: Progress, rows: Ints, multipliers: Floats) -> None:
        n = len(progress.points)
        self.n, self.k = n, progress.k
        self.space, self.columns, self.progress = space, columns, progress
        self.cuts: list[Cut] = []
        self._index = index_cuts([], n)
        self._rows: list[int] = []
        self._in = np.zeros(0, np.bool_)
        ones = np.ones(n)
        self.lp = MasterLP(ones, ones)
        # Artificial columns keep the master feasible; they cost more than any record is worth.
        price = 3.0 * np.maximum(multipliers, 0.0) + 20.0 * progress.sse / n
        self.lp.add_columns(price, np.arange(n + 1, dtype=np.int32), np.arange(n, dtype=np.int32), ones)
        self.add(rows)
        self.multipliers, self.roots = multipliers, np.zeros(n)
        self.proof_cuts: tuple[Cut, ...] = ()
        self.proof_weights: Floats = np.zeros(0)
        self.value = self.master = -np.inf
        self.x: Floats = np.zeros(0)
        self.duals: Floats = np.zeros(0)

    @property
    def rows(self) -> Ints:
        """Rows of the pool that are in the master, in the order of its columns."""
        return np.array(self._rows, np.int32)

    def add(self, rows: Ints) -> int:
        """Put columns of the pool into the master."""
        if len(self._in) < self.columns.count:
            self._in = np.append(self._in, np.zeros(self.columns.count - len(self._in), np.bool_))
        rows = rows[~self._in[rows]]
        if not len(rows):
            return 0
        self._in[rows] = True
        members, sizes, costs = self.columns.subset(rows)
        start, cut, value = coefficients(members, sizes, self._index)
        inside = members >= 0
        lengths = sizes + np.diff(start)
        begin = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        index = np.empty(begin[-1], np.int32)
        entry = np.ones(begin[-1])
        for g in range(len(rows)):
            a, b = begin[g], begin[g] + sizes[g]
            index[a:b] = members[g][inside[g]]
            index[b : begin[g + 1]] = self.n + cut[start[g] : start[g + 1]]
            entry[b : begin[g + 1]] = value[start[g] : start[g + 1]]
        self.lp.add_columns(costs, begin, index, entry)
        self._rows += [int(r) for r in rows]
        return len(rows)

    def add_cuts(self, cuts: list[Cut]) -> None:
        members, sizes, _ = self.columns.subset(self._rows)
        start, cut, value = coefficients(members, sizes, index_cuts(cuts, self.n))
        group = np.repeat(np.arange(len(sizes)), np.diff(start))
        order = np.argsort(cut, kind="stable")
        begin = np.concatenate([[0], np.cumsum(np.bincount(cut, minlength=len(cuts)))]).astype(np.int32)
        self.lp.add_rows(
            np.full(len(cuts), -np.inf),
            np.array([float(c.rhs) for c in cuts]),
            begin,
            (self.n + group[order]).astype(np.int32),
            value[order],
        )
        self.cuts += cuts
        self._index = index_cuts(self.cuts, self.n)

    def drop_idle_cuts(self, duals: Floats) -> None:
        idle = [t for t in range(len(self.cuts)) if duals[t] > -1e-9]
        self.lp.delete_rows(np.array([self.n + t for t in idle], np.int32))
        gone = set(idle)
        self.cuts = [cut for t, cut in enumerate(self.cuts) if t not in gone]
        self._index = index_cuts(self.cuts, self.n)

    def price(self, executor: Executor, node_limit: int = NO_LIMIT) -> PricingStatus:
        """Alternate simplex and pricing; "converged", "stalled", "integer", "closed" or "late"."""
        progress, n, k = self.progress, self.n, self.k
        for _ in range(MOST_PASSES):
            solution = self.lp.solve(progress.deadline.remaining)
            progress.count(masters=1)
            if not solution.solved:
                return "late"
            multipliers = solution.duals[:n].copy()
            weights = np.maximum(-solution.duals[n:], 0.0)
            charge = float(sum(w * cut.rhs for w, cut in zip(weights, self.cuts)))
            penalties = penalties_of(self.cuts, weights, n)
            found = sweep(
                self.space, multipliers, k, -1e-12 * solution.value,
                node_limit=node_limit, penalties=penalties, executor=executor, deadline=progress.deadline,
            )  # fmt: skip
            progress.count(branches=found.nodes)
            bound = lower_bound(
                multipliers, found.roots, k,
                dimension=self.space.dimension, best=progress.sse, penalties=penalties, charge=charge,
            )  # fmt: skip
            if bound > self.value:
                self.value, self.roots = bound, found.roots
                self.multipliers = multipliers
                active = [t for t in range(len(self.cuts)) if weights[t] > 0]
                self.proof_cuts = tuple(self.cuts[t] for t in active)
                self.proof_weights = weights[active]
                progress.offer_proof(
                    Proof(bound, KIND if active else "column generation", multipliers,
                          self.proof_cuts, self.proof_weights, found.roots)
                )  # fmt: skip
            self.x = solution.x[n:]
            self.master = solution.value
            self.duals = solution.duals[n:]
            progress.tell(KIND)
            if progress.closed:
                return "closed"
            if progress.late:
                return "late"
            # A group may be in the pool for long and not in the master.
            self.columns.add(found.members, found.sizes)
            fresh = self.add(self.columns.rows(found.members))
            if fresh == 0 or bound > solution.value * (1 - 1e-9):
                if solution.x[:n].max() <= 1e-7 and not ((self.x > 1e-6) & (self.x < 1 - 1e-6)).any():
                    chosen = self.rows[self.x > 0.5]
                    progress.offer_partition(labels_of(self.columns.members[chosen], n))
                    return "integer"
                return "converged"
        return "stalled"

    def center(self, executor: Executor, node_limit: int = NO_LIMIT) -> None:
        """Move to multipliers in the middle of the optimal face, where they prove nearly as much.

        At a vertex, where the simplex method ends, many groups that no optimum uses have a reduced cost of zero. In the
        middle they do not, and far fewer groups are within reach of a target.
        """
        progress, n = self.progress, self.n
        for _ in range(CENTERINGS):
            solution = self.lp.solve(progress.deadline.remaining, interior=True)
            if progress.late or solution.duals.size != n + len(self.cuts) or not np.isfinite(solution.duals).all():
                return
            multipliers = solution.duals[:n].copy()
            weights = np.maximum(-solution.duals[n:], 0.0)
            weights[weights < 1e-9 * abs(self.value) / n] = 0.0
            active = [t for t in range(len(self.cuts)) if weights[t] > 0]
            cuts, kept = tuple(self.cuts[t] for t in active), weights[active]
            penalties = penalties_of(cuts, kept, n)
            charge = float(sum(w * cut.rhs for w, cut in zip(kept, cuts)))
            for cap in (CANDIDATES, 0):
                found = sweep(
                    self.space, multipliers, self.k, -1e-12 * abs(self.value),
                    node_limit=node_limit, cap=cap, penalties=penalties, executor=executor, deadline=progress.deadline,
                )  # fmt: skip
                bound = lower_bound(
                    multipliers, found.roots, self.k,
                    dimension=self.space.dimension, best=progress.sse, penalties=penalties, charge=charge,
                )  # fmt: skip
                progress.count(branches=found.nodes, centers=1)
                if bound > self.value - CENTERED * abs(self.value):
                    self.value, self.roots, self.multipliers = bound, found.roots, multipliers
                    self.proof_cuts, self.proof_weights = cuts, kept
                    progress.offer_proof(Proof(bound, KIND, multipliers, cuts, kept, found.roots))
                    return
                self.columns.add(found.members, found.sizes)
                fresh = self.add(self.columns.rows(found.members))
                if fresh or found.complete.all():
                    break
            if not fresh:
                return

    def separate(self, executor: Executor) -> int:
        members, sizes, _ = self.columns.subset(self._rows)
        support = support_of(members, sizes, self.x[: len(sizes)], self.n)
        cuts = separate(support, set(self.cuts), LEAST, executor, triples=150, others=100, enough=20)
        if cuts:
            self.add_cuts(cuts)
        self.progress.count(cuts=len(cuts))
        return len(cuts)


def cut_rounds(
    master: CutMaster,
    executor: Executor,
    *,
    rounds: int = 80,
    coarse: float = 0.0,
    until: float = 0.0,
    node_limit: int = NO_LIMIT,
) -> CutStatus:
    """Price and separate in turn; ends when nothing is violated, nothing moves, or `progress` says so.

    Three rounds in a row that each close less than the share `coarse` of the gap end it, too, after `until` seconds.
    """
    before = -np.inf
    slow = 0
    for r in range(rounds):
        status = master.price(executor, node_limit=node_limit)
        if status != "converged":
            return status
        if r >= 3 and master.master < before + STALL * abs(before):
            return "tailing off"
        slow = slow + 1 if master.master < before + coarse * (master.progress.sse - master.master) else 0
        if slow >= SLOW and master.progress.deadline.elapsed >= until:
            return "tailing off"
        before = master.master
        if r and r % 10 == 0:
            master.drop_idle_cuts(master.duals)
        if not master.separate(executor):
            return "no cuts"
    return "rounds"
