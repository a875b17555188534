"""The original and a release as arrays that the intruder of `intruder.py` compares: what is known, what is shown.

Numbers have ends, a middle and a variance; categories are numbered from 1, with 0 for a missing one, and the cells of
all columns are numbered one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.measure.utility.columns import Categories, Column, Numbers, holds

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Bits = NDArray[np.uint64]


class Truth(NamedTuple):
    """`records[i]` are the records that may be person i's, each as likely as the other, and `persons[q]` the other way
    round; −1 for none."""

    records: Codes
    persons: Codes


class Persons(NamedTuple):
    """What is known: numbers as they are and as they are compared (NaN where missing), and numbers of categories."""

    value: Floats
    place: Floats
    code: Codes


class Records(NamedTuple):
    """What is published: the ends of numbers (infinite for anything), where they are compared, the variance of a number
    drawn from the cell, and the cell of each category, numbered over all columns."""

    low: Floats
    high: Floats
    place: Floats
    spread: Floats
    cell: Codes


class Cells(NamedTuple):
    """Cells of categories: the one category, −1 for a set, −2 for anything; a set's row in `bits`; P(Y ≠ x) within."""

    single: Codes
    row: Codes
    bits: Bits
    miss: Floats


class Scales(NamedTuple):
    """What squared distances of numbers and misses of categories are multiplied by, and where all cells cover."""

    number: Floats
    category: Floats
    number_covers: Flags
    category_covers: Flags


class Scene(NamedTuple):
    """Both files in the form that the kernel compares."""

    persons: Persons
    records: Records
    cells: Cells
    scales: Scales


def identity(persons: int) -> Truth:
    """Record i is person i's."""
    same = np.arange(persons)[:, None]
    return Truth(same, same)


def truth_of(persons_of: Codes, persons: int) -> Truth:
    """From the persons whose each record may be, a row for each record, to both directions."""
    t = persons_of.shape[1]
    mine = np.full((persons, t), -1, np.int64)
    for draw in range(t):
        there = persons_of[:, draw] >= 0
        mine[persons_of[there, draw], draw] = np.flatnonzero(there)
    return Truth(mine, persons_of)


def set_scene(original: Sequence[Column], published: Sequence[Column], truth: Truth) -> Scene:
    numbers = [(a, b) for a, b in zip(original, published) if isinstance(a, Numbers) and isinstance(b, Numbers)]
    sets = [(a, b) for a, b in zip(original, published) if isinstance(a, Categories) and isinstance(b, Categories)]
    n, m = truth.records.shape[0], truth.persons.shape[0]
    value = _table([a.low for a, _ in numbers], n)
    code = _table([a.plain() + 1 for a, _ in sets], n, np.int64)
    ends = [_ends(*pair) for pair in numbers]
    cells, cell = _cells([b for _, b in sets], m)
    pairs = _pairs(truth)
    scales = Scales(
        _units(value),
        np.array([_rarity(column) for column in code.T]),
        np.array([_covered(a, b, pairs) for a, b in numbers], bool),
        np.array([_held(a, b, pairs) for a, b in sets], bool),
    )
    return Scene(
        Persons(value, value, code),
        Records(
            low=_table([end[0] for end in ends], m),
            high=_table([end[1] for end in ends], m),
            place=_table([end[2] for end in ends], m),
            spread=_table([end[3] for end in ends], m),
            cell=cell,
        ),
        cells,
        scales,
    )


def _table(columns: Sequence[Any], rows: int, kind: type = np.float64) -> NDArray[Any]:
    return np.ascontiguousarray(np.stack(columns, axis=1), kind) if columns else np.empty((rows, 0), kind)


def _pairs(truth: Truth) -> tuple[Codes, Codes]:
    """Every person and record that may belong together."""
    person, draw = np.nonzero(truth.records >= 0)
    return person, truth.records[person, draw]


def _ends(original: Numbers, published: Numbers) -> tuple[Floats, Floats, Floats, Floats]:
    """The ends of each cell, its middle and its variance; what may be anything is as wide as the original column."""
    every = original.low[original.known]
    least, most = (every.min(), every.max()) if every.size else (0.0, 0.0)
    told = published.known
    low, high = (np.where(told, end, away) for end, away in ((published.low, -np.inf), (published.high, np.inf)))
    inner_low, inner_high = np.where(told, low, least), np.where(told, high, most)
    return low, high, inner_low / 2 + inner_high / 2, (inner_high - inner_low) ** 2 / 12


