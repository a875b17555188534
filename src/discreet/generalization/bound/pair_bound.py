"""The bound for k = 2: over single partners, under prices that may prove the pairs of `pairs.py` optimal."""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np
from numba import njit

from discreet.generalization.bound.cheapest_box import SAFETY, join_cost
from discreet.generalization.bound.distinct import Distinct, Numbers, apart
from discreet.generalization.boxes import block_of, fill_exact, scratch
from discreet.generalization.domain import Codes, Floats, Integers, Tables
from discreet.generalization.travel import call
from discreet.scale import ordered_map


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def best_pairs(
    t: Tables, codes: Codes, copies: Integers, numbers: Numbers, prices: Floats, first: int, last: int
) -> Floats:
    """For tuples first … last−1 the least cost plus price of a partner."""
    s = scratch(t.start[-1])
    block = block_of(t, s, codes)
    places = block.places.T.copy()
    out = np.full(last - first, np.inf)
    for i in range(first, last):
        fill_exact(t, s, block, codes[i : i + 1], 1, block.exact)
        for j in range(codes.shape[0]):
            if prices[j] < out[i - first] and (j != i or copies[i] > 1):
                cost = join_cost(block.exact, places[j]) + apart(numbers, i, j)
                out[i - first] = min(out[i - first], prices[j] + cost)
    return out


def pair_bound(records: Distinct, prices: Floats, pool: Executor) -> float:
    """The bound for k = 2 under given prices of the distinct records, over all pairs."""
    t, codes, copies, numbers = records.boxes.tables, records.codes, records.copies, records.numbers
    m = copies.size
    step = max(1, min(256, m // 8))
    work = ((best_pairs, t, codes, copies, numbers, prices, a, min(a + step, m)) for a in range(0, m, step))
    least = np.concatenate(list(ordered_map(pool, call, work))) - SAFETY
    return float((copies * (least - prices)).sum() / records.cells)
