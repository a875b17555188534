"""Interval disclosure: original numbers that lie in a narrow interval around the published ones. Counted.

    share of records with |x_ij − y_ij| <= w · s_j for every column j, s_j the standard deviation of what is published

w = 0.05 unless given (sdcMicro's dRisk; Mateo-Sanz, Sebé, Domingo-Ferrer 2004). A value that
tells the original within w standard deviations tells it nearly, whether or not a record can be linked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WIDTH = 0.05


class Intervals(NamedTuple):
    """The share of records inside in every column, and inside in each column by itself."""

    together: float
    by_column: Floats


def interval_disclosure(original: Floats, published: Floats, *, width: float = WIDTH) -> Intervals:
    """Shares of records whose original values are told by the published ones of the same row."""
    spread = width * published.std(axis=0, ddof=1) if len(published) > 1 else np.zeros(published.shape[1])
    inside = (original >= published - spread) & (original <= published + spread)
    return Intervals(float(inside.all(axis=1).mean()), inside.mean(axis=0))
