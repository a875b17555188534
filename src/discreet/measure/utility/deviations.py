"""Differences row by row of numeric data, by the names that sdcMicro has for them.

    IL1            Σ 100 |x − y| / |x|, over x other than 0: in percent of each value
    IL1s           Σ |x − y| / (√2 · s), s the standard deviation of the original column
    IL1old         IL1s per cell
    IL_variables   mean of (2/π) arctan |x − y|

with x the original and y the published value. IL1 and IL1s grow with the file: compare files of one size only.
IL_variables depends on the units: amounts of money are nearly all far apart on its scale. Yancey, Winkler and Creecy
(2002) for IL1s; Mateo-Sanz, Domingo-Ferrer and Sebé (2005) for the last. Over cells known in both files; a column that
is constant has no standard deviation and no part in IL1s.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.measure.utility.absent import CONSTANT, EMPTY, Figure
from discreet.measure.utility.columns import Floats


class Deviations(NamedTuple):
    """The four figures of a table, and IL1s of each of its columns."""

    il1: Figure
    il1s: Figure
    il1_old: Figure
    il_variables: Figure
    by_column: tuple[Figure, ...]


def deviations(original: Floats, published: Floats) -> Deviations:
    """Of n × d numbers, NaN where missing; infinite where they are too far apart."""
    known = np.isfinite(original) & np.isfinite(published)
    if not known.any():
        return Deviations(EMPTY, EMPTY, EMPTY, EMPTY, (EMPTY,) * original.shape[1])
    percent, cells, angles = 0.0, 0, 0.0
    shares: list[Figure] = []
    for j in range(original.shape[1]):
        x, y = original[known[:, j], j], published[known[:, j], j]
        if not x.size:
            shares.append(EMPTY)
            continue
        every = original[np.isfinite(original[:, j]), j]
        unit = float(np.abs(every).max()) or 1.0
        away = np.abs(x / unit - y / unit)
        some = x != 0
        percent += float((100 * away[some] / np.abs(x[some] / unit)).sum())
        angles += float((2 / np.pi * np.arctan(away * unit)).sum())
        every = every / unit
        spread = float(every.std(ddof=1)) if every.size > 1 and np.ptp(every) > 0 else 0.0
        shares.append(float((away / (np.sqrt(2) * spread)).sum()) if spread > 0 else CONSTANT)
        cells += x.size if spread > 0 else 0
    total = sum(share for share in shares if isinstance(share, float))
    scaled: Figure = total if cells else CONSTANT
    each: Figure = total / cells if cells else CONSTANT
    return Deviations(percent, scaled, each, angles / int(known.sum()), tuple(shares))
