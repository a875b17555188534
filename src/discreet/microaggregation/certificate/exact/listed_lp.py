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
from numba import njit
from numpy.typing import NDArray

from discreet.microaggregation.certificate.cuts.cut import Cut, coefficients, index_cuts
from discreet.microaggregation.certificate.cuts.modular import separate
from discreet.microaggregation.certificate.cuts.rank_one import separate_triples, support_of
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.groups import Groups, labels_of, take
from discreet.microaggregation.problem import Labels
from discreet.solvers.master_lp import Basis, MasterLP

Bools = NDArray[np.bool_]
Codes = NDArray[np.int64]
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

    groups: Groups
    cuts: tuple[Cut, ...]
    first: Ints
    allowed: Bools
    basis: Basis | None = None


def program_of(groups: Groups, cuts: Sequence[Cut], first: Ints | None = None) -> Program:
    m = len(groups.sizes)
    first = np.arange(m, dtype=np.int32) if first is None else first
    return Program(groups, tuple(cuts), first, np.ones(m, np.bool_))


class Charges(NamedTuple):
    """The groups' coefficients in the cuts that are not zero: those of group g are at start[g] : start[g + 1]."""

    start: Ints
    cut: Ints
    value: Floats


class ListedLP:
    """`limit`: no partition of interest costs as much, which prices records that stay out."""

    def __init__(self, program: Program, n: int, limit: float) -> None:
        self.n, self.limit = n, limit
        self.groups = program.groups
        self.members, self.sizes, self.costs = program.groups
        m = len(self.sizes)
        self.cuts: list[Cut] = list(program.cuts)
        self._rhs = _right(self.cuts)
        self._charges = Charges(*coefficients(self.members, self.sizes, index_cuts(self.cuts, n)))
        ones = np.ones(n)
        self.lp = MasterLP(np.concatenate([ones, np.full(len(self.cuts), -np.inf)]), np.concatenate([ones, self._rhs]))
        # A record may stay out, at a price that no partition below the limit would pay.
        self.lp.add_columns(
            np.full(n, 100.0 * abs(limit) + 1.0),
            np.arange(n + 1, dtype=np.int32),
            np.arange(n, dtype=np.int32),
            ones,
        )
        self.open = np.ones(m, np.bool_)
        # The groups in the program, by column, and each group's column.
        self._entered: Ints = np.zeros(0, np.int32)
        self._column: Ints = np.full(m, -1, np.int32)
        self._enter(program.first)
        self.allow(program.allowed)
        if program.basis is not None:
            self.lp.restore(program.basis)

    @property
    def entered(self) -> Bools:
        return self._column >= 0

    def _enter(self, groups: Ints) -> None:
        self._column[groups] = self.n + len(self._entered) + np.arange(len(groups), dtype=np.int32)
        self._entered = np.concatenate([self._entered, groups])
        self.lp.add_columns(self.costs[groups], *_entries(self.groups, self._charges, groups, self.n))

    def everything(self) -> Bools:
        return np.ones(len(self.sizes), np.bool_)

    def add_cuts(self, cuts: Sequence[Cut]) -> None:
        fresh = Charges(*coefficients(self.members, self.sizes, index_cuts(cuts, self.n)))
        by_group = sp.csc_matrix((fresh.value, fresh.cut, fresh.start), shape=(len(cuts), len(self.sizes)))
        rows, rhs = by_group[:, self._entered].tocsr(), _right(cuts)
        self.lp.add_rows(np.full(len(cuts), -np.inf), rhs, rows.indptr, self.n + rows.indices, rows.data)
        self._charges = _joined(self._charges, fresh, len(self.cuts))
        self.cuts += cuts
        self._rhs = np.concatenate([self._rhs, rhs])

    def separate(self, x: Floats, executor: Executor | None = None, *, cheap: bool = False) -> bool:
        """Add what is violated, of the cheapest kind alone or of all; False where nothing is."""
        support = support_of(self.members, self.sizes, x, self.n)
        if cheap:
            cuts = separate_triples(support, set(self.cuts), 100, LEAST)
        else:
            cuts = separate(support, set(self.cuts), LEAST, executor, triples=100, others=50, enough=10)
        if cuts:
            self.add_cuts(cuts)
        return bool(cuts)

    def part(self, allowed: Bools, basis: Basis | None) -> tuple[Program, Bools]:
        """The program over these groups alone, without the cuts that do nothing; from the basis, which stays one: what
        is basic stays in, even where it is not allowed, and goes on to be driven out. With it the groups that stay."""
        basis = self.lp.basis() if basis is None else basis
        columns, rows = self.lp.is_basic(basis)
        keep = allowed.copy()
        keep[self._entered[columns[self.n :]]] = True
        within = keep[self._entered]
        place = np.cumsum(keep, dtype=np.int32) - 1
        cuts = [t for t in range(len(self.cuts)) if not rows[self.n + t]]
        program = Program(
            take(self.groups, keep),
            tuple(self.cuts[t] for t in cuts),
            place[self._entered[within]],
            allowed[keep],
            self.lp.part_of(
                basis,
                np.concatenate([np.arange(self.n), self.n + np.flatnonzero(within)]),
                np.concatenate([np.arange(self.n), self.n + np.array(cuts, np.int64)]),
            ),
        )
        return program, keep

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
        reduced, below = _price(self.groups, self._charges, multipliers, weights, self.open)
        size = float(np.abs(multipliers).sum() + weights @ self._rhs) + abs(self.limit)
        rounding = (self.members.shape[1] + len(self.cuts) + n) * size - len(reduced) * below
        return float(multipliers.sum()) - float(weights @ self._rhs) + below - 2.0**-52 * rounding, reduced

    def partition(self, x: Floats) -> tuple[Labels, float] | None:
        """The groups of weight one, where they are a partition, and what it costs."""
        chosen = x > 0.5
        labels = labels_of(self.members[chosen], self.n)
        if (labels < 0).any() or int(self.sizes[chosen].sum()) != self.n:
            return None
        return labels, float(self.costs[chosen].sum())

    def shared(self, x: Floats) -> tuple[NDArray[np.int32], Floats]:
        """Pairs of records, in order, with the weight of the fractional groups that hold both."""
        split = np.flatnonzero((x > WHOLE) & (x < 1 - WHOLE)).astype(np.int32)
        codes, weights = _pairs(self.groups, split, x, self.n)
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
        first = np.flatnonzero(np.diff(codes, prepend=-1))
        weights = np.add.reduceat(weights[order], first) if len(first) else weights
        return np.stack(np.divmod(codes[first], self.n), axis=1).astype(np.int32), weights

    def side(self, allowed: Bools, pair: Pair, together: bool) -> Bools:
        return _side(self.groups, allowed, *pair, together)


