"""Columns that go out as they came in: some are left out on request, and some are pointed at."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from discreet.errors import InputError


def without(frame: Any, dropped: Sequence[str] | None, used: Collection[str] = ()) -> Any:
    """The frame without the columns in `dropped`; one error names those that do not exist or are `used`."""
    if not dropped:
        return frame
    from discreet.frames import adopt, column_faults

    table = adopt(frame)
    faults = column_faults(table, dropped, what="column to drop")
    both = [name for name in dropped if name in set(used)]
    if both:
        faults.append(f"both dropped and used: {', '.join(both)}; choose one")
    if len(set(dropped)) == len(table.columns):
        faults.append("every column is dropped: nothing is left to publish")
    if faults:
        raise InputError(faults)
    return table.drop(list(dropped)).to_native()


def notice(frame: Any, changed: Collection[str]) -> str | None:
    """A warning that names the columns published as they are whose value is different in every row."""
    from discreet.frames import adopt

    table = adopt(frame)
    unchanged = [name for name in table.columns if name not in set(changed)]
    alone = [name for name in unchanged if len(table) > 1 and table[name].n_unique() == len(table)]
    if not alone:
        return None
    return (
        f"Published as they are, though different in every row, so that they may tell who is who: {', '.join(alone)}. "
        "Leave such columns out with --drop."
    )
