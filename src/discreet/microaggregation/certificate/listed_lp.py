"""The linear relaxation over listed groups, with cuts of rank 1, in which groups are closed and opened again.

Its bound does not rest on the solver: for any multipliers λ and penalties w ≥ 0, whatever they come from,

    SSE ≥ Σ_v λ_v − Σ_T w_T·rhs_T + Σ_C min(0, rc(C)) − what rounding may cost,

summed over the groups C that are open. It is computed here from the listed groups themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from discreet.microaggregation.certificate.columns import labels_of
from discreet.microaggregation.certificate.cuts import coefficients, index_cuts, support_of
from discreet.microaggregation.certificate.modular import separate
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.certificate.standing import Cut
from discreet.microaggregation.problem import Labels
from discreet.solvers.master_lp import LpSolution, MasterLP

Bools = NDArray[np.bool_]
Pair = tuple[int, int]

# A group is in the solution, or not, or in between.
WHOLE = 1e-6
# Cuts less violated than this are not worth their row.
LEAST = 0.01


class ListedLP:
    """`limit`: no partition of interest costs as much, which prices records that stay out."""

    def __init__(self, members: Ints, sizes: Ints, costs: Floats, n: int, cuts: Sequence[Cut], limit: float) -> None:
        self.n, self.limit = n, limit
        self._build(members, sizes, costs, cuts)

    def _build(self, members: Ints, sizes: Ints, costs: Floats, cuts: Sequence[Cut]) -> None:
        n = self.n
        self.members, self.sizes, self.costs = members, sizes, costs
        self.inside = np.zeros((n, len(sizes)), np.bool_)
        group, place = np.nonzero(members >= 0)
        self.inside[members[group, place], group] = True
        ones = np.ones(n)
        self.lp = MasterLP(ones, ones)
        # A record may stay out, at a price that no partition below the limit would pay.
        self.lp.add_columns(
            np.full(n, 100.0 * abs(self.limit) + 1.0),
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
            self.add_cuts(cuts)

    def everything(self) -> Bools:
        return np.ones(len(self.sizes), np.bool_)

    def add_cuts(self, cuts: Sequence[Cut]) -> None:
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

    def separate(self, x: Floats, pool: Executor | None = None) -> bool:
        """Add what is violated; False where nothing is."""
        support = support_of(self.members, self.sizes, x, self.n)
        cuts = separate(support, set(self.cuts), LEAST, pool, triples=100, others=50, enough=10)
        if cuts:
            self.add_cuts(cuts)
        return bool(cuts)

    def compact(self, allowed: Bools, duals: Floats) -> Floats:
        """Leave out for good what is not allowed, and cuts that do nothing; the solution of what is left."""
        active = [c for c, y in zip(self.cuts, duals[self.n :]) if y < -1e-9]
        self._build(self.members[allowed], self.sizes[allowed], self.costs[allowed], active)
        return self.lp.solve().x[self.n :]

    def allow(self, allowed: Bools) -> None:
        n, closed = self.n, ~allowed
        self.lp.close_columns((n + np.flatnonzero(closed & ~self._closed)).astype(np.int32))
        self.lp.close_columns((n + np.flatnonzero(self._closed & ~closed)).astype(np.int32), reopen=True)
        self._closed = closed

    def bound(self, duals: Floats, allowed: Bools) -> tuple[float, Floats]:
        """What the multipliers prove where only these groups are allowed, and the groups' reduced costs."""
        n = self.n
        multipliers, weights = duals[:n], np.maximum(-duals[n:], 0.0)
        padded = np.append(multipliers, 0.0)
        reduced = self.costs - padded[self.members].sum(axis=1) + weights @ self.charges
        rhs = np.array([float(c.rhs) for c in self.cuts])
        value = float(multipliers.sum()) - float(weights @ rhs) + float(np.minimum(reduced[allowed], 0.0).sum())
        size = float(np.abs(multipliers).sum() + weights @ rhs) + abs(self.limit)
        return value - (self.members.shape[1] + len(self.cuts) + n) * 2.0**-52 * size, reduced

    def is_whole(self, solution: LpSolution) -> bool:
        x = solution.x[self.n :]
        return not ((x > WHOLE) & (x < 1 - WHOLE)).any() and bool(solution.x[: self.n].max() < WHOLE)

    def partition(self, x: Floats) -> tuple[Labels, float] | None:
        """The groups of weight one, where they are a partition, and what it costs."""
        chosen = x > 0.5
        labels = labels_of(self.members[chosen], self.n)
        if (labels < 0).any() or int(self.sizes[chosen].sum()) != self.n:
            return None
        return labels, float(self.costs[chosen].sum())

    def shared(self, x: Floats) -> dict[Pair, float]:
        """The weight of the fractional groups that hold both records of a pair."""
        weight: dict[Pair, float] = {}
        for g in np.flatnonzero((x > WHOLE) & (x < 1 - WHOLE)):
            row = sorted(int(v) for v in self.members[g] if v >= 0)
            for a, i in enumerate(row):
                for j in row[a + 1 :]:
                    weight[i, j] = weight.get((i, j), 0.0) + float(x[g])
        return weight

    def side(self, allowed: Bools, pair: Pair, together: bool) -> Bools:
        a, b = self.inside[pair[0]], self.inside[pair[1]]
        return allowed & ((a == b) if together else ~(a & b))
