"""Rank swapping: values are exchanged between records whose ranks are near.

Records are sorted by the column, equal values in random order. From the least on, each that was not swapped yet
exchanges its value with one drawn at random from those after it, not swapped yet, whose ranks are at most

    reach = ⌊p · n / 100⌋,  and 1 at least

away (Moore, "Controlled data-swapping techniques for masking public use microdata sets", 1996). p is in percent: 5 is a
twentieth of the records. A record that finds nobody left keeps its value. The values as a whole stay what they were.

The ranks in reach that are still to be swapped stand in a pool, in any order; who leaves it makes room for the last:
a draw takes one step, and is uniform.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.perturbation.randoms import Randoms, Words

Codes = NDArray[np.int64]


def reach_of(percent: float, n: int) -> int:
    """How many ranks apart two records that exchange values may be."""
    return max(1, int(percent * n / 100.0))


def rank_swap(places: Codes, percent: float, randoms: Randoms, purpose: str) -> Codes:
    """Per record the one whose value it gets; `places` order the values, equal ones are equal."""
    n = len(places)
    order = np.lexsort((randoms.words(f"ties of {purpose}", n), places))
    gets = swapped_ranks(n, reach_of(percent, n), randoms.words(f"swaps of {purpose}", n))
    donor = np.empty(n, np.int64)
    donor[order] = order[gets]
    return donor


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def swapped_ranks(n: int, reach: int, words: Words) -> Codes:
    """Per rank the one it exchanges with, itself where nobody was left."""
    gets = np.arange(n)
    pool = np.empty(min(reach, n) + 1, np.int64)
    place = np.full(n, -1, np.int64)  # in the pool; −1 for who is not
    size, ahead = 0, 1
    for rank in range(n):
        while ahead < n and ahead <= rank + reach:
            pool[size], place[ahead] = ahead, size
            size += 1
            ahead += 1
        if place[rank] >= 0:  # still to be swapped: it leaves the pool
            size -= 1
            pool[place[rank]] = pool[size]
            place[pool[size]] = place[rank]
            place[rank] = -1
        elif rank > 0:
            continue
        if size == 0:
            continue
        drawn = np.int64(words[rank] % np.uint64(size))
        other = pool[drawn]
        size -= 1
        pool[drawn] = pool[size]
        place[pool[size]] = drawn
        place[other] = -1
        gets[rank], gets[other] = other, rank
    return gets
