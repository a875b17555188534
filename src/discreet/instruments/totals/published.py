"""A published file as anybody reads it: hidden cells without values, of which only limits are known.

What can be inferred about a hidden cell does not depend on the true table, only on what is published. So any table of
whole numbers that adds up with the published cells does as well: one is looked for by an integer program, and the audit
goes on from there. Where no published cell is negative hidden ones are above 0, as zeros are told or left out; they are
at least 0 where a rule hides zeros (`zeros`) or nothing else adds up. They are at most ten times the largest published
amount. Nothing says which of them are sensitive: none may be computed exactly.

As an earlier release such a file tells what was published then: its cells are found again by their labels.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.frames.tabular.cells import CellFile
from discreet.frames.tabular.long import read_long
from discreet.tabular.additive import OTHER_TABLE, AdditiveTable
from discreet.tabular.possible import possible_values
from discreet.tabular.problem import PRIMARY, Cells

WIDE = 10
OTHERS = (".jj", ".csp", ".tab", ".rda")
_NONE = "the published cells do not add up to any table of whole numbers: correct the file, or its hierarchies"


def possible_table(table: AdditiveTable, unknown: NDArray[np.bool_], *, zeros: bool = False) -> AdditiveTable:
    """The table with some values that add up in its `unknown` cells: sensitive, as no interval may be a point."""
    cells = table.problem.cells
    told = np.abs(cells.value[~unknown])
    most = WIDE * max(1, int(told.max(initial=0)))
    positive = bool((cells.value[~unknown] >= 0).all())
    leasts = (-most,) if not positive else (0,) if zeros else (1, 0)
    found = ((least, possible_values(table.problem, unknown, least, most)) for least in leasts)
    least, value = next(((low, one) for low, one in found if one is not None), (0, None))
    if value is None:
        raise InputError(_NONE)
    nothing = np.zeros_like(value)
    lower, upper = np.where(unknown, least, value), np.where(unknown, most, value)
    status = np.where(unknown, PRIMARY, cells.status).astype(np.int8)
    filled = Cells(value, lower, upper, cells.cost, status, nothing, nothing, unknown.astype(np.int64))
    return replace(table, problem=table.problem._replace(cells=filled), counts=None, contributors=None)


def earlier_pattern(table: AdditiveTable, given: Any, reading: Callable[[Any], AdditiveTable]) -> NDArray[np.bool_]:
    """The cells that an earlier release of the table hid; `reading` reads whatever is no published file."""
    if isinstance(given, str | os.PathLike) and PurePath(given).suffix.lower() not in OTHERS:
        cells = read_long(given, published=True)
        if cells.unknown is not None:
            return _matched(table, cells, cells.unknown)
    other = reading(given)
    if not table.is_of(other):
        raise InputError(OTHER_TABLE)
    return other.problem.cells.hidden


def _matched(table: AdditiveTable, cells: CellFile, unknown: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The hidden cells of a published file by their labels; what it publishes must be what the table holds."""
    if set(cells.variables) != set(table.variables) or cells.decimals > table.decimals:
        raise InputError(OTHER_TABLE)
    order = [cells.variables.index(name) for name in table.variables]
    told = cells.amounts["value"] * 10 ** (table.decimals - cells.decimals)
    rows = {
        tuple(cells.labels[v][code] for v, code in zip(order, codes)): row
        for row, codes in enumerate(cells.codes[:, order].tolist())
    }
    hidden = np.zeros(table.cells, np.bool_)
    for cell, value in enumerate(table.problem.cells.value.tolist()):
        row = rows.pop(table.labels(cell), None)
        hidden[cell] = row is not None and unknown[row]
        if not hidden[cell] and value != (0 if row is None else told[row]):
            raise InputError(OTHER_TABLE)
    if rows:
        raise InputError(OTHER_TABLE)
    return hidden
