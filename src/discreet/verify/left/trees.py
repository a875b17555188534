"""Decision trees for categories, level by level on columns cut into parts: what predicts keys from all left columns.

At each level every leaf is split once: at a place of an ordered column, or one part of it against the rest, wherever
Σ over both sides of Σ_c n_c²/n is greatest (Gini). One table of counts (leaf × part × class) per column is enough to
compare all its splits in all leaves. Breiman, Friedman, Olshen and Stone 1984; by histograms: Ke et al. 2017
(LightGBM).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

DEPTH = 6
LEAST = 8
"""Rows that each side of a split has at least."""
PRIOR = 2.0
"""Rows' worth of the whole column's shares in each leaf."""


@dataclass(frozen=True)
class Parts:
    """A column in parts: the part of each row, how many there are, and if their order means something."""

    codes: Integers
    size: int
    ordered: bool


@dataclass(frozen=True)
class Tree:
    """Per level and leaf which column is asked, and which parts of it go right; then the shares of classes by leaf."""

    columns: Sequence[Integers]
    right: Sequence[NDArray[np.bool_]]
    shares: Floats

    def predict(self, columns: Sequence[Parts], rows: Integers) -> Floats:
        """The shares of the classes for each of the rows."""
        leaf = np.zeros(rows.size, np.int64)
        for asked, right in zip(self.columns, self.right):
            leaf = _descend(columns, asked, right, leaf, rows)
        return self.shares[leaf]


def grow(columns: Sequence[Parts], classes: Integers, size: int, rows: Integers, depth: int = DEPTH) -> Tree:
    """A tree that predicts `classes` (numbers below `size`) from the columns, grown on some of the rows."""
    y = classes[rows]
    leaf = np.zeros(rows.size, np.int64)
    asked_by_level, right_by_level = [], []
    most = max(column.size for column in columns)
    for level in range(depth):
        leaves = 1 << level
        best, asked = np.zeros(leaves), np.full(leaves, -1, np.int64)
        right = np.zeros((leaves, most), bool)
        for number, column in enumerate(columns):
            cells = (leaf * column.size + column.codes[rows]) * size + y
            table = np.bincount(cells, minlength=leaves * column.size * size).reshape(leaves, column.size, size)
            gain, chosen = _best_split(table.astype(np.float64), column.ordered)
            better = gain > best + 1e-9
            best[better], asked[better] = gain[better], number
            right[better] = False
            right[better, : column.size] = chosen[better]
        if (asked < 0).all():
            break
        asked_by_level.append(asked)
        right_by_level.append(right)
        leaf = _descend(columns, asked, right, leaf, rows)
    leaves = 1 << len(asked_by_level)
    counts = np.bincount(leaf * size + y, minlength=leaves * size).reshape(leaves, size).astype(np.float64)
    overall = (np.bincount(y, minlength=size) + 0.5) / (y.size + 0.5 * size)
    shares = (counts + PRIOR * overall) / (counts.sum(axis=1, keepdims=True) + PRIOR)
    return Tree(asked_by_level, right_by_level, shares)


def _best_split(table: Floats, ordered: bool) -> tuple[Floats, NDArray[np.bool_]]:
    """Per leaf the gain of the best split of a column, and the parts on its right side."""
    whole = table.sum(axis=1, keepdims=True)
    right = np.cumsum(table[:, ::-1], axis=1)[:, ::-1] if ordered else table
    left = whole - right
    gain = _purity(left) + _purity(right) - _purity(whole)
    gain[(left.sum(axis=2) < LEAST) | (right.sum(axis=2) < LEAST)] = 0.0
    at = gain.argmax(axis=1)
    parts = np.arange(table.shape[1])
    chosen = parts >= at[:, None] if ordered else parts == at[:, None]
    return np.take_along_axis(gain, at[:, None], axis=1)[:, 0], chosen


def _purity(counts: Floats) -> Floats:
    return (counts**2).sum(axis=2) / np.maximum(counts.sum(axis=2), 1.0)


def _descend(
    columns: Sequence[Parts], asked: Integers, right: NDArray[np.bool_], leaf: Integers, rows: Integers
) -> Integers:
    """The leaves one level below; where a leaf asks nothing all its rows go left."""
    goes = np.zeros(rows.size, bool)
    column_of = asked[leaf]
    for number in np.unique(asked[asked >= 0]).tolist():
        at = np.flatnonzero(column_of == number)
        goes[at] = right[leaf[at], columns[number].codes[rows[at]]]
    return 2 * leaf + goes
