"""The bound that the evidence in a certificate proves, computed from the data, with every rounding on the safe side.

For any multipliers λ, cuts with penalties w ≥ 0 and values r_i ≤ 0, every partition P into groups of k or more has

    SSE(P) ≥ B = Σ λ − Σ_T w_T·⌊Σ a_T / b_T⌋ + (the ⌊n/k⌋ least of the r_i)

if no group C of k .. 2k−1 records, with i its member of largest λ (the first of equals), has

    rc(C) = Σ_{pairs} d²/|C| − Σ_{v∈C} λ_v + Σ_T w_T·⌊Σ_{v∈C} a_Tv / b_T⌋ < r_i.

The second is decided by an enumeration of its own (`groups.py`). With a target U the same enumeration lists
every group that a partition below U could use, rc(C) < U − B + r_i, and an integer program over them
(`programs.py`) bounds the SSE of such a partition by M. Then min(U, M) is a bound *for any U*: what the
target is set to does not matter.

Some certificates list only the groups that hold one of the `searched` records of largest λ, since the others are too
many. An integer program then finds how much more than B these must cost at least, whatever becomes of other records:
each of the searched ones is held once, the others at most once; cuts that lie among the searched ones hold as they
are. That is a bound by itself; in a second step the other groups are listed up to what the target and this cost
leave, and all of them decided as above.

**Rounding.** Distances are right to a share of themselves (`points.py`). A reduced cost, and every bound on
it in the enumeration, is a sum of at most 4k² terms that are distances of the group or not larger, multipliers,
penalties and the limit. With Λ the largest |λ|, W the most that the cuts through one record can add, L the largest
limit, γ as below and γ' = γ and the share of distances, what is computed for C is off by at most

    γ'·SSE(C) + γ·(2k·(Λ + W) + L),    γ = (d + 8k² + 64 + c)·2⁻⁵¹,

with c the most cuts through one record, whose penalties are added one by one. For the ⌊n/k⌋ groups of a partition this
is γ'·SSE(P) + γ·(2n·(Λ + W) + L·n/k): that much is taken from B, and added to the limits up to which groups are listed.
The r_i are first lowered by a little, so that the certificate's own rounding does not matter. All multipliers are as
good as any, so nothing depends on how they were rounded.

**Data.** Numbers of the file with more digits than float64 has were rounded when they were read. √SSE of a partition is
a seminorm of the data, so for the numbers themselves, with e the norm of what rounding may have changed and 1 + ρ the
most by which it may have narrowed a scale (`points.py`),

    √SSE(P) ≥ (√SSE(P as read) − e) / (1 + ρ).
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.verify.certificates.groups import (
    CUT_OFF,
    DONE,
    LATE,
    TOO_MANY,
    Found,
    enumerate_below,
    nearest_sums,
)
from discreet.verify.certificates.points import TINY, UNIT, Scaled, group_costs, lines_bound, neighbors_bound, within
from discreet.verify.certificates.programs import least_cost
from discreet.verify.certificates.reading import PRICED, Certificate, Cut, Malformed
from discreet.verify.certificates.walk import penalties, rules_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Root values are lowered by this share of the mean |λ|: more than two ways of rounding differ.
SLACK = 1e-10
# Scaled records have an SST of at most n·d. Evidence beyond this is about nothing that could be in the data.
LARGEST = 2.0**200
MOST_GROUPS = 300_000
# Integer programs are solved to this share of the target: a fifth of what counts as optimal.
OPEN_SHARE = 2e-8
UNDECIDED = {
    CUT_OFF: "the enumeration took more branches than allowed",
    TOO_MANY: "a record has more candidates than fit in memory",
    LATE: "the enumeration took more time than allowed",
}
TOO_LISTED = "there are too many groups to search among"
NOT_SOLVED = "the integer program was not solved"
BELOW = "a group has a smaller reduced cost than the certificate states"


@dataclass(frozen=True)
class Effort:
    """How much a check may do before it says that it cannot tell: branches of each enumeration, seconds in all."""

    branches: int = 2_000_000_000
    seconds: float = math.inf


@dataclass(frozen=True)
class Proven:
    """A bound on every SSE (in the units of the scaled records), or why there is none: a failure, or undecided."""

    value: float = 0.0
    failure: str | None = None
    undecided: str | None = None
    groups: int = 0


def prove(scaled: Scaled, certificate: Certificate, k: int, effort: Effort) -> Proven:
    """The largest bound that the certificate's argument gives, for groups of k or more of these records."""
    proven = _argued(scaled, certificate, k, effort)
    if scaled.rounded == 0.0:
        return proven
    root = max(math.sqrt(proven.value) - scaled.rounded, 0.0) / (1.0 + scaled.narrowed)
    return replace(proven, value=root * root * (1.0 - 8 * UNIT))


