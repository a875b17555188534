"""Closed cuts: where the rows of a block fall apart into two that have nothing to do with one another.

In one column, join all values of the block's people that stand together in one of its published boxes (neighboring
numbers under a range, the items of a set). What is joined is a part. Every box of the block lies in one part, or holds
nobody of it; so in a perfect matching the people of a part get the boxes of that part, all of them and no others.

- If some part has another number of people than of boxes, or a box holds nobody, there is no perfect matching at all.
- Else perfect matchings of the block are those of some parts joined with those of the others, and k disjoint ones exist
  in the block if and only if they exist in both.

So such a cut neither adds nor loses anything: a block that fails proves that the whole fails.

Boxes that hold everybody of the block (`*`) and people whose missing value fits every box would join all there is.
Where a column cannot be cut otherwise, all of these are put on one side, if that makes the numbers of both sides even.
If both have k disjoint perfect matchings then so has the block; but where one has none, nothing is known: the cut is
not exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.verify.large.codes import rows_at_once
from discreet.verify.matchings.reading import Integers, Reading

Mask = NDArray[np.bool_]

LOPSIDED = 8


@dataclass(frozen=True)
class Block:
    """People and published rows, as many of each: two files of codes. Where it is not exact they may fit others too."""

    before: Path
    after: Path
    rows: int
    exact: bool = True


@dataclass(frozen=True)
class Split:
    """Which values and which entries of a column are on the first side, and how many rows that is.

    The last of `values` is for people who fit everywhere, whose code is −1.
    """

    column: int
    values: Mask
    texts: Mask
    rows: int
    exact: bool


class NoMatchingError(Exception):
    """There is no perfect matching: in `column` some parts have other numbers of people than of boxes."""

    def __init__(self, column: int, torn: int) -> None:
        super().__init__(column, torn)
        self.column, self.torn = column, torn


def best_cut(block: Block, readings: list[Reading]) -> Split | None:
    """The cut nearest the middle; one that is not exact only where the exact ones are lopsided. None: there is none."""
    width = len(readings)
    values = [np.zeros(int(max(r.codes.max(initial=0), r.run_high.max(initial=0))) + 1, np.int64) for r in readings]
    texts = [np.zeros(r.run_ends.size - 1, np.int64) for r in readings]
    anywhere = np.zeros(width, np.int64)
    for rows in rows_at_once(block.before, width):
        for j in range(width):
            here = rows[:, j] >= 0
            anywhere[j] += len(rows) - int(here.sum())
            values[j] += np.bincount(rows[here, j], minlength=values[j].size)
    for rows in rows_at_once(block.after, width):
        for j in range(width):
            texts[j] += np.bincount(rows[:, j], minlength=texts[j].size)
    found: list[Split] = []
    for j, reading in enumerate(readings):
        own = _exact(j, reading, values[j], texts[j], block) if not anywhere[j] else None
        found += [own] if own is not None else _sufficient(j, reading, values[j], texts[j], int(anywhere[j]))

    def worth(cut: Split) -> tuple[bool, int]:
        balance = min(cut.rows, block.rows - cut.rows)
        return cut.exact and balance * LOPSIDED >= block.rows, balance

    return max(found, key=worth, default=None)


def _exact(column: int, reading: Reading, values: Integers, texts: Integers, block: Block) -> Split | None:
    """A cut between parts; an error where their numbers exclude every matching of the whole."""
    there, used = values > 0, texts > 0
    of_value, of_text, count = parts(reading, there, used)
    people, boxes = _numbers(of_value, values, count), _numbers(of_text, texts, count)
    torn = int(texts[used & (of_text < 0)].sum()) + int(np.abs(people - boxes).sum())
    if torn and block.exact:
        raise NoMatchingError(column, torn)
    if torn or count < 2:
        return None
    before = np.cumsum(people)[:-1]
    last = int(np.argmin(np.abs(2 * before - block.rows)))
    first = np.append(there & (of_value <= last), False)
    return Split(column, first, used & (of_text <= last), int(before[last]), True)


def _numbers(of: Integers, counts: Integers, parts: int) -> Integers:
    """How many rows belong to each part."""
    return np.bincount(of[of >= 0], counts[of >= 0], minlength=parts).astype(np.int64)


def _sufficient(column: int, reading: Reading, values: Integers, texts: Integers, anywhere: int) -> list[Split]:
    """Cuts with boxes that hold everybody, and people who fit everywhere, on one side."""
    there, used = values > 0, texts > 0
    everybody = used & (_held(reading, there) == int(there.sum()))
    floating = int(texts[everybody].sum())
    of_value, of_text, count = parts(reading, there, used & ~everybody)
    if not (floating or anywhere) or count < 2 or (used & ~everybody & (of_text < 0)).any():
        return []
    people, boxes = _numbers(of_value, values, count), _numbers(of_text, texts, count)
    found = []
    for turn in (0, 1):  # what is missing, if a value of its own, is the last part: it may be on the first side
        place = np.roll(np.arange(count), turn)
        size, more = np.cumsum(people[place]), np.cumsum((people - boxes)[place])
        for with_them in (True, False):
            even = np.flatnonzero(more[:-1] == (floating - anywhere if with_them else 0))
            sizes = size[even] + (anywhere if with_them else 0)
            if not even.size:
                continue
            total = int(values.sum()) + anywhere
            best = int(np.argmin(np.abs(2 * sizes - total)))
            inside = np.zeros(count + 1, bool)  # the last is for what is in no part
            inside[place[: even[best] + 1]] = True
            first = np.append(inside[of_value], with_them)
            found.append(Split(column, first, inside[of_text] | (everybody & with_them), int(sizes[best]), False))
    return found


def _held(reading: Reading, there: Mask) -> Integers:
    """How many of the values that occur each entry holds."""
    upto = np.concatenate([np.zeros(1, np.int64), np.cumsum(there)])
    of_run = np.repeat(np.arange(reading.run_ends.size - 1), np.diff(reading.run_ends))
    held = upto[reading.run_high + 1] - upto[reading.run_low]
    return np.bincount(of_run, held, minlength=reading.run_ends.size - 1).astype(np.int64)


def parts(reading: Reading, values: Mask, texts: Mask) -> tuple[Integers, Integers, int]:
    """The part of each value and of each entry that occurs (−1 for an entry that holds no value), and their number."""
    upto = np.concatenate([np.zeros(1, np.int64), np.cumsum(values)])  # how many values that occur come before
    of_run = np.repeat(np.arange(texts.size), np.diff(reading.run_ends))
    low, high = upto[reading.run_low], upto[reading.run_high + 1] - 1
    there = texts[of_run] & (low <= high)
    of_run, low, high = of_run[there], low[there], high[there]
    count = int(upto[-1])
    covered = np.bincount(low, minlength=count + 1) - np.bincount(high, minlength=count + 1)
    joined = np.cumsum(covered)[: max(count - 1, 0)] > 0  # a range goes on beyond this value
    stretch = np.concatenate([np.zeros(min(count, 1), np.int64), np.cumsum(~joined)])
    of_text = np.full(texts.size, -1, np.int64)
    of_text[of_run[::-1]] = stretch[low[::-1]]  # by the first run of each entry
    number = int(stretch.max(initial=-1)) + 1
    apart = stretch[low] != of_text[of_run]
    if apart.any():
        part, number = _merged(number, of_text[of_run[apart]], stretch[low[apart]])
        stretch = part[stretch]
        of_text = np.where(of_text >= 0, part[of_text], -1)
    of_value = np.full(values.size, -1, np.int64)
    of_value[values] = stretch
    return of_value, of_text, number


def _merged(number: int, a: Integers, b: Integers) -> tuple[Integers, int]:
    """The component of each of `number` stretches, of which these pairs are joined."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = coo_array((np.ones(a.size, np.int8), (a, b)), shape=(number, number))
    count, part = connected_components(pairs, directed=False)
    return part.astype(np.int64), int(count)


def split(block: Block, cut: Split, width: int, folder: Path, number: int) -> tuple[Block, Block]:
    """Both sides of a cut, as files of their own."""
    paths = [[folder / f"{side}-{number}-{half}" for half in (0, 1)] for side in ("before", "after")]
    for path, halves, first in ((block.before, paths[0], cut.values), (block.after, paths[1], cut.texts)):
        with halves[0].open("wb") as one, halves[1].open("wb") as two:
            for rows in rows_at_once(path, width):
                here = first[rows[:, cut.column]]
                rows[here].tofile(one)
                rows[~here].tofile(two)
    sizes = cut.rows, block.rows - cut.rows
    first_half, second_half = (
        Block(paths[0][half], paths[1][half], sizes[half], block.exact and cut.exact) for half in (0, 1)
    )
    return first_half, second_half
