"""Columns that go out as they came in: some are left out on request, and some are pointed at."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from discreet.errors import Faults, InputError, listing


def without(frame: Any, dropped: Sequence[str] | None, used: Collection[str] = ()) -> Any:
    """The frame without the columns in `dropped`; one error names those that do not exist or are `used`."""
    if not dropped:
        return frame
    from discreet.frames import adopt, column_faults

    table = adopt(frame)
    faults = column_faults(table, dropped, what="column to drop")
    needed = set(used)
    both = [name for name in dropped if name in needed]
    if both:
        faults.append(f"both dropped and used: {listing(both)}; choose one")
    if len(set(dropped)) == len(table.columns):
        faults.append("every column is dropped: nothing is left to publish")
    if faults:
        raise InputError(faults)
    return table.drop(list(dropped)).to_native()


def check_accepted(frame: Any, accepted: Sequence[str], protected: Collection[str]) -> None:
    """One error for accepted columns that are not there, or that are protected anyway."""
    if not accepted:
        return
    from discreet.frames import adopt, column_faults

    faults = Faults()
    for fault in column_faults(adopt(frame), accepted, what="accepted column"):
        faults.add(fault)
    changed = set(protected)
    both = [name for name in accepted if name in changed]
    faults.check(not both, f"both accepted as they are and protected: {listing(both)}; choose one")
    faults.raise_if_any()


def chosen(frame: Any, protected: Sequence[str]) -> str:
    """Which columns were protected because none were named, and which go out as they are."""
    from discreet.frames import adopt, code_columns

    worked = set(protected)
    left = [name for name in adopt(frame).columns if name not in worked]
    words = f"Protected, as no columns were named: the numeric ones, {listing(protected)}."
    if left:
        words += f" Published as they are: {listing(left)}."
    codes = [name for name in code_columns(frame) if name not in worked]
    return f"{words} Taken for codes, by their zeros in front: {listing(codes)}." if codes else words


def notice(frame: Any, changed: Collection[str]) -> str | None:
    """A warning that names the columns published as they are whose value is different in every row."""
    from discreet.frames import adopt, differs_everywhere

    table = adopt(frame)
    worked = set(changed)
    alone = [name for name in table.columns if name not in worked and differs_everywhere(table, name)]
    if not alone:
        return None
    return (
        f"Published as they are, though different in every row, so that they may tell who is who: {listing(alone)}. "
        "Leave such columns out with --drop."
    )
