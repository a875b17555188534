"""For every row the m other rows whose values in a column of numbers or dates are nearest.

In the order of values the m nearest of a row are among the m before it and the m after it. Equal values are put in
random order first, the same one every time: the order of the file must not choose among them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


def nearest(places: Floats, m: int) -> tuple[Integers, Integers]:
    """The rows with a value, and for each of them the m nearest others (all others where they are fewer)."""
    rows = np.flatnonzero(np.isfinite(places))
    shuffled = np.random.default_rng(0).permutation(rows)
    order = shuffled[np.argsort(places[shuffled], kind="stable")]
    n, width = order.size, min(m, order.size - 1)
    if width < 1:
        return rows[:0], np.zeros((0, 0), np.int64)
    offsets = np.concatenate([np.arange(-width, 0), np.arange(1, width + 1)])
    at = np.arange(n)[:, None] + offsets
    inside = (at >= 0) & (at < n)
    at = np.clip(at, 0, n - 1)
    ordered = places[order]
    largest = np.abs(ordered).max()
    scaled = ordered / largest if largest > 0 else ordered
    distance = np.where(inside, np.abs(scaled[at] - scaled[:, None]), np.inf)
    chosen = np.argpartition(distance, width - 1, axis=1)[:, :width]
    return order, order[np.take_along_axis(at, chosen, axis=1)]
