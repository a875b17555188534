"""How well a column tells a key: leave-one-out prediction of the key from other rows, against guessing without it.

Two ways to predict a row's key, of which the better counts: from all other rows with the same value (what most of
them have, or their median), and from the m = 7 other rows with the nearest values, for numbers, dates and, in the
alphabet, codes of which few rows share one.

    skill = (share right − share of the most frequent value) / (1 − that share)   for categories
    skill = 1 − mean error / mean error of the median                             for numbers

1 is knowledge, 0 nothing. With each skill goes −ln of the chance of it: rows are right more often than the most
frequent value would be, or nearer to the truth than the median more often than every second time (`chance.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.verify.left.chance import divergence
from discreet.verify.left.nearest import nearest
from discreet.verify.left.values import Values

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

NEAREST = 7


@dataclass(frozen=True)
class Skill:
    """How well something predicts a key, and −ln of the chance of that."""

    value: float
    surprise: float


NONE = Skill(0.0, 0.0)


class Key:
    """A column to be predicted: categories, or numbers scaled to at most 1."""

    def __init__(self, values: Values) -> None:
        self.name, self.known = values.name, values.known
        self.numbers: Floats | None = None
        self.codes = values.codes
        if values.places is None:
            counts = np.bincount(values.codes)
            self.most = int(counts.argmax())
            self.base = float(counts.max()) / values.codes.size
        else:
            known = values.places[values.known]
            largest = np.abs(known).max(initial=0.0)
            middle = float(np.median(known)) if known.size else 0.0
            scale = largest if largest > 0 else 1.0
            self.numbers = np.where(values.known, values.places, middle) / scale
            self.middle = middle / scale
            self.errors = np.abs(self.numbers - self.middle)

    @property
    def varies(self) -> bool:
        if self.numbers is None:
            return self.base < 1.0
        return bool(self.errors[self.known].sum() > 0)

    def judge_numbers(self, predicted: Floats) -> Skill:
        """The skill of predicted numbers, one for each row."""
        assert self.numbers is not None
        errors, base = np.abs(self.numbers - predicted)[self.known], self.errors[self.known]
        nearer = float((errors < base).mean() + 0.5 * (errors == base).mean())
        return Skill(1.0 - float(errors.sum() / base.sum()), errors.size * divergence(nearer, 0.5))

    def judge_right(self, right: float) -> Skill:
        """The skill of so many right predictions of categories."""
        n = self.codes.size
        return Skill((right / n - self.base) / (1.0 - self.base), n * divergence(right / n, self.base))


class Teller:
    """A left column, with the nearest rows of each row where it is one of numbers."""

    def __init__(self, values: Values) -> None:
        self.name, self.values = values.name, values
        many = values.size * NEAREST > values.codes.size
        self.places = values.order if values.places is None and many else values.places
        self._near: tuple[Integers, Integers] | None = None

    def tells(self, key: Key) -> Skill:
        """The better of the two predictions."""
        if not key.varies or self.values.size < 2:
            return NONE
        found = [self._by_equal(key)] if self.values.size < self.values.codes.size else []
        if self.places is not None:
            found.append(self._by_nearest(key))
        return max(found, key=lambda skill: skill.value, default=NONE)

    def _by_equal(self, key: Key) -> Skill:
        if key.numbers is None:
            return key.judge_right(right_by_equal(self.values.codes, key.codes, key.most))
        return key.judge_numbers(median_of_equal(self.values.codes, key.numbers, key.middle))

    def _by_nearest(self, key: Key) -> Skill:
        assert self.places is not None
        if self._near is None:
            self._near = nearest(self.places, NEAREST)
        rows, near = self._near
        if key.numbers is None:
            predicted = np.full(key.codes.size, key.most, np.int64)
            predicted[rows] = _most_frequent(key.codes[near]) if rows.size else key.most
            return key.judge_right(float((predicted == key.codes).sum()))
        middles = np.full(key.codes.size, key.middle)
        middles[rows] = np.median(key.numbers[near], axis=1) if rows.size else key.middle
        return key.judge_numbers(middles)


def _most_frequent(codes: Integers) -> Integers:
    """The code that most of each row are; the first of several."""
    counts = (codes[:, :, None] == codes[:, None, :]).sum(axis=2)
    return np.take_along_axis(codes, counts.argmax(axis=1)[:, None], axis=1)[:, 0]


def right_by_equal(groups: Integers, key: Integers, most: int) -> float:
    """How many rows have what most other rows of their group have; ties are right half of the time.

    Rows alone in their group are taken to have `most`.
    """
    size = int(key.max()) + 1
    cells, counts = np.unique(groups * size + key, return_counts=True)
    of, value = cells // size, cells % size
    order = np.lexsort((-counts, of))
    of, value, counts = of[order], value[order], counts[order]
    first = np.flatnonzero(np.diff(of, prepend=-1))
    second = np.minimum(first + 1, of.size - 1)
    best = counts[first]
    other = np.where((second > first) & (of[second] == of[first]), counts[second], 0)
    right = np.where(best - 1 > other, 1.0, np.where((best - 1 == other) & (other > 0), 0.5, 0.0)) * best
    alone = (best == 1) & (other == 0)
    return float(right[~alone].sum() + (value[first][alone] == most).sum())


def median_of_equal(groups: Integers, key: Floats, middle: float) -> Floats:
    """For each row the (lower) median of the other rows of its group; `middle` where there is none."""
    order = np.lexsort((key, groups))
    ordered = groups[order]
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    sizes = np.diff(np.append(first, ordered.size))
    begin, size = np.repeat(first, sizes), np.repeat(sizes, sizes)
    rank = np.arange(ordered.size) - begin
    wanted = np.maximum(size - 2, 0) // 2
    wanted = wanted + (wanted >= rank)
    found = np.empty(key.size)
    found[order] = np.where(size > 1, key[order[np.minimum(begin + wanted, key.size - 1)]], middle)
    return found
