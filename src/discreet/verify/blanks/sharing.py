"""Who shares a published combination of keys: other published rows (class), or records of the original (cover).

    class   every combination of published keys, a blank being a value, is shown by k rows or more
    cover   every combination of published keys fits k records of the original or more, a blank fitting anything

With combinations of m the same is asked of every m keys, and so of fewer. Class implies cover where cells are blank or
what they were: the rows that show a combination are of records that it fits. Cover alone protects a published row from
being traced, and not a person from being found: who is looked for may fit fewer than k published rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import combine

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


def subsets(d: int, m: int | None) -> Iterator[tuple[int, ...]]:
    """The sets of keys that are asked about: all keys at once, or every m of them."""
    yield from combinations(range(d), d if m is None else min(m, d))


def shown_by(published: Integers, m: int | None) -> Integers:
    """Per row the fewest rows that show what it shows, on any of the sets of keys."""
    fewest = np.full(len(published), len(published), np.int64)
    for keys in subsets(published.shape[1], m):
        of_row = combine([published[:, j] for j in keys])
        fewest = np.minimum(fewest, np.bincount(of_row)[of_row])
    return fewest


def fits(original: Integers, published: Integers, m: int | None) -> Integers:
    """Per published row the fewest originals that it fits, on any of the sets of keys."""
    fewest = np.full(len(published), len(original), np.int64)
    for keys in subsets(published.shape[1], m):
        chosen = list(keys)
        fewest = np.minimum(fewest, covering(original[:, chosen], published[:, chosen]).fitted)
    return fewest


@dataclass(frozen=True)
class Covering:
    """How many originals each published row fits, and how many published rows fit each original."""

    fitted: Integers
    fitting: Integers


def covering(original: Integers, published: Integers) -> Covering:
    """Both counts, by one group-by for every set of keys that is blank somewhere."""
    d = published.shape[1]
    people, person_of, person_count = distinct(original)
    rows, row_of, row_count = distinct(published)
    blanks = (rows == 0) @ (1 << np.arange(d))
    fitted, fitting = np.zeros(len(rows), np.int64), np.zeros(len(people), np.int64)
    for mask in np.unique(blanks).tolist():
        here = np.flatnonzero(blanks == mask)
        open_keys = [j for j in range(d) if not mask >> j & 1]
        both = [np.concatenate([people[:, j], rows[here, j]]) for j in open_keys]
        of = combine(both) if both else np.zeros(len(people) + here.size, np.int64)
        size = int(of.max()) + 1
        fitted[here] = _sums(of[: len(people)], person_count, size)[of[len(people) :]]
        fitting += _sums(of[len(people) :], row_count[here], size)[of[: len(people)]]
    return Covering(fitted[row_of], fitting[person_of])


def distinct(rows: Integers) -> tuple[Integers, Integers, Integers]:
    """Distinct rows in the order of their first appearance, which one each row is, and how often each occurs."""
    of_row = combine(list(rows.T))
    count = np.bincount(of_row).astype(np.int64)
    first = np.full(count.size, len(rows), np.int64)
    np.minimum.at(first, of_row, np.arange(len(rows)))
    order = np.argsort(first, kind="stable")
    place = np.empty(count.size, np.int64)
    place[order] = np.arange(count.size)
    return rows[first[order]], place[of_row], count[order]


def _sums(of: Integers, weights: Integers, size: int) -> Integers:
    total = np.zeros(size, np.int64)
    np.add.at(total, of, weights)
    return total
