"""Plunging: partitions out of the relaxation with cuts, over listed groups, by fixing and going on.

A dive holds together the two records that share most weight in the solution, solves again, and goes on until the
solution is whole or costs more than the best partition known. Then it is done again from near the top with a first
choice forbidden, and again with two of them (limited discrepancy search; for column generation: Sadykov, Vanderbeck,
Pessoa, Tahiri and Uchoa 2019). A choice takes some dozens of simplex steps, so that a hundred dives cost less than an
integer program finds out about its root. Fixing groups instead of pairs found less.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.exact.listed_lp import WHOLE, Bools, ListedLP, Pair, program_of
from discreet.microaggregation.groups import Groups
from discreet.microaggregation.problem import Labels
from discreet.solvers.master_lp import Basis
from discreet.work import Deadline

# Choices forbidden on the way down, how deep the first ones are looked for, and dives in all.
DISCREPANCIES = 2
DEPTH = 10
MOST = 100
# Fixed at once, besides the largest.
SURE = 0.9


class Choice(NamedTuple):
    """The records that a dive held together, and where it stood then."""

    allowed: Bools
    basis: Basis
    pair: Pair


def plunge(groups: Groups, cuts: tuple[Cut, ...], n: int, limit: float, deadline: Deadline) -> Labels | None:
    """The best partition into the groups that dives find below `limit`, or None."""
    lp = ListedLP(program_of(groups, cuts), n, limit)
    best: Labels | None = None
    waiting: deque[tuple[Bools, Basis | None, int]] = deque([(lp.everything(), None, 0)])
    dives = 0
    while waiting and dives < MOST and not deadline.passed:
        allowed, basis, forbidden = waiting.popleft()
        dives += 1
        found, path = _dive(lp, allowed, basis, limit, deadline)
        if found is not None:
            best, limit = found
        if forbidden < DISCREPANCIES:
            for choice in path[:DEPTH]:
                apart = lp.side(choice.allowed, choice.pair, together=False)
                waiting.append((apart, choice.basis, forbidden + 1))
    return best


def _dive(
    lp: ListedLP, allowed: Bools, basis: Basis | None, limit: float, deadline: Deadline
) -> tuple[tuple[Labels, float] | None, list[Choice]]:
    """The partition that a dive ends in, where it is below the limit, and the choices on the way."""
    path: list[Choice] = []
    while True:
        lp.allow(allowed)
        if basis is not None:
            lp.lp.restore(basis)
            basis = None
        solution = lp.solve(deadline.remaining)
        if not solution.solved or solution.value >= limit:
            return None, path
        if solution.is_whole:
            found = lp.partition(solution.x)
            return found if found is not None and found[1] < limit else None, path
        pairs, weights = lp.shared(solution.x)
        near = np.flatnonzero(weights < 1 - 1e-4)
        if solution.out.max() > WHOLE or not len(near):
            return None, path
        # Of those of most weight, the last.
        most = near[weights[near] == weights[near].max()][-1]
        one, other = pairs[most].tolist()
        path.append(Choice(allowed, lp.lp.basis(), (one, other)))
        for one, other in pairs[[most, *near[weights[near] >= SURE]]].tolist():
            allowed = lp.side(allowed, (one, other), together=True)
