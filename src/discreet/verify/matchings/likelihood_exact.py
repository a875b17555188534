"""The share of perfect matchings that hold each pair, counted exactly in small components.

Rows are assigned one after another; the state is how many members of each class of people are still free. With f(s)
the number of ways to come to state s and g(s) the number of ways to go on from it, both by recursion over states, the
share of matchings in which the next row takes a person of class j is

    Σ_s f(s) · s_j · g(s − e_j)  /  Σ_s f(s) · g(s)            over the states s just before that row,

and a row's share in one person of the class is that divided by the size of the class. For classes of one member each
this is the permanent over subsets (Ryser's problem by dynamic programming); equal neighborhoods merged, it is often
far smaller. Counts are kept relative to the greatest of their layer: only ratios are needed.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LEAST = 1e-250
"""Below this the greatest counts of both directions lie so far apart that their products lose digits."""


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def states(counts: Integers, most: int) -> int:
    """How many states there are, or `most` if there are more."""
    total = 1
    for m in counts:
        total *= m + 1
        if total >= most:
            return most
    return total


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def largest_share(ends: Integers, other: Integers, rows: Integers, people: Integers) -> float:
    """The greatest share of matchings that one pair of row and person has; −1 where floating point cannot hold it.

    `rows` and `people` are the sizes of the classes; class i of rows may take the classes `other[ends[i] : ends[i+1]]`.
    """
    size = people.shape[0]
    stride = np.ones(size + 1, np.int64)
    for j in range(size):
        stride[j + 1] = stride[j] * (people[j] + 1)
    total, n = stride[size], people.sum()
    left = np.zeros(total, np.int64)  # how many people are free in each state
    for j in range(size):
        for s in range(total):
            left[s] += s // stride[j] % (people[j] + 1)
    begin = np.zeros(n + 2, np.int64)  # states by layer: layer t has n − t free
    for s in range(total):
        begin[n - left[s] + 1] += 1
    for t in range(n + 1):
        begin[t + 1] += begin[t]
    place, layer = begin.copy(), np.empty(total, np.int64)
    for s in range(total):
        layer[place[n - left[s]]] = s
        place[n - left[s]] += 1
    row_class, first_of = np.empty(n, np.int64), np.empty(rows.shape[0], np.int64)
    t = 0
    for i in range(rows.shape[0]):
        first_of[i] = t
        for _ in range(rows[i]):
            row_class[t] = i
            t += 1
    come, onward = np.zeros(total), np.zeros(total)
    come[total - 1], onward[0] = 1.0, 1.0
    for t in range(n):
        i, greatest = row_class[t], 0.0
        for q in range(begin[t], begin[t + 1]):
            s = layer[q]
            if come[s] > 0:
                for e in range(ends[i], ends[i + 1]):
                    j = other[e]
                    free = s // stride[j] % (people[j] + 1)
                    come[s - stride[j]] += come[s] * free
        for q in range(begin[t + 1], begin[t + 2]):
            greatest = max(greatest, come[layer[q]])
        for q in range(begin[t + 1], begin[t + 2]):
            come[layer[q]] /= greatest
    for t in range(n - 1, -1, -1):
        i, greatest = row_class[t], 0.0
        for q in range(begin[t], begin[t + 1]):
            s = layer[q]
            for e in range(ends[i], ends[i + 1]):
                j = other[e]
                free = s // stride[j] % (people[j] + 1)
                if free > 0:
                    onward[s] += onward[s - stride[j]] * free
            greatest = max(greatest, onward[s])
        for q in range(begin[t], begin[t + 1]):
            onward[layer[q]] /= greatest
    best = 0.0
    share = np.empty(size)
    for i in range(rows.shape[0]):
        t, every = first_of[i], 0.0
        for e in range(ends[i], ends[i + 1]):
            j = other[e]
            share[j] = 0.0
            for q in range(begin[t], begin[t + 1]):
                s = layer[q]
                free = s // stride[j] % (people[j] + 1)
                if free > 0:
                    share[j] += come[s] * free * onward[s - stride[j]]
            every += share[j]
        if every < LEAST:
            return -1.0
        for e in range(ends[i], ends[i + 1]):
            best = max(best, share[other[e]] / every / people[other[e]])
    return best
