"""Which records of the original must be published, and which units may have been changed: what `rare` comes down to.

A size is rare if fewer than k units of the original have it. Which units these are follows from the original alone, so
the check computes it by itself:

| `rare` | units of a rare size |
|---|---|
| error | there are none |
| suppress | are left out |
| unlink | are published row by row, without an id |
| merge | are published with fewer members: those left out are known only with the custodian's file |
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from discreet.verify.claims import Claim
from discreet.verify.matchings.secret_file import origins
from discreet.verify.readers import Table
from discreet.verify.units.kept import Kept
from discreet.verify.units.unit import Units, grouped, units

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Settled:
    """The records that must be published, and the units on both sides.

    `kept` are their numbers in the original; `before` and `units` speak of them alone. `flexible` says for each unit
    that it may be published with fewer members, so that some records of `before` may be absent.
    """

    before: Table
    kept: Integers
    units: tuple[Units, Units] | None = None
    flexible: Mask = field(default_factory=lambda: np.zeros(0, bool))
    failures: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether `before` is all of the original."""
        return not isinstance(self.before, Kept)

    @property
    def complete(self) -> bool:
        """Whether every record of `before` must be published."""
        return not self.flexible.any()


def settle(before: Table, after: Table, claim: Claim) -> Settled:
    """The original as it must be published under the claim's roles."""
    everyone = np.arange(before.rows, dtype=np.int64)
    name = claim.roles.unit
    if name is None:
        return Settled(before, everyone)
    old, new = units(before, name), units(after, name)
    rare = rare_units(old, claim.k)
    if not rare.any():
        return Settled(before, everyone, (old, new), np.zeros(old.count, bool))
    one, several = claim.roles.unit_words
    if claim.roles.rare == "error":
        words = f"{int(rare.sum())} {several} are of a size that fewer than {claim.k} have"
        return Settled(before, everyone, (old, new), np.zeros(old.count, bool), (words,))
    inside = (old.of_row >= 0) & rare[old.of_row]
    persons = int(inside.sum())
    if claim.roles.rare == "unlink":
        loose = np.where(inside, -1, old.of_row)
        words = (
            f"{int(rare.sum())} {several} of rare sizes, {persons} rows, which are published without their {one}: all "
            f"{claim.k} candidates of a row may be of one {one}, and tell what its rows share"
        )
        return Settled(before, everyone, (grouped(loose), new), np.zeros(int((~rare).sum()), bool), (), (words,))
    if claim.roles.rare == "suppress":
        kept = np.flatnonzero(~inside)
        words = f"{int(rare.sum())} {several} of rare sizes, {persons} rows, which are left out"
        smaller = grouped(old.of_row[kept])
        return Settled(Kept(before, kept), kept, (smaller, new), np.zeros(smaller.count, bool), (), (words,))
    return _merged(before, (old, new), rare, claim)


def rare_units(found: Units, k: int) -> Mask:
    """Which units have a size that fewer than k units have."""
    sizes = found.sizes
    return np.bincount(sizes, minlength=1)[sizes] < k


def _merged(before: Table, both: tuple[Units, Units], rare: Mask, claim: Claim) -> Settled:
    """Units of rare sizes published with fewer members; the custodian's file says with which."""
    old, new = both
    everyone = np.arange(before.rows, dtype=np.int64)
    several = claim.roles.unit_words[1]
    words = f"{int(rare.sum())} {several} of rare sizes, which are published with fewer members"
    if claim.secret is None:
        return Settled(before, everyone, both, rare, (), (words,))
    kept = origins(claim.secret, before.rows)
    lost = np.ones(before.rows, bool)
    lost[kept] = False
    of = old.of_row[lost]
    failures = []
    if bool((of < 0).any()) or not rare[of].all():
        failures.append(f"the secret file leaves out rows of {several} whose size is not rare")
    left = np.bincount(old.of_row[kept][old.of_row[kept] >= 0], minlength=old.count)
    if (left == 0).any():
        failures.append(f"the secret file leaves out {int((left == 0).sum())} whole {several}")
    words += f": {int(lost.sum())} rows are left out"
    smaller = grouped(old.of_row[kept])
    return Settled(Kept(before, kept), kept, (smaller, new), np.zeros(smaller.count, bool), tuple(failures), (words,))
