"""Columns of the household: what all members of every original unit share, all rows of a published unit must share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.verify.groups import Codes
from discreet.verify.readers import Table, shown_list
from discreet.verify.units.unit import Units, meanings


def uneven_columns(
    before: Table, after: Table, units: tuple[Units, Units], names: Sequence[str], one: str
) -> list[str]:
    """The failure about columns that agree within the units of the original and not within those published."""
    old, new = units
    if old.count == 0 or int(old.sizes.max()) < 2:
        return []
    wrong = []
    for name in names:
        was, now = before.column(name), after.column(name)
        if _agrees(meanings(was)[was.codes], old) and not _agrees(now.codes, new):
            wrong.append(name)
    if not wrong:
        return []
    return [f"{shown_list(wrong)} agree within every {one} of the original and not within every published one"]


def _agrees(codes: Codes, units: Units) -> bool:
    first = codes[units.rows[units.ends[:-1]]]
    return bool((codes[units.rows] == np.repeat(first, units.sizes)).all())
