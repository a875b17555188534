"""The least weighted number of blanks of any release in classes of k, from below: prices, checked by group-bys.

Distinct combinations of keys t occur n_t times and have a price p_t each, of any sign. A class q is a set S of blank
keys and the values outside S; its members are the t with these values. A record of t in it costs

    c(t, S) = sum of the weights of the keys in S that t has a value of

since what is missing is blank already. Every release puts each record into one class, and a class that is used holds k
records or more, so it costs at least

    Σ_t n_t p_t + Σ_q min(0, v_q)        v_q = the least Σ_t x_t (c(t, S) − p_t), 0 ≤ x_t ≤ n_t, Σ_t x_t ≥ k

for any prices (Lagrangian duality: prices pay for the demand that every record is somewhere). v_q takes all members
with a negative c − p, then the cheapest of the others until there are k. All in whole numbers: prices are given over a
common scale, and costs are multiplied by it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import combine

Integers = NDArray[np.int64]

WIDE = 2**62
"""Sums that may be greater are taken in Python's whole numbers."""


class Priced(NamedTuple):
    """Σ n_t p_t, and Σ min(0, v_q): the bound is their sum, over the scale."""

    total: int
    relief: int


def priced(codes: Integers, count: Integers, k: int, weights: Integers, prices: list[int], scale: int) -> Priced:
    """What the prices prove; `codes` are the distinct combinations (0 is missing), `count` how often each occurs."""
    total = sum(int(n) * price for n, price in zip(count.tolist(), prices))
    greatest = max(map(abs, prices)) + scale * int(weights.sum())
    kind: Any = np.int64 if greatest * int(count.sum()) < WIDE else object
    price = np.array(prices, kind)
    gap = codes == 0
    d = codes.shape[1]
    relief = 0
    for mask in range(1 << d):
        blank = np.array([mask >> j & 1 for j in range(d)], bool)
        # Whoever misses a key is in classes that leave it blank.
        member = np.flatnonzero(~(gap & ~blank).any(axis=1))
        cost = (~gap[member] & blank) @ weights
        left = cost.astype(kind) * scale - price[member]
        if not (left < 0).any():
            continue
        relief += _relief(codes[member][:, ~blank], count[member], left, k)
    return Priced(total, relief)


def _relief(values: Integers, count: Integers, left: Any, k: int) -> int:
    """Σ min(0, v_q) over the classes of one set of blank keys."""
    of = combine(list(values.T)) if values.shape[1] else np.zeros(count.size, np.int64)
    size = int(of.max()) + 1
    people, gaining = np.zeros(size, np.int64), np.zeros(size, np.int64)
    np.add.at(people, of, count)
    negative = (left < 0).astype(bool)
    np.add.at(gaining, of[negative], count[negative])
    within = ((people >= k) & (gaining > 0))[of]
    if not within.any():
        return 0
    of, count, left = of[within], count[within], left[within]
    order = np.lexsort((_ranks(left), of))
    of, count, left = of[order], count[order], left[order]
    first = np.flatnonzero(np.diff(of, prepend=-1))
    before = np.cumsum(count) - count
    before -= np.repeat(before[first], np.diff(np.append(first, of.size)))
    taken = np.minimum(count, np.maximum(np.maximum(gaining[of], k) - before, 0))
    least = np.add.reduceat(taken.astype(left.dtype) * left, first)
    return int(sum(int(value) for value in least[least < 0]))


def _ranks(left: Any) -> Integers:
    """Numbers in the order of these: what is of Python's whole numbers cannot be sorted by columns."""
    if left.dtype != object:
        return np.asarray(left, np.int64)
    ranks = np.empty(left.size, np.int64)
    ranks[np.argsort(left, kind="stable")] = np.arange(left.size)
    return ranks
