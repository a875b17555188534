"""Correlations and their eigenvalues, before and after.

    change       |r_jk − r'_jk|, the largest and the mean over pairs of columns
    eigenvalues  Σ |e_i − e'_i| / e_i, both in descending order (sdcMicro's "eigen")
    IL_correl    ½√2 · |u − u'|, u the diagonal of the inverse correlation matrix, scaled to length 1

Correlations are weighted, over records that are complete in each file; a range stands for its middle. Columns
without variation in one of the files have no correlation and are left out. Where columns are collinear an eigenvalue is
0 and the last two are not defined: near that point they explode.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.measure.utility.absent import Absent, Figure
from discreet.measure.utility.columns import Floats

FEW = Absent("not defined: fewer than two columns vary in both files")
COLLINEAR = Absent("not defined: columns are collinear")
INCOMPLETE = Absent("not defined: fewer than three complete records in one of the files")
LEAST_EIGENVALUE = 1e-9


class Correlations(NamedTuple):
    """The figures; `columns` says which had correlations, `before` and `after` hold them."""

    largest: Figure
    mean: Figure
    eigenvalues: Figure
    il_correl: Figure
    columns: NDArray[np.int64]
    before: Floats
    after: Floats


def correlations(original: Floats, published: Floats, before: Floats, after: Floats) -> Correlations:
    """Of numbers, NaN where missing, with the weights of the records in both files."""
    parts = []
    for values, weights in ((original, before), (published, after)):
        rows = np.isfinite(values).all(axis=1) & (weights > 0)
        parts.append((values[rows], weights[rows]))
    none, empty = np.empty(0, np.int64), np.empty((0, 0))
    if original.shape[1] < 2:
        return Correlations(FEW, FEW, FEW, FEW, none, empty, empty)
    if min(len(values) for values, _ in parts) < 3:
        return Correlations(INCOMPLETE, INCOMPLETE, INCOMPLETE, INCOMPLETE, none, empty, empty)
    varied = np.flatnonzero(np.logical_and(*(values.max(axis=0) > values.min(axis=0) for values, _ in parts)))
    if varied.size < 2:
        return Correlations(FEW, FEW, FEW, FEW, none, empty, empty)
    old, new = (correlation(values[:, varied], weights) for values, weights in parts)
    change = np.abs(old - new)[np.triu_indices(varied.size, 1)]
    e_old, e_new = (np.linalg.eigvalsh(matrix)[::-1] for matrix in (old, new))
    eigen: Figure = COLLINEAR
    inverse: Figure = COLLINEAR
    if e_old[-1] > LEAST_EIGENVALUE:
        eigen = float((np.abs(e_old - e_new) / e_old).sum())
        if e_new[-1] > LEAST_EIGENVALUE:
            u, v = (np.diag(np.linalg.inv(matrix)) for matrix in (old, new))
            inverse = float(np.linalg.norm(u / np.linalg.norm(u) - v / np.linalg.norm(v)) / np.sqrt(2))
    return Correlations(float(change.max()), float(change.mean()), eigen, inverse, varied, old, new)


def correlation(values: Floats, weights: Floats) -> Floats:
    """The weighted correlation matrix of complete records, each column of which varies."""
    centered = values / np.abs(values).max(axis=0)
    w = weights / weights.sum()
    centered = centered - w @ centered
    centered = centered / np.sqrt(w @ centered**2)
    matrix = np.clip((centered * w[:, None]).T @ centered, -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return (matrix + matrix.T) / 2