def _cells(published: Sequence[Categories], records: int) -> tuple[Cells, Codes]:
    """The sets of all columns one after the other, each column's followed by anything, and the cell of each entry."""
    cell = np.empty((records, len(published)), np.int64)
    words = -(-max((column.size + 1 for column in published), default=1) // 64)
    parts = [Cells(np.empty(0, np.int64), np.empty(0, np.int64), np.zeros((1, words), np.uint64), np.empty(0))]
    for j, column in enumerate(published):
        start = sum(part.single.size for part in parts)
        cell[:, j] = start + np.where(column.codes >= 0, column.codes, column.width.size)
        parts.append(_cells_of(column, words, sum(len(part.bits) for part in parts)))
    return Cells(*map(np.concatenate, zip(*parts))), cell


def _cells_of(column: Categories, words: int, start: int) -> Cells:
    """The sets of a column, then anything; rows of bits are numbered from `start`."""
    members, home = column.member + 1, np.repeat(np.arange(column.width.size), column.width)
    single = np.where(column.width == 1, members[column.first[:-1]] if members.size else 0, -1)
    several = single < 0
    row = np.zeros(single.size, np.int64)
    row[several] = np.arange(int(several.sum()))
    bits = np.zeros((int(several.sum()), words), np.uint64)
    real = several[home] & (members <= column.size)  # what the original does not have is nobody's value
    mark = np.uint64(1) << (members[real] & 63).astype(np.uint64)
    np.bitwise_or.at(bits, (row[home[real]], members[real] >> 6), mark)
    row[several] += start
    miss = 1.0 - 1.0 / np.append(np.maximum(column.width, 1), max(column.values, 1))
    return Cells(np.append(single, -2), np.append(row, 0), bits, miss)


def _units(place: Floats) -> Floats:
    """1/variance of each column over what is known; 0 for a constant one."""
    out = np.zeros(place.shape[1])
    for j, column in enumerate(place.T):
        known = column[~np.isnan(column)]
        if known.size > 1 and np.ptp(known) > 0:
            out[j] = 1.0 / max(float(np.var(known, ddof=1)), np.finfo(float).tiny)
    return out


def _rarity(code: Codes) -> float:
    """2 / P(two persons differ); 0 where all are the same."""
    share = np.bincount(code) / max(len(code), 1)
    differ = 1.0 - float((share**2).sum())
    return 2.0 / differ if differ > 1e-15 else 0.0


def _covered(original: Numbers, published: Numbers, pairs: tuple[Codes, Codes]) -> bool:
    """Whether every cell covers the number it stands for; a missing one is covered by a blank and by anything."""
    x, low, high = original.low[pairs[0]], published.low[pairs[1]], published.high[pairs[1]]
    return bool((~np.isfinite(low) | ((low <= x) & (x <= high))).all())


def _held(original: Categories, published: Categories, pairs: tuple[Codes, Codes]) -> bool:
    """Whether every set holds the category it stands for."""
    codes = published.codes[pairs[1]]
    return bool(((codes < 0) | holds(published._replace(codes=codes), original.plain()[pairs[0]])).all())


def ranked(scene: Scene) -> Scene:
    """The scene with ranks, from 0 to 1 in their own file, in place of numbers that are not covered."""
    persons, records, scales = scene.persons, scene.records, scene.scales
    mine, theirs, spread = persons.place.copy(), records.place.copy(), records.spread.copy()
    for j in np.flatnonzero(~scales.number_covers):
        mine[:, j], theirs[:, j], spread[:, j] = _ranks(mine[:, j]), _ranks(theirs[:, j]), 0.0
    return scene._replace(
        persons=persons._replace(place=mine),
        records=records._replace(place=theirs, spread=spread),
        scales=scales._replace(number=_units(mine)),
    )


def _ranks(values: Floats) -> Floats:
    from scipy.stats import rankdata

    out = np.full(len(values), np.nan)
    known = ~np.isnan(values)
    out[known] = (rankdata(values[known]) - 0.5) / max(int(known.sum()), 1)
    return out
