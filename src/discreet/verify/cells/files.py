"""Checks files about a table: bounds on its cells, and synthetic tables. Everything is read by the checker itself.

A bounds file has one row for every cell of the table, and no more: the variables, `lower`, `upper` and `sharp`. A file
that cannot be read that way (unknown categories, cells listed twice, columns that do not belong there, bounds that are
no counts, `sharp` that is neither true nor false) is an error, not a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError
from discreet.results import Verdict
from discreet.verify.cells.check import CellCheck, Flags, Numbers, check_cells, check_options
from discreet.verify.cells.equations import LARGEST, Axes, Equations, Ints, exact_sum
from discreet.verify.cells.reader import LongTable, read_long

TABLE_CELLS = 1 << 26


def verify_bounds(bounds: Any, table: Any, releases: Iterable[Iterable[str]], **options: Any) -> Verdict:
    """Check a bounds file against the table and the released margins; paths or frames. As `check_bounds`."""
    return check_bounds(bounds, table, releases, **options).verdict()


def check_bounds(
    bounds: Any,
    table: Any,
    releases: Iterable[Iterable[str]],
    *,
    count: str = "count",
    variables: Sequence[str] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sample: int | None = None,
    time_limit: float | None = None,
    random_state: int = 0,
    witness: Callable[[list[list[str]], Sequence[int], int], Numbers] | None = None,
) -> CellCheck:
    """Read both and check. `witness` is asked with the categories in the order of the arrays here, cell and side.

    `variables` are those of the table, where its file has other columns too."""
    check_options(sample, time_limit, random_state)
    original = read_long(table, "the table", delimiter, encoding)
    names, levels, dense = _dense(original, count, variables)
    margins = _margins(dense, _axes(names, releases))
    claimed = read_long(bounds, "the bounds file", delimiter, encoding)
    low, high, sharp, missing = _claims(claimed, names, levels, dense.shape)
    if missing:
        equations = Equations(dense.shape, margins.items())
        check = CellCheck(equations, low, high, {1: sharp, -1: sharp}, np.zeros(0, np.int64))
        check.failures.append(f"{missing} cells are missing from the bounds file")
        return check
    asked = None if witness is None else lambda place, side: witness(levels, place, side)
    check = check_cells(
        dense.shape,
        margins,
        low,
        high,
        sharp,
        sharp,
        witness=asked,
        counts=dense,
        sample=sample,
        time_limit=time_limit,
        random_state=random_state,
    )
    check.levels = levels
    return check


def verify_table(
    synthetic: Any,
    table: Any,
    releases: Iterable[Iterable[str]],
    *,
    count: str = "count",
    variables: Sequence[str] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Verdict:
    """Check a synthetic table: whole, non-negative, and with the released margins. Figures say what it has in common.

    `same` is the number of cells with the original's count, `original` 1 where that is all of them.
    """
    names, levels, dense = _dense(read_long(table, "the table", delimiter, encoding), count, variables)
    drawn = read_long(synthetic, "the synthetic table", delimiter, encoding)
    faults = Faults()
    for name in (*names, "count"):
        faults.check(name in drawn.columns, f"the synthetic table has no column {name!r}")
    faults.raise_if_any()
    place, strange = _places(drawn, names, levels)
    if strange:
        raise InputError(f"the synthetic table has unknown categories in {strange} rows")
    values = drawn.numbers("count")
    if exact_sum(values) > LARGEST:
        raise InputError("the counts of the synthetic table sum to more than 2^62")
    other = np.zeros(dense.size, np.int64)
    np.add.at(other, place, values)
    equations = Equations(dense.shape, _margins(dense, _axes(names, releases)).items())
    good = equations.has(other)
    failures = () if good else ("the synthetic table does not have the released margins",)
    same = int((other == dense.reshape(-1)).sum())
    figures: dict[str, float | int | str] = {"cells": dense.size, "same": same, "original": int(same == dense.size)}
    proven = (f"{equations.sums.size} released counts are those of the original",) if good else ()
    return Verdict("safe" if good else "unsafe", "synthetic table", None, failures, (), figures, proven)


def _dense(
    original: LongTable, count: str, variables: Sequence[str] | None = None
) -> tuple[list[str], list[list[str]], Ints]:
    """Variables, categories and counts; records are counted where there is no column of counts."""
    if count not in original.columns and count != "count":
        raise InputError(f"the table has no column {count!r}")
    names = [name for name in original.columns if name != count] if variables is None else list(variables)
    unknown = [name for name in names if name not in original.columns]
    if unknown:
        raise InputError(f"the table has no column {', '.join(map(repr, unknown))}")
    if not names:
        raise InputError("the table has no variables")
    levels, place, size = [], np.zeros(original.rows, np.int64), 1
    if len(names) > 32:
        raise InputError("the table has more than 32 variables: take fewer")
    for name in names:
        level, codes = original.text(name)
        size *= len(level)
        if size > TABLE_CELLS:
            raise InputError(f"the table has more than {TABLE_CELLS} cells: take fewer variables")
        place = place * len(level) + codes
        levels.append(level)
    counts = original.numbers(count) if count in original.columns else np.ones(original.rows, np.int64)
    if exact_sum(counts) > LARGEST:
        raise InputError("the counts of the table sum to more than 2^62")
    dense = np.zeros(size, np.int64)
    np.add.at(dense, place, counts)
    return names, levels, dense.reshape([len(level) for level in levels])


def _margins(dense: Ints, wanted: Iterable[Axes]) -> dict[Axes, Ints]:
    return {
        axes: np.asarray(dense.sum(axis=tuple(a for a in range(dense.ndim) if a not in axes), dtype=np.int64))
        for axes in wanted
    }


def _axes(names: list[str], releases: Iterable[Iterable[str]]) -> list[Axes]:
    faults, found = Faults(), []
    for release in releases:
        chosen = [release] if isinstance(release, str) else list(release)
        unknown = [name for name in chosen if name not in names]
        if faults.check(not unknown, f"the table has no variable {', '.join(map(repr, unknown))}"):
            found.append(tuple(sorted({names.index(name) for name in chosen})))
    faults.check(bool(found) or bool(faults), "no margin is given: name the released ones")
    faults.raise_if_any()
    return found


def _places(table: LongTable, names: list[str], levels: list[list[str]]) -> tuple[Ints, int]:
    """The flat position of each row's cell, and how many rows have a category that the table does not have."""
    place, known = np.zeros(table.rows, np.int64), np.ones(table.rows, np.bool_)
    for name, level in zip(names, levels):
        at = {value: i for i, value in enumerate(level)}
        own, codes = table.text(name)
        mine = np.array([at.get(value, -1) for value in own], np.int64)[codes]
        known &= mine >= 0
        place = place * len(level) + np.maximum(mine, 0)
    return place, int((~known).sum())


