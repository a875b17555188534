"""The linear relaxation over listed groups, with cuts of rank 1, in which groups are closed and opened again.

Its bound does not rest on the solver: for any multipliers λ and penalties w ≥ 0, whatever they come from,

    SSE ≥ Σ_v λ_v − Σ_T w_T·rhs_T + Σ_C min(0, rc(C)) − what rounding may cost,

summed over the groups C that are open. It is computed here from the listed groups themselves.

Few of the groups matter at a time: the program begins with some, and others enter where their reduced cost asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.microaggregation.certificate.columns import labels_of
from discreet.microaggregation.certificate.cuts import coefficients, index_cuts, separate_triples, support_of
from discreet.microaggregation.certificate.modular import separate
from discreet.microaggregation.certificate.partitioning import Listed
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.certificate.standing import Cut
from discreet.microaggregation.problem import Labels
from discreet.solvers.master_lp import Basis, MasterLP

Bools = NDArray[np.bool_]
Pair = tuple[int, int]

# A group is in the solution, or not, or in between.
WHOLE = 1e-6
# Cuts less violated than this are not worth their row.
LEAST = 0.01
# Groups enter the program where their reduced cost is below this, the tolerance of the solver, so many at a time.
ENTERS = -1e-9
MOST_ENTER = 400


class Relaxed(NamedTuple):
    """A solution of the relaxation: weights of all groups and of the records that stay out, and what its multipliers
    prove; `solved` is False where the solver was stopped."""

    value: float
    x: Floats
    out: Floats
    bound: float
    reduced: Floats
    solved: bool

    @property
    def is_whole(self) -> bool:
        return not ((self.x > WHOLE) & (self.x < 1 - WHOLE)).any() and bool(self.out.max() < WHOLE)


class Program(NamedTuple):
    """Groups and cuts; the groups in the relaxation from the start; the groups allowed; and where the simplex method
    goes on."""

    groups: Listed
    cuts: tuple[Cut, ...]
    first: Ints
    allowed: Bools
    basis: Basis | None = None


def program_of(groups: Listed, cuts: Sequence[Cut], first: Ints | None = None) -> Program:
    m = len(groups.sizes)
    first = np.arange(m, dtype=np.int32) if first is None else first
    return Program(groups, tuple(cuts), first, np.ones(m, np.bool_))


class ListedLP:
    """`limit`: no partition of interest costs as much, which prices records that stay out."""

    def __init__(self, program: Program, n: int, limit: float) -> None:
        self.n, self.limit = n, limit
        self.members, self.sizes, self.costs = program.groups
        m = len(self.sizes)
        self.inside = np.zeros((n, m), np.bool_)
        group, place = np.nonzero(self.members >= 0)
        self.inside[self.members[group, place], group] = True
        ones = np.ones(n)
        self.lp = MasterLP(ones, ones)
        # A record may stay out, at a price that no partition below the limit would pay.
        self.lp.add_columns(
            np.full(n, 100.0 * abs(limit) + 1.0),
            np.arange(n + 1, dtype=np.int32),
            np.arange(n, dtype=np.int32),
            ones,
        )
        self.cuts: list[Cut] = []
        self._rhs: Floats = np.zeros(0)
        self.charges = sp.csc_matrix((0, m))
        self.open = np.ones(m, np.bool_)
        # The groups in the program, by column, and each group's column.
        self._entered: Ints = np.zeros(0, np.int32)
        self._column: Ints = np.full(m, -1, np.int32)
        self._enter(program.first)
        if program.cuts:
            self.add_cuts(program.cuts)
        self.allow(program.allowed)
        if program.basis is not None:
            self.lp.restore(program.basis)

    @property
    def entered(self) -> Bools:
        return self._column >= 0

    def _enter(self, groups: Ints) -> None:
        self._column[groups] = self.n + len(self._entered) + np.arange(len(groups), dtype=np.int32)
        self._entered = np.concatenate([self._entered, groups])
        members, sizes = self.members[groups], self.sizes[groups]
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        entries: tuple[Ints, Ints, Floats] = start, members[members >= 0], np.ones(int(start[-1]))
        if self.cuts:
            rows = sp.csc_matrix((entries[2], entries[1], start), shape=(self.n, len(groups)))
            rows = sp.vstack([rows, self.charges[:, groups]], format="csc")
            entries = rows.indptr, rows.indices, rows.data
        self.lp.add_columns(self.costs[groups], *entries)

    def everything(self) -> Bools:
        return np.ones(len(self.sizes), np.bool_)

    def add_cuts(self, cuts: Sequence[Cut]) -> None:
        m = len(self.sizes)
        start, cut, value = coefficients(self.members, self.sizes, index_cuts(cuts, self.n))
        fresh = sp.csc_matrix((value.astype(np.float64), cut, start), shape=(len(cuts), m))
        rows = fresh[:, self._entered].tocsr()
        rhs = np.array([float(c.rhs) for c in cuts])
        self.lp.add_rows(np.full(len(cuts), -np.inf), rhs, rows.indptr, self.n + rows.indices, rows.data)
        self.charges = sp.vstack([self.charges, fresh], format="csc") if self.cuts else fresh
        self.cuts += cuts
        self._rhs = np.concatenate([self._rhs, rhs])
        self._charged = self.charges.T

    def separate(self, x: Floats, pool: Executor | None = None, *, cheap: bool = False) -> bool:
        """Add what is violated, of the cheapest kind alone or of all; False where nothing is."""
        support = support_of(self.members, self.sizes, x, self.n)
        if cheap:
            cuts = separate_triples(support, set(self.cuts), 100, LEAST)
        else:
            cuts = separate(support, set(self.cuts), LEAST, pool, triples=100, others=50, enough=10)
        if cuts:
            self.add_cuts(cuts)
        return bool(cuts)

    def part(self, allowed: Bools, basis: Basis | None) -> Program:
        """The program over these groups alone, without the cuts that do nothing; from the basis, which stays one: what
        is basic stays in, even where it is not allowed, and goes on to be driven out."""
        basis = self.lp.basis() if basis is None else basis
        columns, rows = self.lp.is_basic(basis)
        keep = allowed.copy()
        keep[self._entered[columns[self.n :]]] = True
        within = keep[self._entered]
        place = np.cumsum(keep, dtype=np.int32) - 1
        cuts = [t for t in range(len(self.cuts)) if not rows[self.n + t]]
        return Program(
            Listed(self.members[keep], self.sizes[keep], self.costs[keep]),
            tuple(self.cuts[t] for t in cuts),
            place[self._entered[within]],
            allowed[keep],
            self.lp.part_of(
                basis,
                np.concatenate([np.arange(self.n), self.n + np.flatnonzero(within)]),
                np.concatenate([np.arange(self.n), self.n + np.array(cuts, np.int64)]),
            ),
        )

    def allow(self, allowed: Bools) -> None:
        changed = self.entered & (allowed != self.open)
        self.lp.close_columns(self._column[changed & ~allowed])
        self.lp.close_columns(self._column[changed & allowed], reopen=True)
        self.open = allowed

    def solve(self, time_limit: float) -> Relaxed:
        """The relaxation over all groups that are allowed."""
        n = self.n
        while True:
            solution = self.lp.solve(time_limit)
            bound, reduced = self.bound(solution.duals)
            wanted = np.flatnonzero((reduced < ENTERS) & self.open & ~self.entered).astype(np.int32)
            if not len(wanted) or not solution.solved:
                break
            self._enter(wanted[np.argsort(reduced[wanted], kind="stable")[:MOST_ENTER]])
        x = np.zeros(len(self.sizes))
        x[self._entered] = solution.x[n:]
        return Relaxed(solution.value, x, solution.x[:n], bound, reduced, solution.solved)

    def bound(self, duals: Floats) -> tuple[float, Floats]:
        """What the multipliers prove where only the open groups are allowed, and the groups' reduced costs."""
        n = self.n
        multipliers, weights = duals[:n], np.maximum(-duals[n:], 0.0)
        padded = np.append(multipliers, 0.0)
        reduced = self.costs - padded[self.members].sum(axis=1)
        if len(weights):
            reduced += self._charged @ weights
        value = float(multipliers.sum()) - float(weights @ self._rhs) + float(np.minimum(reduced[self.open], 0.0).sum())
        size = float(np.abs(multipliers).sum() + weights @ self._rhs) + abs(self.limit)
        return value - (self.members.shape[1] + len(self.cuts) + n) * 2.0**-52 * size, reduced

    def partition(self, x: Floats) -> tuple[Labels, float] | None:
        """The groups of weight one, where they are a partition, and what it costs."""
        chosen = x > 0.5
        labels = labels_of(self.members[chosen], self.n)
        if (labels < 0).any() or int(self.sizes[chosen].sum()) != self.n:
            return None
        return labels, float(self.costs[chosen].sum())

    def shared(self, x: Floats) -> dict[Pair, float]:
        """The weight of the fractional groups that hold both records of a pair."""
        split = np.flatnonzero((x > WHOLE) & (x < 1 - WHOLE))
        rows = np.sort(self.members[split], axis=1).astype(np.int64)
        one, other = np.triu_indices(rows.shape[1], 1)
        # Places without a record are −1 and come first.
        group, pair = np.nonzero(rows[:, one] >= 0)
        code, at = np.unique(rows[group, one[pair]] * self.n + rows[group, other[pair]], return_inverse=True)
        weight = np.bincount(at, weights=x[split[group]], minlength=len(code))
        return {(c // self.n, c % self.n): w for c, w in zip(code.tolist(), weight.tolist())}

    def side(self, allowed: Bools, pair: Pair, together: bool) -> Bools:
        a, b = self.inside[pair[0]], self.inside[pair[1]]
        return allowed & ((a == b) if together else ~(a & b))
