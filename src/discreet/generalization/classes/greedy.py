"""Classes one after another within blocks: a record, then the k − 1 that widen the class least.

The k-member clustering of J.-W. Byun, A. Kamra, E. Bertino, N. Li, "Efficient k-anonymization using clustering
techniques", 2007. A class begins with the record farthest from the class before it, or with any; what costs nothing
more joins it too, and what is left over at the end joins where it adds least. Where l distinct values are due, the last
places of a class are kept for values that it lacks.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.generalization.boxes import Block, Scratch, block_of, scratch
from discreet.generalization.classes.costs import added_costs, class_cost
from discreet.generalization.domain import Codes, Floats, Integers, Tables
from discreet.kernels.compile import inner
from discreet.kernels.randoms import scaled_below

FREE = -1
FREE_OF_COST = 1e-12


@inner
def _nearest(added: Floats, label: Integers, values: Integers, held: Integers, new_only: bool) -> int:
    """The free record that adds least; with `new_only`, of those with a known value that the class does not hold."""
    best = -1
    for c in range(label.shape[0]):
        if label[c] != FREE or (new_only and (values[c] < 0 or held[values[c]] > 0)):
            continue
        if best < 0 or added[c] < added[best]:
            best = c
    return best


@inner
def _first(added: Floats, label: Integers, skip: int) -> int:
    """The free record to begin with: the one after `skip` free ones or, where that is negative, that would add most."""
    best = -1
    for c in range(label.shape[0]):
        if label[c] != FREE:
            continue
        if skip == 0:
            return c
        skip -= 1
        if best < 0 or added[c] > added[best]:
            best = c
    return best


@inner
def _rises(t: Tables, s: Scratch, block: Block, columns: Codes, label: Integers, g: int, out: Floats) -> None:
    """By how much each record would raise the cost of class g."""
    members, m = np.empty_like(columns), np.int64(0)  # a plain 0 would compile what is called with it anew
    for c in range(label.shape[0]):
        if label[c] == g:
            for a in range(columns.shape[1]):
                members[m, a] = columns[c, a]
            m += 1
    base = class_cost(t, s, members, m, m)
    added_costs(t, s, block, members, m, out)
    for c in range(out.shape[0]):
        out[c] = base + (m + 1) * out[c]


@inner
def _join(t: Tables, s: Scratch, block: Block, columns: Codes, label: Integers, size: Integers, most: int) -> None:
    """Put what is still free into the classes, of those with fewer than `most`, whose cost it raises least."""
    rise = np.empty((size.shape[0], label.shape[0]))
    for g in range(size.shape[0]):
        _rises(t, s, block, columns, label, g, rise[g])
    for c in range(label.shape[0]):
        if label[c] != FREE:
            continue
        best = np.int64(-1)
        for g in range(size.shape[0]):
            if size[g] < most and (best < 0 or rise[g, c] < rise[best, c]):
                best = np.int64(g)
        label[c] = best
        size[best] += 1
        _rises(t, s, block, columns, label, best, rise[best])


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def greedy_blocks(
    t: Tables,
    codes: Codes,
    ends: Integers,
    values: Integers,
    k: int,
    l: int,
    anywhere: bool,
    seed: np.uint64,
) -> Integers:
    """The class of every record, numbered from 0 through all blocks; each block holds k records and l known values.

    `values` are 0, 1, …, or −1 where the value is not known; l = 0 where none are due. With `anywhere` classes begin
    with any record rather than with the farthest.
    """
    s = scratch(t.start[-1])
    out = np.empty(codes.shape[0], np.int64)
    held, left_of = np.zeros(values.max() + 1, np.int64), np.zeros(values.max() + 1, np.int64)
    random = np.zeros(1, np.uint64)
    first = 0
    for b in range(ends.shape[0] - 1):
        low, high = ends[b], ends[b + 1]
        random[0] = seed ^ (np.uint64(b + 1) * np.uint64(0xD1B54A32D192ED03))
        mine, columns = values[low:high], codes[low:high]
        label, size = out[low:high], np.zeros((high - low) // k + 1, np.int64)
        for c in range(high - low):
            label[c] = FREE
        left, kinds, made = high - low, 0, 0
        for v in mine:
            if v >= 0:
                kinds += left_of[v] == 0
                left_of[v] += 1
        block = block_of(t, s, columns)
        added, members = np.zeros(high - low), np.empty((high - low, codes.shape[1]), np.int32)
        while left >= k and kinds >= l:
            c = _first(added, label, scaled_below(random, left) if anywhere or made == 0 else -1)
            m, distinct = np.int64(0), 0
            while c >= 0:
                label[c] = made
                for a in range(columns.shape[1]):
                    members[m, a] = columns[c, a]
                m, left = m + 1, left - 1
                if mine[c] >= 0:
                    distinct += held[mine[c]] == 0
                    held[mine[c]] += 1
                    left_of[mine[c]] -= 1
                    kinds -= left_of[mine[c]] == 0
                added_costs(t, s, block, members, m, added)
                c = -1
                short = m < k or distinct < l
                if short or (m < 2 * k - 1 and left != k):  # the last k are a class: there may be no room for them
                    c = _nearest(added, label, mine, held, distinct < l and l - distinct >= k - m)
                    if c >= 0 and not short and class_cost(t, s, members, m, m) + added[c] > FREE_OF_COST:
                        c = -1
            for v in mine:
                if v >= 0:
                    held[v] = 0
            size[made] = m
            made += 1
        for v in mine:
            if v >= 0:
                left_of[v] = 0
        if left > 0:
            _join(t, s, block, columns, label, size[:made], 2 * k - 1 if l == 0 else high - low)
        for value in block.values:
            s.place[value] = -1
        for c in range(high - low):
            label[c] += first
        first += made
    return out
