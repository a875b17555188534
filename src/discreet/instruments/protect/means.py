"""Means of sets of records, rounded so that what is published adds up to what was there.

The mean of a set is a fraction; published is a decimal, two places finer than the column (or as many as make it exact).
Every value is rounded down, and what the total then lacks is made up by rounding up those with the largest remainders
(Hamilton's method). Which are rounded up depends on the sets alone, never on the draw. In exact whole numbers:

    published(s) = floor(m(s)) + x(s),   x(s) in {0, 1},   Σ rows(s)·published(s) = Σ rows(s)·m(s)

A set that stands in several rows (a class) is rounded the same in all of them: then the last step exchanges a few sets,
and where no exchange gives the total the least difference is left, and told.

With gaps, a set's mean is over its known values where these are at least two and at least half, else it is blank; such
means need not add up to the total.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.generalization.covering import Covering
from discreet.instruments.protect.amounts import Amount, decimal_text

Integers = NDArray[np.int64]
FINER, FINEST = 2, 4
# A float64 holds any decimal of this many digits.
DIGITS = 15


@dataclass(frozen=True)
class Sets:
    """`records[start[s]:start[s + 1]]` is set s; row r shows set `of_row[r]`."""

    start: Integers = field(repr=False)
    records: Integers = field(repr=False)
    of_row: Integers = field(repr=False)

    @staticmethod
    def of(covering: Covering, *, together: bool = False) -> Sets:
        """The sets that means are over: a row's matches, or its class.

        With `together` the rows of a published unit show one set: for columns that its members have in common.
        """
        matchings = covering.matchings
        mark = np.arange(covering.rows) if matchings is not None else covering.members.min(axis=1)
        if together:
            unit = np.where(covering.unit < 0, covering.unit.max() + 1 + np.arange(covering.rows), covering.unit)
            of_unit = np.full(int(unit.max()) + 1, np.iinfo(np.int64).max)
            np.minimum.at(of_unit, unit, mark)
            mark = of_unit[unit]
        _, first, of_row = np.unique(mark, return_index=True, return_inverse=True)
        shown = covering.members if matchings is None else matchings
        size = covering.size[first] if matchings is None else np.full(first.size, matchings.shape[1])
        kept = np.arange(shown.shape[1])[None, :] < size[:, None]
        return Sets(np.concatenate([[0], np.cumsum(size)]), shown[first][kept], of_row.ravel())

    @property
    def count(self) -> int:
        return self.start.size - 1

    @property
    def size(self) -> Integers:
        return np.diff(self.start)

    def sums(self, values: NDArray[Any]) -> NDArray[Any]:
        """Per set the sum of its records' values."""
        return np.add.reduceat(values[self.records], self.start[:-1])


@dataclass(frozen=True)
class Means:
    """The published value of every set in units of 10^−decimals, `blank` where there is none.

    `published` is the total over all rows and `original` that of the records that are published, as exact decimals;
    `kept` says that they are the same. `gaps` counts the records without a value, `blank_rows` the rows without a mean.
    """

    values: list[int] = field(repr=False)
    blank: NDArray[np.bool_] = field(repr=False)
    decimals: int
    published: str
    original: str
    kept: bool
    difference: str
    gaps: int
    blank_rows: int

    @property
    def near(self) -> bool:
        """Whether the totals are the same to the decimals that are published, if not beyond."""
        return abs(Decimal(self.difference)) < Decimal(1).scaleb(-self.decimals)

    def texts(self) -> list[str | None]:
        """Per set its decimal, None where blank."""
        return [None if empty else decimal_text(v, self.decimals) for v, empty in zip(self.values, self.blank)]