def _right(cuts: Sequence[Cut]) -> Floats:
    return np.array([float(cut.rhs) for cut in cuts])


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _entries(groups: Groups, charges: Charges, wanted: Ints, n: int) -> tuple[Ints, Ints, Floats]:
    """These groups as columns: the rows of their records, then those of the cuts."""
    start = np.zeros(wanted.size + 1, np.int32)
    for j, g in enumerate(wanted):
        start[j + 1] = start[j] + groups.sizes[g] + charges.start[g + 1] - charges.start[g]
    index = np.empty(start[-1], np.int32)
    value = np.ones(start[-1])
    for j, g in enumerate(wanted):
        at, size = start[j], groups.sizes[g]
        for a in range(size):
            index[at + a] = groups.members[g, a]
        at += size - charges.start[g]
        for e in range(charges.start[g], charges.start[g + 1]):
            index[at + e] = n + charges.cut[e]
            value[at + e] = charges.value[e]
    return start, index, value


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _joined(old: Charges, fresh: Charges, known: int) -> Charges:
    """The charges of `known` cuts and of those that follow them."""
    m = old.start.size - 1
    start = old.start + fresh.start
    cut = np.empty(start[m], np.int32)
    value = np.empty(start[m])
    for g in range(m):
        at = start[g] - old.start[g]
        for e in range(old.start[g], old.start[g + 1]):
            cut[at + e], value[at + e] = old.cut[e], old.value[e]
        at = start[g + 1] - fresh.start[g + 1]
        for e in range(fresh.start[g], fresh.start[g + 1]):
            cut[at + e], value[at + e] = known + fresh.cut[e], fresh.value[e]
    return Charges(start, cut, value)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _price(
    groups: Groups, charges: Charges, multipliers: Floats, weights: Floats, allowed: Bools
) -> tuple[Floats, float]:
    """Reduced costs, and the sum of those below zero among the groups that are allowed."""
    m = groups.sizes.size
    reduced = np.empty(m)
    below = 0.0
    for g in range(m):
        value = groups.costs[g]
        for a in range(groups.sizes[g]):
            value -= multipliers[groups.members[g, a]]
        for e in range(charges.start[g], charges.start[g + 1]):
            value += charges.value[e] * weights[charges.cut[e]]
        reduced[g] = value
        if value < 0.0 and allowed[g]:
            below += value
    return reduced, below


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _pairs(groups: Groups, split: Ints, x: Floats, n: int) -> tuple[Codes, Floats]:
    """Every pair (u, v), u < v, within these groups as u·n + v, with the group's weight."""
    capacity = 0
    for g in split:
        capacity += groups.sizes[g] * (groups.sizes[g] - 1) // 2
    codes = np.empty(capacity, np.int64)
    weights = np.empty(capacity)
    at = 0
    for g in split:
        for a in range(groups.sizes[g]):
            for b in range(a):
                u, v = groups.members[g, a], groups.members[g, b]
                codes[at] = np.int64(min(u, v)) * n + max(u, v)
                weights[at] = x[g]
                at += 1
    return codes, weights


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _side(groups: Groups, allowed: Bools, one: int, other: int, together: bool) -> Bools:
    """The groups that hold both records or neither, or those that do not hold both."""
    out = np.zeros(allowed.size, np.bool_)
    for g in range(allowed.size):
        if allowed[g]:
            held = 0
            for a in range(groups.sizes[g]):
                v = groups.members[g, a]
                if v in (one, other):
                    held += 1
            out[g] = held != 1 if together else held != 2
    return out
