"""Plunging: partitions out of the relaxation with cuts, over listed groups, by fixing and going on.

A dive fixes what weighs most in the solution (a group, or two records that are held together), solves again, and goes
on until the solution is whole or costs more than the best partition known. Then it is done again from near the top with
a first choice forbidden, and again with two of them (limited discrepancy search; for column generation: Sadykov,
Vanderbeck, Pessoa, Tahiri and Uchoa 2019). A dive takes as long as some dozens of simplex steps each, so that a hundred
of them cost less than an integer program finds out about its root.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from discreet.microaggregation.certificate.listed_lp import WHOLE, Bools, ListedLP, Pair
from discreet.microaggregation.certificate.partitioning import Listed
from discreet.microaggregation.certificate.standing import Cut
from discreet.microaggregation.problem import Labels
from discreet.work import Deadline

# Choices forbidden on the way down, how deep the first ones are looked for, and dives in all.
DISCREPANCIES = 2
DEPTH = 10
MOST = 60
# Fixed at once, besides the largest.
SURE = 0.9


class Choice(NamedTuple):
    """What a dive fixed, and where it stood then."""

    allowed: Bools
    basis: Any
    what: int | Pair


def plunge(
    groups: Listed, cuts: tuple[Cut, ...], n: int, limit: float, by_pairs: bool, deadline: Deadline
) -> Labels | None:
    """The best partition into the groups that dives find below `limit`, or None."""
    lp = ListedLP(groups.members, groups.sizes, groups.costs, n, cuts, limit)
    best: Labels | None = None
    waiting: deque[tuple[Bools, Any, int]] = deque([(lp.everything(), None, 0)])
    dives = 0
    while waiting and dives < MOST and not deadline.passed:
        allowed, basis, forbidden = waiting.popleft()
        dives += 1
        found, path = _dive(lp, allowed, basis, limit, by_pairs, deadline)
        if found is not None:
            best, limit = found
        if forbidden < DISCREPANCIES:
            for choice in path[:DEPTH]:
                waiting.append((_without(lp, choice), choice.basis, forbidden + 1))
    return best


def _dive(
    lp: ListedLP, allowed: Bools, basis: Any, limit: float, by_pairs: bool, deadline: Deadline
) -> tuple[tuple[Labels, float] | None, list[Choice]]:
    """The partition that a dive ends in, where it is below the limit, and the choices on the way."""
    path: list[Choice] = []
    while True:
        lp.allow(allowed)
        if basis is not None:
            lp.lp.restore(basis)
            basis = None
        solution = lp.lp.solve(deadline.remaining)
        if not solution.solved or solution.value >= limit:
            return None, path
        x = solution.x[lp.n :]
        if lp.is_whole(solution):
            found = lp.partition(x)
            return found if found is not None and found[1] < limit else None, path
        if solution.x[: lp.n].max() > WHOLE:
            return None, path
        here = allowed, lp.lp.basis()
        if by_pairs:
            shared = {pair: z for pair, z in lp.shared(x).items() if z < 1 - 1e-4}
            if not shared:
                return None, path
            first = max(shared, key=lambda pair: (shared[pair], pair))
            path.append(Choice(*here, first))
            for pair in (first, *(pair for pair, z in shared.items() if z >= SURE)):
                allowed = lp.side(allowed, pair, together=True)
        else:
            split = np.flatnonzero((x > WHOLE) & (x < 1 - WHOLE))
            largest = int(split[np.argmax(x[split])])
            path.append(Choice(*here, largest))
            for g in (largest, *split[x[split] >= SURE]):
                allowed = allowed & _beside(lp, int(g))


def _beside(lp: ListedLP, group: int) -> Bools:
    """The groups that can be in a partition with this one."""
    row = lp.members[group]
    apart = ~lp.inside[row[row >= 0]].any(axis=0)
    apart[group] = True
    return apart


def _without(lp: ListedLP, choice: Choice) -> Bools:
    """What was allowed before the choice, less the choice."""
    if isinstance(choice.what, tuple):
        return lp.side(choice.allowed, choice.what, together=False)
    allowed = choice.allowed.copy()
    allowed[choice.what] = False
    return allowed