def _argued(scaled: Scaled, certificate: Certificate, k: int, effort: Effort) -> Proven:
    n = len(scaled.points.values)
    kind = certificate.bound
    if kind == "zero" or k == 1:
        return Proven()
    if kind == "only partition":
        if n >= 2 * k:
            return Proven(failure="there is more than one partition")
        whole = within(scaled.points, np.zeros(n, np.int64))
        return Proven(max(whole * (1 - scaled.share) - TINY, 0.0))
    if kind == "dynamic programming":
        return Proven(lines_bound(scaled, k))
    if kind == "nearest neighbors":
        return Proven(neighbors_bound(scaled, k))
    assert kind in PRICED
    return _Pricing(scaled, certificate, k, effort).prove()


class _Pricing:
    """The evidence of one certificate in the units of the scaled records, and how far it may be off."""

    def __init__(self, scaled: Scaled, certificate: Certificate, k: int, effort: Effort) -> None:
        self.points, self.k, self.n = scaled.points, k, len(scaled.points.values)
        self.branches, self.end = effort.branches, time.monotonic() + effort.seconds
        shift = certificate.exponent - scaled.shift
        self.multipliers = _moved(certificate.multipliers, shift)
        self.roots = np.zeros(self.n)
        self.roots[list(certificate.roots)] = _moved(list(certificate.roots.values()), shift)
        weights = _moved([cut.penalty for cut in certificate.cuts], shift)
        self.cuts = [Cut(c.records, c.numerators, c.divisor, float(w)) for c, w in zip(certificate.cuts, weights)]
        self.rules = rules_of(self.cuts, self.n)
        self.target = None if certificate.target is None else float(_moved([certificate.target], shift)[0])
        self.searched, self.second = certificate.searched, certificate.second
        self.most = self.n // k
        through = int(np.diff(self.rules.start).max(initial=0))
        self.gamma = (self.points.factor.size + 8 * k * k + 64 + through) * 2.0**-51
        self.share = scaled.share + self.gamma
        self.size = float(np.abs(self.multipliers).max()) + _most_owed(self.cuts, self.n)
        total = math.fsum(np.abs(self.multipliers))
        slack = SLACK * total / self.n + self.gamma * 2 * k * self.size
        self.roots -= slack
        self.base = (
            math.fsum(self.multipliers)
            - math.fsum(cut.penalty * cut.rhs for cut in self.cuts)
            + math.fsum(np.sort(self.roots)[: self.most])
        )
        self.near = nearest_sums(self.points, k)

    def prove(self) -> Proven:
        found = self._listed(self.roots, 0)
        if len(found.sizes):
            return Proven(failure=BELOW)
        if found.state != DONE:
            return Proven(undecided=UNDECIDED[found.state])
        limit = float(np.abs(self.roots).max())
        value = max((self.base - self._off(0.0, limit)) / (1 + 2 * self.share), 0.0)
        if self.target is None or self.target <= value:
            return Proven(value)
        return self._below_target(value, self.target)

    def _off(self, loss: float, limit: float) -> float:
        """How far the groups of a partition of SSE `loss` may be off together, with limits of this size."""
        return self.share * loss + self.gamma * self.most * (2 * self.k * self.size * 2 + limit) + TINY

    def _below_target(self, value: float, target: float) -> Proven:
        """A partition below the target is made of listed groups; what these cost at least."""
        largest = 2 * (abs(target - self.base) + float(np.abs(self.roots).max()))
        off = self._off(target, largest)
        allowance = target - self.base + off
        limits = self.roots + allowance + off
        if self.searched is not None:
            region = np.zeros(self.n, np.bool_)
            region[np.lexsort((np.arange(self.n), -self.multipliers))[: self.searched]] = True
            found = self._listed(np.where(region, limits, -np.inf), MOST_GROUPS)
            if found.state != DONE:
                return self._undecided(found)
            least = self._least_excess(region, found, allowance)
            if least is None:
                return Proven(undecided=NOT_SOLVED)
            least -= 2 * off
            if not self.second or least >= allowance:
                return Proven(max(value, min(target, self.base + least)), groups=len(found.sizes))
            limits = np.where(region, limits, limits - max(least, 0.0))
        found = self._listed(limits, MOST_GROUPS)
        if found.state != DONE:
            return self._undecided(found)
        worth = np.append(self.multipliers, 0.0)[found.groups].sum(axis=1)
        costs = group_costs(self.points, found.groups, found.sizes) - worth
        least = self._solved(costs, found, np.ones(self.n, np.bool_), allowance)
        if least is None:
            return Proven(undecided=NOT_SOLVED)
        reached = math.fsum(self.multipliers) + least - 2 * off
        return Proven(max(value, min(target, reached)), groups=len(found.sizes))

    def _least_excess(self, region: NDArray[np.bool_], found: Found, allowance: float) -> float | None:
        """What the groups that hold the region's records cost above the bound of the multipliers, at least."""
        inside = [region[list(cut.records)].all() for cut in self.cuts]
        kept = math.fsum(cut.penalty * cut.rhs for cut, within in zip(self.cuts, inside) if within)
        others = rules_of([cut for cut, within in zip(self.cuts, inside) if not within], self.n)
        worth = np.append(self.multipliers, 0.0)[found.groups].sum(axis=1)
        costs = group_costs(self.points, found.groups, found.sizes) - worth
        # The root of a listed group is its first member.
        costs += penalties(others, found.groups, found.sizes) - self.roots[found.groups[:, 0]]
        least = self._solved(costs, found, region, allowance)
        return None if least is None else least + kept

    def _listed(self, limits: Floats, most: int) -> Found:
        return enumerate_below(
            self.points, self.multipliers, limits, self.k, self.rules,
            most=most, branches=self.branches, seconds=self.end - time.monotonic(), near=self.near,
        )  # fmt: skip

    def _solved(self, costs: Floats, found: Found, required: NDArray[np.bool_], allowance: float) -> float | None:
        return least_cost(
            costs, found.groups, found.sizes, required, allowance, self.most,
            gap=OPEN_SHARE * (self.target or 0.0), seconds=self.end - time.monotonic(),
        )  # fmt: skip

    def _undecided(self, found: Found) -> Proven:
        words = TOO_LISTED if found.state == CUT_OFF else UNDECIDED[found.state]
        return Proven(undecided=words, groups=len(found.sizes))


def _moved(numbers: Sequence[float], shift: int) -> Floats:
    """Numbers times 2^shift; `Malformed` where they are beyond anything that the data can have."""
    with np.errstate(over="ignore", under="ignore"):
        moved = np.ldexp(np.array(numbers, np.float64), shift)
    if not bool((np.abs(moved) <= LARGEST).all()):
        raise Malformed("the certificate holds numbers beyond any that these records can have")
    return moved


def _most_owed(cuts: Sequence[Cut], n: int) -> float:
    """The most that the cuts through one record can add to a group's reduced cost."""
    owed = np.zeros(n)
    for cut in cuts:
        owed[list(cut.records)] += cut.penalty * cut.rhs
    return float(owed.max(initial=0.0))
