"""What the roles of units mean for columns that are left: rows that a published id links, and sizes that are hidden.

Rows that a unit's id links are linked by their own right: a column that is the same within units tells nothing new of
them, unless it joins units to one another. Rows that were unlinked must not be joined again.

Where units of rare sizes are unlinked, or published with fewer members, the size that they had is hidden: a column that
tells it, or that numbers the members, brings them back to fewer than k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.verify.claims import Claim
from discreet.verify.groups import dense
from discreet.verify.readers import Table
from discreet.verify.units.settle import Settled, rare_units
from discreet.verify.units.unit import units

Integers = NDArray[np.int64]

JOINED = 0.2
"""So many of the units may have a value that another has too, by accident."""
NUMBERED = 0.9


@dataclass(frozen=True)
class Linked:
    """The unit of each original and of each published row, −1 for none; `home` and `sizes` are those it came from.

    `sizes` is None where none are hidden; `cut` says that units are published with fewer members.
    """

    before: Integers
    after: Integers
    home: Integers
    sizes: Integers | None
    cut: bool
    one: str

    def joins(self, codes: Integers) -> bool:
        """Whether a column may join rows that are not linked by right: units to one another, or rows without one."""
        return bool((self.before < 0).any()) or self._joins_units(codes)

    def groups(self, codes: Integers, own: Integers) -> tuple[Integers, Integers]:
        """The groups that a column makes of original and of published rows, −1 for rows that it does not join."""
        if self._joins_units(codes):
            return codes, codes[own]
        return np.where(self.before < 0, codes, -1), np.where(self.after < 0, codes[own], -1)

    def _joins_units(self, codes: Integers) -> bool:
        """Whether a column varies within units, or has the same value in many of them."""
        held, many = self.before >= 0, int(codes.max(initial=0)) + 1
        units, values = np.divmod(np.unique(self.before[held] * many + codes[held]), many)
        if units.size > np.unique(units).size:
            return True
        return bool(values.size and (np.bincount(values)[values] > 1).mean() > JOINED)

    def one_each(self, sample: Integers | None, chosen: Integers | None) -> Integers:
        """Of the chosen rows of a sample one at random of each unit: members of a unit need nobody to tell of others.

        The id that links them is published: that two of them agree in a column tells of neither.
        """
        rows = np.arange(self.home.size if sample is None else sample.size) if chosen is None else chosen
        rows = rows[np.random.default_rng(0).permutation(rows.size)]
        home = self.home[rows if sample is None else sample[rows]]
        return np.sort(rows[np.unique(home, return_index=True)[1]])

    def numbers_members(self, places: NDArray[np.float64] | None) -> bool:
        """Whether a column numbers the members of units one after another, where some of them are left out."""
        if not self.cut or self.sizes is None or places is None or not np.isfinite(places).all():
            return False
        order = np.lexsort((places, self.home))
        same = np.diff(self.home[order]) == 0
        step = np.diff(places[order])[same] == 1.0
        return bool(step.size > 0 and step.mean() >= NUMBERED)


def linked(before: Table, settled: Settled, claim: Claim) -> Linked | None:
    """The links of a release; None where there are no units."""
    name = claim.roles.unit
    if name is None or settled.units is None:
        return None
    old = units(before, name)
    hidden = claim.roles.rare in ("merge", "unlink") and bool(rare_units(old, claim.k).any())
    home = old.of_row[settled.kept]
    sizes = np.where(home >= 0, old.sizes[home], 1) if hidden else None
    cut = claim.roles.rare == "merge"
    return Linked(settled.units[0].of_row, settled.units[1].of_row, dense(home), sizes, cut, claim.roles.unit_words[0])
