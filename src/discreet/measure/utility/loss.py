"""Information loss of masked numeric data.

    IL = 100 · Σ_i Σ_j ((x_ij − y_ij)/s_j)² / Σ_i Σ_j ((x_ij − x̄_j)/s_j)²

with x the original, y the published values and s_j the scale of column j. Columns without variation cost nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def scales(values: Floats, scale: str = "sd") -> Floats:
    """The divisor of each column: sample standard deviation, range, or 1; 0 marks a constant column."""
    if scale == "sd":
        spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])
    elif scale == "range":
        spread = np.ptp(values, axis=0)
    else:
        spread = np.ones(values.shape[1])
    constant = np.ptp(values, axis=0) == 0
    return np.where(constant, 0.0, spread)


def _squares(original: Floats, published: Floats, scale: str) -> tuple[Floats, Floats]:
    """Per column: the squared error and the squared variation, both scaled."""
    divisor = scales(original, scale)
    safe = np.where(divisor > 0, divisor, 1.0)
    error = (((original - published) / safe) ** 2).sum(axis=0)
    total = (((original - original.mean(axis=0)) / safe) ** 2).sum(axis=0)
    return np.where(divisor > 0, error, 0.0), np.where(divisor > 0, total, 0.0)


def information_loss(original: Floats, published: Floats, scale: str = "sd") -> float:
    """IL in percent: 0 where nothing was lost, 100 where only the overall mean was published."""
    error, total = _squares(original, published, scale)
    return float(100.0 * error.sum() / total.sum()) if total.sum() > 0 else 0.0


def column_losses(original: Floats, published: Floats, weights: Floats | None = None) -> Floats:
    """IL of each column by itself, in percent, with gaps: over what was known, weighted, and with a value that is blank
    in what is published as if the mean of all stood there."""
    weight = np.ones(len(original)) if weights is None else weights
    out = np.zeros(original.shape[1])
    for j in range(original.shape[1]):
        known = ~np.isnan(original[:, j])
        if not weight[known].any() or np.ptp(original[known, j]) == 0:
            continue
        x, y, w = original[known, j], published[known, j], weight[known]
        largest = float(np.abs(x).max())
        x, y = x / largest, y / largest
        mean = np.average(x, weights=w)
        total = (w * (x - mean) ** 2).sum()
        out[j] = 100.0 * (w * (x - np.where(np.isnan(y), mean, y)) ** 2).sum() / total if total > 0 else 0.0
    return out


def moments(original: Floats, published: Floats) -> dict[str, Floats]:
    """What analyses rest on, before and after: standard deviations kept (ratio) and correlations changed (maximum)."""
    before, after = original.std(axis=0), published.std(axis=0)
    ratio = np.divide(after, before, out=np.ones_like(before), where=before > 0)
    varied = (before > 0) & (after > 0)
    change = np.zeros(original.shape[1])
    if varied.sum() > 1:
        with np.errstate(invalid="ignore", divide="ignore"):
            difference = np.corrcoef(original[:, varied].T) - np.corrcoef(published[:, varied].T)
        change[varied] = np.nan_to_num(np.abs(difference)).max(axis=0)
    return {"sd_kept": ratio, "correlation_change": change}
