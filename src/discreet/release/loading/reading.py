"""A file as a table, under a custodian's choices: what is read, what is taken for what, and what is in the way.

`read_file` works in this process, without limits, for the file of whoever calls. Files that are sent are read in a
process of their own (`apart.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from os import PathLike
from typing import Any

from discreet.errors import Faults, InputError, listing
from discreet.release.engine import Table
from discreet.release.loading.checks import check_names, check_size, check_table, published_masks
from discreet.release.loading.choices import Choices
from discreet.release.loading.columns import PARTS, Column, Taken, describe, explain_doubt, take
from discreet.release.loading.limits import EVERYTHING, Sight
from discreet.release.loading.published import Figures, judge
from discreet.release.policy import Policy


@dataclass(frozen=True)
class Reading:
    """What a file holds. There is a table where nothing is in doubt and nothing wrong (`faults`).

    `figures` tell what the margins that the policy declares as published reveal.
    """

    rows: int
    columns: tuple[Column, ...]
    taken: Taken | None = None
    table: Table | None = None
    faults: tuple[str, ...] = ()
    figures: Figures | None = None

    @property
    def doubt(self) -> tuple[str, ...]:
        return () if self.taken is None else self.taken.doubt

    def settled(self) -> Table:
        """The table; one error that says what keeps it from being one."""
        if self.doubt:
            raise InputError([explain_doubt(self.doubt), *self.faults])
        if self.table is None:
            raise InputError(self.faults)
        return self.table

    def notes(self) -> list[str]:
        """What the custodian should know about what was not taken."""
        left = () if self.taken is None else self.taken.left_out
        return [f"Not variables unless they are named (--variables, field variables): {listing(left)}."] if left else []


def read_file(
    path: str | PathLike[str],
    choices: Choices,
    policy: Policy | None = None,
    sight: Sight = EVERYTHING,
) -> Reading:
    """Read a file, as far as it is worth it at first sight; a file that cannot be read at all is an error."""
    from discreet.frames import read

    document = read(path, columns=sight.columns)
    check_names(document.names)
    found = (*describe(document), *(Column(name, PARTS, 0, False) for name in sight.parts))
    rows = len(document)
    try:
        taken = take(list(found), choices)
    except InputError as error:
        return Reading(rows, found, faults=error.faults)
    if taken.doubt:
        return Reading(rows, found, taken)
    try:
        table = _table(document, found, taken, choices)
        faults = Faults()
        check_table(faults, table)
        faults.raise_if_any()
        figures = None if policy is None else judge(table, policy, published_masks(table, policy))
    except InputError as error:
        return Reading(rows, found, taken, faults=error.faults)
    return Reading(rows, found, taken, table, figures=figures)


def _table(document: Any, found: Sequence[Column], taken: Taken, choices: Choices) -> Table:
    from discreet.frames import adopt

    own = list(taken.variables)
    if not own:
        raise InputError("no column is left for a variable: name the variables to keep (--variables, field variables)")
    faults = Faults()
    check_size(faults, own, prod(column.distinct for column in found if column.name in own))
    faults.raise_if_any()
    if choices.variables is None:
        # Where nobody named the variables, amounts and totals among the cells are refused.
        kept = own if taken.count is None else [*own, taken.count]
        document, names = replace(document, frame=adopt(document.frame).select(kept).to_native()), None
    else:
        names = own
    return Table.from_frame(document, names) if taken.count is None else Table.from_counts(document, taken.count, names)