def _claims(
    claimed: LongTable, names: list[str], levels: list[list[str]], shape: tuple[int, ...]
) -> tuple[Ints, Ints, Flags, int]:
    """Lower and upper bounds and whether they are called sharp, in flat order; and how many cells are not listed."""
    faults = Faults()
    wanted = (*names, "lower", "upper", "sharp")
    for name in wanted:
        faults.check(name in claimed.columns, f"the bounds file has no column {name!r}")
    extra = [name for name in claimed.columns if name not in wanted]
    faults.check(not extra, f"the bounds file has columns that are no part of it: {', '.join(map(repr, extra))}")
    faults.raise_if_any()
    place, strange = _places(claimed, names, levels)
    faults.check(not strange, f"the bounds file has categories that the table does not have in {strange} rows")
    size = int(np.prod(shape, dtype=np.int64))
    times = np.bincount(place, minlength=size) if not strange else np.ones(size, np.int64)
    twice = int((times - 1).clip(0).sum())
    faults.check(not twice, f"the bounds file lists cells more than once, in {twice} rows too many")
    columns: dict[str, Any] = {}
    for name, read in (("lower", claimed.numbers), ("upper", claimed.numbers), ("sharp", claimed.flags)):
        try:
            columns[name] = read(name)
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    low, high = np.zeros(size, np.int64), np.zeros(size, np.int64)
    sharp = np.zeros(size, np.bool_)
    low[place], high[place], sharp[place] = columns["lower"], columns["upper"], columns["sharp"]
    return low, high, sharp, int((times == 0).sum())
