"""Persons whom a telling column leaves fewer than k candidates: rows whose predicted keys do not fit them are ruled
out.

The keys of a row are predicted from the other originals with its value, if there are m = 15 of them, else from the m
nearest (words: from those with the value, if there are two). For a number the prediction is the range from the lowest
to the highest of theirs, without 2 % on each side if they are more than 30; for a category each value that at least 2
% of them have. A person is narrowed down if its own row survives and fewer than k rows do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.verify.left.candidates import Candidates, spans
from discreet.verify.left.nearest import nearest
from discreet.verify.left.values import Values

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

NEIGHBORS = 15
MANY, RARE = 30, 0.02
SHARED = 60
MOST_CELLS = 40_000_000


def narrowed(column: Values, keys: Sequence[Values], candidates: Candidates, own: Integers, k: int) -> int | None:
    """How many persons are narrowed down; None where the file is too large to say. Row r carries person own[r]."""
    n = column.codes.size
    if n * 2 * NEIGHBORS > MOST_CELLS:
        return None
    near = _near(column)
    persons = candidates.persons
    person, shown = persons[candidates.person], near.forecast[own[candidates.row]]
    mine = near.forecast[persons]
    fits, right = np.ones(person.size, bool), np.ones(persons.size, bool)
    for key in keys:
        if key.places is not None:
            low, high = _ranges(key.places, near)
            fits &= (key.places[person] >= low[shown]) & (key.places[person] <= high[shown])
            right &= (key.places[persons] >= low[mine]) & (key.places[persons] <= high[mine])
        elif near.count * key.size <= MOST_CELLS:
            held = _held(key, near)
            fits &= held[shown, key.codes[person]]
            right &= held[mine, key.codes[persons]]
    return candidates.all_of(int(((candidates.count(fits) < k) & right).sum()))


@dataclass(frozen=True)
class _Near:
    """Forecasts: the number of that for each row, and pairs of a forecast and a row it is made from.

    The last forecast is made from nothing. Rows of a value that many have share one, made from all of them: a row then
    has a part in its own forecast, but too small a part to matter.
    """

    forecast: Integers
    count: int
    of: Integers
    row: Integers


def _near(column: Values) -> _Near:
    n = column.codes.size
    sizes = np.bincount(column.codes)
    order = np.argsort(column.codes, kind="stable")
    first = np.cumsum(sizes) - sizes
    least = NEIGHBORS if column.places is not None else 2
    size = sizes[column.codes]
    shared, single = size > SHARED, np.flatnonzero((size > least) & (size <= SHARED))
    near = order[spans(first[column.codes[single]], size[single])]
    of = np.repeat(single, size[single])
    near, of = near[near != of], of[near != of]
    if column.places is not None:
        rows, around = nearest(column.places, NEIGHBORS)
        few = size[rows] <= least
        near = np.concatenate([near, around[few].ravel()])
        of = np.concatenate([of, np.repeat(rows[few], around.shape[1])])
    alone = np.unique(of)
    large = np.flatnonzero(sizes > SHARED)
    forecast = np.full(n, alone.size + large.size, np.int64)
    forecast[alone] = np.arange(alone.size)
    number = np.zeros(sizes.size, np.int64)
    number[large] = alone.size + np.arange(large.size)
    forecast[shared] = number[column.codes[shared]]
    members = np.flatnonzero(shared)
    return _Near(
        forecast,
        alone.size + large.size + 1,
        np.concatenate([forecast[of], forecast[members]]),
        np.concatenate([near, members]),
    )


def _ranges(places: Floats, near: _Near) -> tuple[Floats, Floats]:
    """The range of each forecast; everything where there is none, or where values are missing."""
    low, high = np.full(near.count, -np.inf), np.full(near.count, np.inf)
    values = places[near.row]
    order = np.lexsort((values, near.of))
    sizes = np.bincount(near.of, minlength=near.count)
    first = np.cumsum(sizes) - sizes
    cut = np.where(sizes > MANY, np.floor(RARE * (sizes - 1)), 0).astype(np.int64)
    ordered = values[order]
    gone = np.bincount(near.of, weights=np.isnan(values), minlength=near.count) > 0
    made = (sizes > 0) & ~gone
    low[made], high[made] = ordered[(first + cut)[made]], ordered[(first + sizes - 1 - cut)[made]]
    return low, high


def _held(key: Values, near: _Near) -> Mask:
    """Which categories each forecast allows; all where there is none."""
    cells = near.of * key.size + key.codes[near.row]
    counts = np.bincount(cells, minlength=near.count * key.size).reshape(near.count, key.size)
    total = counts.sum(axis=1, keepdims=True)
    held: Mask = (counts >= np.maximum(RARE * total, 1)) | (total == 0)
    return held
