"""The optimal tabular release: which margins to publish at once, so that they tell most and are safe as a whole.

What a set of margins tells is the number of independent counts it fixes: a margin over S adds Π_{v ∈ S} (I_v − 1) of
its own beyond those of its subsets, and a set of margins fixes the sum of that over all sets of variables contained in
one of them. Safe sets are closed downward (publishing less is never less safe), so the best is found by implicit
hitting sets: among the families that contain no set of margins known to be jointly unsafe, an integer program finds the
one that tells most; if it is safe it is optimal, else the margins that make it unsafe, shrunk to a minimal set, become
one more constraint. The integer program's value bounds every safe release from above, so a plan that runs out of time
states its gap.

With more variables than the integer program can hold (2^k sets), margins are added greedily, the most telling first,
and the bound is what the refused margins leave. So too in mode "simulatable", where a release may make another possible
and no refusal bounds anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
import scipy.sparse as sp

from discreet.release.decision import RELEASE, SAFE, UNRESOLVED, Situation, decide
from discreet.release.engine import Carried, Table
from discreet.release.frontier import Frontier, axes_of, mask_of
from discreet.release.policy import Policy
from discreet.solvers.mip import solve_mip
from discreet.work import Deadline, ProgressCallback, Reporter

EXACT_VARIABLES = 9
GREEDY_MARGINS = 3000


@dataclass(frozen=True)
class Step:
    """A margin of the plan: its cells, and the independent counts it adds to those before it."""

    variables: tuple[str, ...]
    cells: int
    gain: int


@dataclass(frozen=True)
class ReleasePlan:
    """Margins to publish together, the most informative first. `value` ≤ best possible ≤ `bound`."""

    steps: tuple[Step, ...]
    value: int
    bound: int
    size: int
    method: str
    seconds: float

    @property
    def optimal(self) -> bool:
        return self.value == self.bound

    @property
    def gap(self) -> float:
        return 100.0 * (self.bound - self.value) / self.bound if self.bound else 0.0

    @property
    def margins(self) -> list[tuple[str, ...]]:
        return [step.variables for step in self.steps]

    def summary(self) -> str:
        proof = "no safe set tells more" if self.optimal else f"at most {self.bound} possible, gap {self.gap:.1f} %"
        count = f"{len(self.steps)} margin" + ("s" if len(self.steps) != 1 else "")
        return f"{count}, {self.value} of {self.size} independent counts ({proof}); {self.seconds:.1f} s"

    def to_dict(self) -> dict[str, Any]:
        return {
            "margins": [list(step.variables) for step in self.steps],
            "value": self.value,
            "bound": self.bound,
            "gap": self.gap,
            "cells": self.size,
            "method": self.method,
            "status": "optimal" if self.optimal else "feasible",
            "seconds": self.seconds,
        }


def plan(
    table: Table,
    policy: Policy,
    *,
    released: Iterable[int] = (),
    time_limit: float | None = 60.0,
    progress: ProgressCallback | None = None,
) -> ReleasePlan:
    """The margins to publish at once, on top of those already `released` or named by the policy as public."""
    planner = _Planner(table, policy, released, Deadline(time_limit), Reporter(progress))
    few = len(table.names) <= EXACT_VARIABLES
    return planner.exact() if few and policy.mode == "exact" else planner.greedy()


class _Planner:
    def __init__(
        self, table: Table, policy: Policy, released: Iterable[int], deadline: Deadline, report: Reporter
    ) -> None:
        self.table, self.policy = table, policy
        self.deadline, self.report = deadline, report
        self.k = len(table.names)
        self.base = Frontier()
        for mask in [*released, *(mask_of(table.axes(margin)) for margin in policy.published)]:
            self.base = self.base.release(mask)
        self.unsafe: list[tuple[int, ...]] = []

    def _late(self) -> bool:
        return self.deadline.passed

    def weight(self, mask: int) -> int:
        return prod(self.table.shape[a] - 1 for a in axes_of(mask))

    def safe(self, family: Sequence[int]) -> bool | None:
        """Whether these margins may all be public, one decision after the other; None where that was not settled."""
        frontier = self.base
        state: Carried = {}
        for mask in sorted(family, key=lambda m: (m.bit_count(), m)):
            if self._late():
                return None
            decided = decide(Situation(self.table, frontier, state), self._patient(), mask)
            if decided.answer != RELEASE:
                return None if self._late() or decided.ground == UNRESOLVED else False
            frontier, state = decided.frontier, state if decided.carried is None else decided.carried
        return True

    def _patient(self) -> Policy:
        return Policy(
            **{
                **self.policy.to_dict(),
                "published": (),
                "otherwise": "refuse",
                "time_limit": max(0.05, min(self.policy.time_limit, self.deadline.remaining)),
            }
        )

    def _maximal(self, chosen: Iterable[int]) -> tuple[int, ...]:
        frontier = Frontier()
        for mask in sorted(chosen, key=int.bit_count, reverse=True):
            frontier = frontier.release(mask)
        return tuple(m for m in frontier.released if not self.base.covers(m))

    def exact(self) -> ReleasePlan:
        best: tuple[int, ...] = self._climb(self._masks())
        bound = self._value(tuple(self._masks()))
        while True:
            family, bound = self._relaxed(bound)
            self.report("planning", None, bound=float(bound), unsafe=float(len(self.unsafe)))
            if bound <= self._value(best):
                break
            verdict = self.safe(family)
            if verdict:
                best = family
                break
            if verdict is None or self._late():
                break
            self.unsafe.append(self._shrink(family))
            if self._late():
                break
        value = self._value(best)
        return self._plan(best, max(bound, value), "implicit hitting sets")

    def greedy(self) -> ReleasePlan:
        """Add the most telling margin that is still safe, from small margins up."""
        candidates: list[int] = []
        for size in range(1, self.k + 1):
            if len(candidates) + comb(self.k, size) > GREEDY_MARGINS:
                break
            candidates += [mask_of(axes) for axes in combinations(range(self.k), size)]
        best = self._climb(candidates)
        return self._plan(best, self._crude_bound(), "greedy")

    def _climb(self, candidates: Sequence[int]) -> tuple[int, ...]:
        """A maximal safe family: sizes upward, the heaviest first; what fails is noted as unsafe."""
        frontier = self.base
        state: Carried = {}
        for mask in sorted(candidates, key=lambda m: (m.bit_count(), -self.weight(m), m)):
            if self._late():
                break
            before = frontier
            decided = decide(Situation(self.table, frontier, state), self._patient(), mask)
            frontier = decided.frontier
            if decided.answer == RELEASE:
                state = state if decided.carried is None else decided.carried
            elif frontier != before and not self._late():
                alone = decide(Situation(self.table, self.base), self._patient(), mask).ground
                if alone not in (SAFE, UNRESOLVED) and not self._late():
                    self.unsafe.append((mask,))
            self.report("planning", None, released=float(len(frontier.released)))
        return self._maximal(frontier.released)

    def _shrink(self, family: Sequence[int]) -> tuple[int, ...]:
        """A minimal unsafe part of an unsafe family: leave out what is not needed, then take smaller margins."""
        needed = sorted(family, key=lambda m: (self.weight(m), m))
        for mask in list(needed):
            rest = [m for m in needed if m != mask]
            if rest and not self._late() and self.safe(rest) is False:
                needed = rest
        for i in range(len(needed)):
            shrinking = True
            while shrinking and not self._late():
                shrinking = False
                for axis in axes_of(needed[i]):
                    smaller = [*needed[:i], needed[i] & ~(1 << axis), *needed[i + 1 :]]
                    if smaller[i] and self.safe(self._maximal(smaller)) is False:
                        needed, shrinking = smaller, True
                        break
        return tuple(needed)

    def _masks(self) -> list[int]:
        return list(range(1, 1 << self.k))

    def _relaxed(self, bound: int) -> tuple[tuple[int, ...], int]:
        """The family that tells most among those without a known unsafe part, and its value."""
        masks = self._masks()
        place = {mask: j for j, mask in enumerate(masks)}
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        upper: list[float] = []
        for mask in masks:
            for axis in axes_of(mask):
                less = mask & ~(1 << axis)
                if less:  # a margin brings the margins that it contains
                    rows += [len(upper)] * 2
                    columns += [place[mask], place[less]]
                    values += [1.0, -1.0]
                    upper.append(0.0)
        for part in self.unsafe:
            rows += [len(upper)] * len(part)
            columns += [place[m] for m in part]
            values += [1.0] * len(part)
            upper.append(len(part) - 1.0)
        matrix = sp.csc_matrix((values, (rows, columns)), shape=(len(upper), len(masks)))
        cost = -np.array([self.weight(m) for m in masks], np.float64)
        least = np.array([1.0 if self.base.covers(m) else 0.0 for m in masks])
        limit = max(0.1, self.deadline.remaining) if self.deadline.limit is not None else None
        solved = solve_mip(cost, matrix, np.full(len(upper), -np.inf), np.array(upper), lower=least, time_limit=limit)
        if solved.status == "infeasible":  # what is public is unsafe already: nothing can be added
            return (), self._value(())
        if solved.status != "optimal" or solved.x is None:
            return (), bound
        chosen = [m for m, x in zip(masks, solved.x) if x > 0.5]
        return self._maximal(chosen), self._value(self._maximal(chosen))

    def _value(self, family: Sequence[int]) -> int:
        """Independent counts fixed by the family together with what is public; the total counts as one."""
        public = [*family, *self.base.released]
        if not public:
            return 0
        if self.k <= EXACT_VARIABLES:
            known = Frontier(tuple(public))
            return 1 + sum(self.weight(m) for m in self._masks() if known.covers(m))
        faces: set[int] = set()
        for mask in public:
            part = mask
            while part:
                faces.add(part)
                part = (part - 1) & mask
        return 1 + sum(self.weight(m) for m in faces)

    def _crude_bound(self) -> int:
        """All independent counts but those of margins that contain one that is unsafe alone.

        Counted by inclusion and exclusion over few such margins: their supersets fix
        Π_{v ∈ S} (I_v − 1) · Π_{v ∉ S} I_v counts each.
        """
        alone = Frontier()
        if self.policy.mode != "exact":
            return self.table.size
        for (mask,) in [part for part in self.unsafe if len(part) == 1]:
            alone = alone.refuse(mask)
        lost = 0
        chosen = sorted(alone.refused, key=int.bit_count)[:12]
        for r in range(1, len(chosen) + 1):
            for some in combinations(chosen, r):
                union = 0
                for mask in some:
                    union |= mask
                rest = prod(size for a, size in enumerate(self.table.shape) if not union >> a & 1)
                lost += (-1) ** (r + 1) * self.weight(union) * rest
        return self.table.size - lost

    def _plan(self, family: Sequence[int], bound: int, method: str) -> ReleasePlan:
        """The family in the order of what each adds; its value and how good it can be."""
        steps: list[Step] = []
        told: list[int] = []
        left = list(family)
        while left:
            base = self._value(told)
            gains = {m: self._value([*told, m]) - base for m in left}
            pick = max(left, key=lambda m: (gains[m], -m))
            names = tuple(self.table.names[a] for a in axes_of(pick))
            cells = prod(self.table.shape[a] for a in axes_of(pick))
            steps.append(Step(names, cells, gains[pick]))
            told.append(pick)
            left.remove(pick)
        value = self._value(family)
        return ReleasePlan(tuple(steps), value, bound, self.table.size, method, self.deadline.elapsed)
