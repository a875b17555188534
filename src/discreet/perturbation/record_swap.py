"""Record swapping between households: those of one profile who live in different places exchange places.

Households that are risky come first, in random order, and each is moved if anybody is there to move with; then others,
in random order, until the wanted number has moved. The partner is drawn at random from the households of the same
profile in another place that have not moved yet. Who finds nobody is asked again with the next, coarser profile
(Dalenius, Reiss, "Data-swapping: a technique for disclosure control", 1982; targeted record swapping as census offices
do it: Shlomo, Tudor, Groom, "Data swapping for protecting census tables", 2010).

Households of a profile and place stand in one stack in random order. A draw takes the stack by how many are left in
each, and then its last: uniform over all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.measure.risk.frequencies import classes
from discreet.perturbation.randoms import Randoms

Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Swaps(NamedTuple):
    """Per household the one it exchanges places with, itself where it stays, and the profile it was found by, or −1."""

    partner: Codes
    level: Codes


def household_profiles(household: Codes, members: Codes) -> Codes:
    """A number for each household, the same for those of equal size whose members have the same codes in any order."""
    n, count = len(household), int(household.max()) + 1
    order = np.lexsort((members, household))
    sizes = np.bincount(household, minlength=count)
    first = np.cumsum(sizes) - sizes
    out, used = np.zeros(count, np.int64), 0
    for size in np.unique(sizes).tolist():
        own = np.flatnonzero(sizes == size)
        rows = order[np.minimum(first[own][:, None] + np.arange(size), n - 1)]
        found = classes(members[rows])
        out[own] = used + found.of
        used += len(found.size)
    return out


def swap_households(place: Codes, profiles: Sequence[Codes], risky: Mask, wanted: int, randoms: Randoms) -> Swaps:
    """Who exchanges places with whom; `profiles` from the finest on, `wanted` the least number to be moved."""
    count = len(place)
    partner, level = np.arange(count), np.full(count, -1, np.int64)
    shuffled = randoms.order("who is moved", count)
    first = shuffled[risky[shuffled]]
    rest = shuffled[~risky[shuffled]]
    u = randoms.uniform("with whom", count * len(profiles)).reshape(len(profiles), count)
    moved = 0
    for group, needed in ((first, count), (rest, wanted)):
        for number, profile in enumerate(profiles):
            if moved >= needed or moved >= count - 1:
                break
            stacks = _Stacks(place, profile, partner, shuffled)
            for household in group.tolist():
                if moved >= needed:
                    break
                if partner[household] != household:
                    continue
                other = stacks.draw(household, u[number, household])
                if other >= 0:
                    partner[household], partner[other] = other, household
                    level[household] = level[other] = number
                    stacks.take(household)
                    moved += 2
    return Swaps(partner, level)


class _Stacks:
    """Households by profile and place, those that have not moved, each stack in random order."""

    def __init__(self, place: Codes, profile: Codes, partner: Codes, shuffled: Codes) -> None:
        still = shuffled[partner[shuffled] == shuffled]
        found = classes(np.stack([profile[still], place[still]], axis=1))
        order = np.argsort(found.of, kind="stable")
        self.members = still[order]
        self.start = np.cumsum(found.size) - found.size
        self.end = self.start + found.size
        self.left = found.size.copy()
        self.stack = np.full(len(place), -1, np.int64)
        self.stack[still] = found.of
        self.gone = np.zeros(len(place), bool)
        # The stacks of a profile follow one another.
        of_profile = profile[still][found.first]
        edge = np.flatnonzero(np.diff(of_profile, prepend=of_profile[:1] - 1))
        self.low = np.repeat(edge, np.diff(np.append(edge, len(of_profile))))
        self.high = np.repeat(np.append(edge, len(of_profile))[1:], np.diff(np.append(edge, len(of_profile))))

    def draw(self, household: int, u: float) -> int:
        """One of the same profile in another place, which leaves its stack; −1 where there is none."""
        own = self.stack[household]
        low, high = self.low[own], self.high[own]
        left = self.left[low:high].copy()
        left[own - low] = 0
        sums = np.cumsum(left)
        if sums[-1] == 0:
            return -1
        chosen = low + int(np.searchsorted(sums, np.floor(u * sums[-1]), side="right"))
        while True:
            self.end[chosen] -= 1
            other = int(self.members[self.end[chosen]])
            if not self.gone[other]:
                break
        self.take(other)
        return other

    def take(self, household: int) -> None:
        self.gone[household] = True
        self.left[self.stack[household]] -= 1
