"""Additive tables as the checker reads them: whole numbers of the smallest unit, from a `.jj` file or from arrays.

A file has a first line, the number of cells, a line a cell (number, value, cost, status, limits known to all, lower,
upper and sliding protection level), the number of relations, and a line each (right side, number of terms, `:`, cells
with signs). Numbers are decimals, read to the last digit. What does not add up is an error, not a verdict.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError

Ints = NDArray[np.int64]
PRIMARY, SECONDARY, FREE, FIXED = 0, 1, 2, 3
LETTERS = "umsz"
LARGEST = 1 << 61
MOST = 20  # faults of a kind that are listed
_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?\Z")
_TERM = re.compile(r"\s*(\d+)\s*\(\s*([+-]?\d+)\s*\)")


class Table(NamedTuple):
    """Cells, and relations in rows: Σ sign · y = right. `decimals` are those of the values, as read."""

    value: Ints
    lower: Ints
    upper: Ints
    cost: Ints
    status: Ints
    below: Ints
    above: Ints
    sliding: Ints
    start: Ints
    cell: Ints
    sign: Ints
    right: Ints
    decimals: int

    @property
    def n(self) -> int:
        return self.value.size

    @property
    def hidden(self) -> NDArray[np.bool_]:
        return np.asarray(self.status <= SECONDARY)

    def terms(self, relation: int) -> list[tuple[int, int]]:
        own = slice(self.start[relation], self.start[relation + 1])
        return list(zip(self.cell[own].tolist(), self.sign[own].tolist()))


def load(source: Any, what: str) -> Table:
    """A table from a path, or from an object with `cells` and `relations`; checked."""
    if isinstance(source, Table):
        return source
    if isinstance(source, str | os.PathLike):
        return _checked(_read(Path(source), what), what)
    source = getattr(source, "problem", source)
    cells, rows = source.cells, source.relations
    taken = [cells.value, cells.lower, cells.upper, cells.cost, cells.status, cells.below, cells.above, cells.sliding]
    arrays = [np.asarray(each, np.int64) for each in (*taken, rows.start, rows.cell, rows.sign, rows.right)]
    return _checked(Table._make([*arrays, 0]), what)


def _checked(table: Table, what: str) -> Table:
    faults = Faults()
    faults.check(bool(np.isin(table.status, (0, 1, 2, 3)).all()), f"{what} has a status that is none of u, m, s, z")
    for numbers in table[:8]:
        faults.check(numbers.size == table.n, f"{what} has columns of different lengths")
    faults.check(bool((np.abs(table.sign) == 1).all()), f"{what} has a relation with a sign that is neither 1 nor -1")
    faults.check(bool(((table.cell >= 0) & (table.cell < table.n)).all()), f"{what} has a relation of unknown cells")
    faults.raise_if_any()
    _check_relations(table, what, faults)
    faults.raise_if_any()
    outside = (table.value < table.lower) | (table.value > table.upper)
    faults.check(not outside.any(), f"{what} has {int(outside.sum())} values outside the limits known to all")
    faults.check(
        not ((table.below < 0) | (table.above < 0) | (table.sliding < 0)).any(), f"{what} has protection levels below 0"
    )
    faults.check(not (table.cost < 0).any(), f"{what} has costs below 0")
    faults.raise_if_any()
    return table


def _check_relations(table: Table, what: str, faults: Faults) -> None:
    """Relations add up, name a cell once, and have limits whose sums machine numbers hold."""
    widest = np.maximum(np.maximum(np.abs(table.lower), np.abs(table.upper)), np.abs(table.value)).astype(np.float64)
    row = np.repeat(np.arange(table.right.size), np.diff(table.start))
    limits = np.bincount(row, widest[table.cell], table.right.size)
    if not faults.check(bool((limits < LARGEST).all()), f"{what} has a relation with limits beyond 2^61"):
        return
    # Below 2^61 in magnitude, what remains of a running sum that wraps around is exact.
    ends = np.concatenate([[0], np.cumsum(table.sign * table.value[table.cell])])
    off = np.flatnonzero(ends[table.start[1:]] - ends[table.start[:-1]] != table.right)
    for relation in off[:MOST]:
        faults.add(f"{what}: relation {relation} does not add up")
    order = np.lexsort((table.cell, row))
    same = (np.diff(row[order]) == 0) & (np.diff(table.cell[order]) == 0)
    for relation in np.unique(row[order][1:][same])[:MOST]:
        faults.add(f"{what}: relation {relation} names a cell twice")


def _read(path: Path, what: str) -> Table:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{what} cannot be read as text: {path.name}") from None
    try:
        return _parsed([line.split() if ":" not in line else [line] for line in lines if line.strip()])
    except InputError:
        raise
    except (ValueError, IndexError):
        raise InputError(f"{what} is not laid out as a .jj file: {path.name}") from None


def _parsed(lines: list[list[str]]) -> Table:
    count = int(lines[1][0])
    if count < 1:
        raise ValueError
    rows = lines[2 : 2 + count]
    if len(rows) < count or any(len(row) != 9 or row[0] != str(i) for i, row in enumerate(rows)):
        raise ValueError
    total = int(lines[2 + count][0])
    relations = [row[0] for row in lines[3 + count :]]
    if len(relations) != total:
        raise ValueError
    heads = [text.partition(":")[0].split() for text in relations]
    decimals = max(
        max((_digits(row[k]) for row in rows for k in (1, 4, 5, 6, 7, 8)), default=0),
        max((_digits(head[0]) for head in heads), default=0),
    )
    columns = {k: [_whole(row[k], decimals) for row in rows] for k in (1, 4, 5, 6, 7, 8)}
    own = max((_digits(row[2]) for row in rows), default=0)
    cost = [_whole(row[2], own) for row in rows]
    start, cells, signs = [0], [], []
    for text, head in zip(relations, heads):
        terms = _TERM.findall(text.partition(":")[2])
        if len(terms) != int(head[1]) or _TERM.sub("", text.partition(":")[2]).strip():
            raise ValueError
        cells += [int(cell) for cell, _ in terms]
        signs += [int(sign) for _, sign in terms]
        start.append(len(cells))
    right = [_whole(head[0], decimals) for head in heads]
    status = [LETTERS.index(row[3]) for row in rows]
    whole = (columns[1], columns[4], columns[5], cost, status, columns[6], columns[7], columns[8])
    arrays = [_array(each) for each in (*whole, start, cells, signs, right)]
    return Table._make([*arrays, decimals])


def _array(numbers: list[int]) -> Ints:
    if any(abs(number) >= LARGEST for number in numbers):
        raise InputError("the table has numbers beyond 2^61 in its smallest unit")
    return np.array(numbers, np.int64)


def _digits(text: str) -> int:
    found = _NUMBER.match(text)
    if found is None or not (found[2] or found[3]):
        raise ValueError
    return len((found[3] or "").rstrip("0"))


def _whole(text: str, decimals: int) -> int:
    found = _NUMBER.match(text)
    assert found is not None
    digits = (found[2] or "0") + (found[3] or "").rstrip("0").ljust(decimals, "0")[:decimals]
    return -int(digits) if found[1] == "-" else int(digits)
