"""The t least of a stream of values, kept sorted by insertion: for short lists faster than any heap.

`least` has length t; its first `held` entries are the least values so far, rising.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compile import inner

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]


@inner
def insert(least: Floats, held: int, value: float) -> int:
    """Take a value in if it is among the least; how many are held then."""
    t = least.shape[0]
    if held < t:
        at = held
        held += 1
    elif t > 0 and value < least[t - 1]:
        at = t - 1
    else:
        return held
    while at > 0 and least[at - 1] > value:
        least[at] = least[at - 1]
        at -= 1
    least[at] = value
    return held


@inner
def insert_copies(least: Floats, held: int, value: float, copies: int) -> int:
    """The same for a value that occurs so many times."""
    t = least.shape[0]
    while copies > 0 and (held < t or (t > 0 and value < least[t - 1])):
        held = insert(least, held, value)
        copies -= 1
    return held


@inner
def insert_item(least: Floats, items: Ints, held: int, value: float, item: int) -> int:
    """The same for a value that belongs to an item: of equal values, those that came first stay first."""
    t = least.shape[0]
    if held < t:
        at = held
        held += 1
    elif t > 0 and value < least[t - 1]:
        at = t - 1
    else:
        return held
    while at > 0 and least[at - 1] > value:
        least[at], items[at] = least[at - 1], items[at - 1]
        at -= 1
    least[at], items[at] = value, item
    return held


@inner
def least_sum(values: Floats, count: int, least: Floats) -> float:
    """The sum of the t least of the first `count` ≥ t values, which are left in `least`, rising."""
    held: int = np.int64(0)  # type: ignore[assignment]  # not a literal: numba would compile `insert` twice
    for x in range(count):
        held = insert(least, held, values[x])
    total = 0.0
    for x in range(least.shape[0]):
        total += least[x]
    return total
