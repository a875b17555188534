"""Noise added to numbers: to each column by itself, or with the correlations of the columns.

    additive      y = x + e,  e_j ~ N(0, a² s_j²) independent         a = percent / 100, s_j the standard deviation
    correlated    y = x + e,  e ~ N(0, a² S)                          S the covariance of the complete records
    restored      y' = m + (y − m) / √(1 + a²)                        m the means

(Kim, "A method for limiting disclosure in microdata based on random noise and transformation", 1986; Tendick, Matloff,
"A modified random perturbation method for database security", 1994.) Additive noise inflates variances by 1 + a² and
shrinks correlations by as much; correlated noise keeps correlations, and restored correlated noise covariances, all in
expectation. Where columns are correlated, noise without correlations can partly be filtered out by an intruder: what
the columns have in common is then less noisy than each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.perturbation.randoms import Randoms

Floats = NDArray[np.float64]


def spreads(values: Floats) -> Floats:
    """The standard deviation of each column's known values, 0 where fewer than two are known."""
    out = np.zeros(values.shape[1])
    for j in range(values.shape[1]):
        known = values[~np.isnan(values[:, j]), j]
        out[j] = known.std(ddof=1) if known.size > 1 else 0.0
    return out


def additive(values: Floats, share: float, randoms: Randoms, names: list[str]) -> Floats:
    """Each column with noise of `share` of its standard deviation; what is missing stays so."""
    out = values.copy()
    for j, (name, spread) in enumerate(zip(names, spreads(values))):
        out[:, j] += share * spread * randoms.normal(f"noise of {name}", len(values))
    return out


def correlated(values: Floats, share: float, randoms: Randoms, names: list[str]) -> Floats:
    """Noise whose covariance is share² times that of the complete records."""
    complete = values[~np.isnan(values).any(axis=1)]
    noise = np.stack([randoms.normal(f"noise of {name}", len(values)) for name in names], axis=1)
    return values + share * (noise @ root(np.atleast_2d(np.cov(complete, rowvar=False))))


def root(covariance: Floats) -> Floats:
    """The symmetric square root of a covariance matrix: one and the same however eigenvectors are signed."""
    size = np.sqrt(np.diagonal(covariance))
    scale = np.where(size > 0, size, 1.0)
    lengths, axes = np.linalg.eigh(covariance / np.outer(scale, scale))
    half = (axes * np.sqrt(np.maximum(lengths, 0.0))) @ axes.T
    return np.asarray(half * scale, np.float64)


def restored(values: Floats, noisy: Floats, share: float) -> Floats:
    """Noisy values drawn back to their means, so that variances are those of the file in expectation."""
    means = np.nanmean(values, axis=0)
    return means + (noisy - means) / np.sqrt(1.0 + share * share)
