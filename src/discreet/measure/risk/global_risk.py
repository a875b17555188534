"""Risk of the whole file: expected re-identifications, their share, and the threshold that keeps that share low.

    expected = Σ r_i          global risk = expected / n

Threshold for a largest global risk g (mu-Argus; sdcMicro's measure_threshold): if every risk above r* were cut down to
r*, the expected re-identifications would stay below g·n. Records above it are those to protect.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def threshold(risk: Floats, most: float) -> float | None:
    """The largest risk r* among the records such that cutting all above it down to it is enough; None where nothing
    need be cut, or where no risk of a record is low enough."""
    down = np.sort(risk)[::-1]
    limit, total = most * len(down), float(down.sum())
    if total < limit:
        return None
    changed = np.flatnonzero(down[1:] != down[:-1]) + 1
    above = np.concatenate([[0.0], np.cumsum(down)])
    after = total - above[changed] + down[changed] * changed
    fits = np.flatnonzero(after < limit)
    return float(down[changed[fits[0]]]) if len(fits) else None
