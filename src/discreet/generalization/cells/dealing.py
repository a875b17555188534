"""A uniform shuffle of rows that no one holds at once: how many of each block go to each part, then two passes.

Rows lie in blocks of b_1, b_2, … rows and go to parts of p_1, p_2, … rows. A uniformly random order of all of them can
be drawn in three steps: the number of rows of each block in each part (the table that dealing from a shuffled deck
gives: p_j tickets to part j, drawn without replacement, block after block), then in each block which of its rows these
are (a uniform order of the block, cut into runs), then in each part a uniform order of what it received. The table is
visible in what is published, if blocks can be told apart there, and tells nothing; the orders are secret.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.generalization.domain import Integers
from discreet.generalization.extraction import Stream, drawn


def equal_parts(n: int, most: int) -> Integers:
    """Sizes of the fewest parts of at most `most` rows, as equal as can be: the larger ones first."""
    parts = max(1, -(-n // max(most, 1)))
    sizes = np.full(parts, n // parts, np.int64)
    sizes[: n % parts] += 1
    return sizes


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def dealt(s: Stream, blocks: Integers, parts: Integers) -> Integers:
    """`out[b, p]`: how many rows of block b go to part p, as tickets drawn without replacement tell."""
    count = parts.shape[0]
    size = 1
    while size < count:
        size *= 2
    left = np.zeros(2 * size, np.int64)  # a tree of sums: node i is over 2i and 2i + 1, parts stand from `size` on
    for p in range(count):
        left[size + p] = parts[p]
    for i in range(size - 1, 0, -1):
        left[i] = left[2 * i] + left[2 * i + 1]
    out = np.zeros((blocks.shape[0], count), np.int64)
    for b in range(blocks.shape[0]):
        for _ in range(blocks[b]):
            ticket = drawn(s, left[1])
            node = 1
            left[1] -= 1
            while node < size:
                node *= 2
                if ticket >= left[node]:
                    ticket -= left[node]
                    node += 1
                left[node] -= 1
            out[b, node - size] += 1
    return out
