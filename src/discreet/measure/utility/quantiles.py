"""Quantiles of a column whose entries may be ranges.

The distribution of a column is the mixture of its entries, each with its weight: a step for a plain value, uniform over
a range. The quantile of p is the least t with F(t) ≥ p; for plain values it is that of the empirical distribution.
F is linear between neighboring ends of ranges, so it is known from its values, its left limits and its slopes there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.measure.utility.columns import Codes, Floats, Numbers

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def quantiles(column: Numbers, weights: Floats, levels: Sequence[float] = LEVELS) -> Floats | None:
    """The quantile of every level; None where nothing is known."""
    known = column.known & (weights > 0)
    low, high, w = column.low[known], column.high[known], weights[known]
    if not low.size:
        return None
    wide = high > low
    places = np.unique(np.concatenate([low, high[wide]]))
    jump = np.bincount(np.searchsorted(places, low[~wide]), weights=w[~wide], minlength=places.size)
    reached = np.cumsum(jump)
    before = reached - jump
    slope = np.zeros(places.size)
    if wide.any():
        rate = w[wide] / (high[wide] - low[wide])
        start, end = np.searchsorted(places, low[wide]), np.searchsorted(places, high[wide])
        slope = np.cumsum(_sums(start, rate, places.size) - _sums(end, rate, places.size))
        slope[-1] = 0.0
        grown = np.concatenate([[0.0], np.cumsum(np.maximum(slope[:-1], 0.0) * np.diff(places))])
        before, reached = before + grown, reached + grown
    wanted = np.asarray(levels) * min(w.sum(), reached[-1])
    at = np.minimum(np.searchsorted(reached, wanted * (1 - 1e-12)), places.size - 1)
    out = places[at].copy()
    within = (at > 0) & (before[at] > wanted)
    last = at[within] - 1
    rising = np.maximum(slope[last], np.finfo(float).tiny)
    out[within] = np.clip(places[last] + (wanted[within] - reached[last]) / rising, places[last], places[at[within]])
    return out


def _sums(places: Codes, values: Floats, size: int) -> Floats:
    found: Floats = np.bincount(places, weights=values, minlength=size).astype(np.float64)
    return found
