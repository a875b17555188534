"""Slow, obvious twins of local suppression: both promises by definition, optima by trying every set of blanks."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

BLANK = -1


def sets_of(d: int, combinations: int | None) -> list[tuple[int, ...]]:
    """The sets of keys whose combinations must be shared."""
    return list(itertools.combinations(range(d), d if combinations is None else min(combinations, d)))


def holds(codes: np.ndarray, blank: np.ndarray, k: int, semantics: str, combinations: int | None = None) -> bool:
    """Whether the published table keeps the promise, straight from its definition."""
    published = np.where(blank, BLANK, codes)
    for columns in sets_of(codes.shape[1], combinations):
        for row in published[:, columns]:
            against = published[:, columns] if semantics == "class" else codes[:, columns]
            same = against == row
            if semantics == "cover":
                same |= row == BLANK
            if same.all(axis=1).sum() < k:
                return False
    return True


def least_cost(codes: np.ndarray, cost: np.ndarray, k: int, semantics: str, combinations: int | None = None) -> int:
    """The optimum, over all sets of blanks in rising order of cost."""
    n, d = codes.shape
    masks = [np.array(bits, bool).reshape(n, d) for bits in itertools.product((0, 1), repeat=n * d)]
    masks.sort(key=lambda mask: int((mask @ cost).sum()))
    return next(int((mask @ cost).sum()) for mask in masks if holds(codes, mask, k, semantics, combinations))


def least_classes(codes: np.ndarray, cost: np.ndarray, k: int) -> int:
    """The optimum of classes over all partitions into groups of k: a group publishes the columns it agrees in."""

    def best(left: tuple[int, ...]) -> float:
        if not left:
            return 0
        found = float("inf")
        for size in range(k, len(left) + 1):
            for others in itertools.combinations(left[1:], size - 1):
                group = codes[[left[0], *others]]
                blanks = (group != group[0]).any(axis=0)
                rest = tuple(i for i in left[1:] if i not in others)
                found = min(found, size * int(blanks @ cost) + best(rest))
        return found

    return int(best(tuple(range(len(codes)))))


def price_bound(codes: np.ndarray, cost: np.ndarray, k: int, prices: dict[tuple[int, ...], Fraction]) -> Fraction:
    """Σ λ + Σ over patterns of the least value of using it with k records or more, or 0; records one by one."""
    d = codes.shape[1]
    records = [tuple(int(v) for v in row) for row in codes]
    total = sum((prices[row] for row in records), Fraction(0))
    for bits in itertools.product((False, True), repeat=d):
        groups: dict[tuple[int, ...], list[Fraction]] = {}
        for row in records:
            pattern = tuple(BLANK if hidden else value for hidden, value in zip(bits, row))
            groups.setdefault(pattern, []).append(prices[row])
        each = sum(int(c) for c, hidden in zip(cost, bits) if hidden)
        for found in groups.values():
            found.sort(reverse=True)
            values = [sum((each - price for price in found[:m]), Fraction(0)) for m in range(k, len(found) + 1)]
            total += min([Fraction(0), *values])
    return total