def means(amount: Amount, sets: Sets, lost: Integers) -> Means:
    """The mean of every set, such that rows add up to the column's total where nothing is missing.

    Records that are `lost`, not published, are in no total either: a difference would tell what they have.
    """
    gaps = sets.sums(amount.gaps.astype(np.int64))
    known = sets.size - gaps
    blank = (known < 2) | (2 * known < sets.size) if gaps.any() else np.zeros(sets.count, bool)
    sums = [int(one) for one in sets.sums(amount.units)]
    counts = [int(one) if one else 1 for one in known]
    decimals = _decimals(amount, sums, counts)
    up, down = 10 ** max(decimals - amount.decimals, 0), 10 ** max(amount.decimals - decimals, 0)
    shown = np.flatnonzero(~blank).tolist()
    rows = np.bincount(sets.of_row, minlength=sets.count).tolist()
    values = [0] * sets.count
    rounded = apportion([sums[s] * up for s in shown], [counts[s] * down for s in shown], [rows[s] for s in shown])
    for s, value in zip(shown, rounded):
        values[s] = value
    total = sum(rows[s] * values[s] for s in shown)
    finest = max(decimals, amount.decimals)
    after, before = total * 10 ** (finest - decimals), amount.total(lost) * 10 ** (finest - amount.decimals)
    return Means(
        values=values,
        blank=blank,
        decimals=decimals,
        published=decimal_text(after, finest),
        original=decimal_text(before, finest),
        kept=after == before,
        difference=decimal_text(after - before, finest),
        gaps=int(amount.gaps.sum()),
        blank_rows=int(blank[sets.of_row].sum()),
    )


def _decimals(amount: Amount, sums: list[int], counts: list[int]) -> int:
    """How many decimals are published: two more, or up to four where these make every mean exact."""
    dens = set(counts)
    finer = next((more for more in range(FINER, FINEST + 1) if all(10**more % den == 0 for den in dens)), FINER)
    if amount.text:
        return amount.decimals + finer
    largest = max((abs(total) // count for total, count in zip(sums, counts)), default=0)
    digits = len(str(largest)) - amount.decimals  # before the point; negative where zeros follow it
    return min(amount.decimals + finer, max(0, DIGITS - digits))


def apportion(numerators: list[int], denominators: list[int], rows: list[int]) -> list[int]:
    """Whole numbers next to these fractions whose sum, `rows` times each, is that of the fractions, rounded.

    Where equal rows leave no such choice, the sum is as near below as the exchanges find.
    """
    floors = [num // den for num, den in zip(numerators, denominators)]
    common = math.lcm(*set(denominators)) if denominators else 1
    over = [(num - low * den) * (common // den) for num, low, den in zip(numerators, floors, denominators)]
    exact = sum(row * part for row, part in zip(rows, over))
    need = (2 * exact + common) // (2 * common)
    order = sorted((s for s in range(len(over)) if over[s]), key=lambda s: (-over[s], numerators[s], s))
    raised = [False] * len(over)
    for s in order:
        if rows[s] <= need:
            raised[s] = True
            need -= rows[s]
    if need:
        _exchange(need, order, rows, raised)
    return [low + up for low, up in zip(floors, raised)]


def _exchange(need: int, order: list[int], rows: list[int], raised: list[bool]) -> None:
    """Raise and lower a few sets so that `need` more is published: the fewest, found breadth first by their sizes.

    Those nearest to the other choice go first: the largest remainders up, the smallest down.
    """
    up = {size: [s for s in order if rows[s] == size and not raised[s]] for size in {rows[s] for s in order}}
    down = {size: [s for s in reversed(order) if rows[s] == size and raised[s]] for size in up}
    bound = 4 * max(up, default=0) + need
    steps = [size for size in up if up[size]] + [-size for size in down if down[size]]
    before: dict[int, int] = {0: 0}
    waiting = deque([0])
    while waiting and need not in before:
        reached = waiting.popleft()
        for step in steps:
            if abs(reached + step) <= bound and reached + step not in before:
                before[reached + step] = step
                waiting.append(reached + step)
    if need not in before:
        return
    moves: list[int] = []
    at = need
    while at:
        moves.append(before[at])
        at -= before[at]
    lists = {step: iter(up[step] if step > 0 else down[-step]) for step in set(moves)}
    chosen = [next(lists[step], None) for step in moves]
    if None not in chosen:
        for s in chosen:
            assert s is not None
            raised[s] = not raised[s]
