"""Linear regression by least squares, with the confidence intervals of its coefficients.

    b = (XᵀWX)⁻¹ XᵀWy,   s² = Σ w (y − Xb)² / (n − p),   interval of b_j:  b_j ± t_{n−p}(.975) · s · √((XᵀWX)⁻¹)_jj

by a QR decomposition of √W X (Golub and Van Loan, Matrix Computations, 5.3). Without weights W is 1. Where columns are
collinear the coefficients are not defined.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.measure.utility.absent import Absent
from discreet.measure.utility.columns import Floats

LEVEL = 0.975
_RANK = 1e-10


class Fit(NamedTuple):
    """The coefficients with their intervals, and the number of records."""

    estimate: Floats
    low: Floats
    high: Floats
    rows: int


def least_squares(design: Floats, response: Floats, weights: Floats | None = None) -> Fit | Absent:
    """Of complete records; those of weight 0 have no part in it."""
    if weights is not None:
        some = weights > 0
        root = np.sqrt(weights[some])
        design, response = design[some] * root[:, None], response[some] * root
    n, p = design.shape
    if n <= p:
        return Absent(f"not defined: {n} complete records for {p} coefficients")
    unit = np.abs(design).max(axis=0)
    scale = float(np.abs(response).max()) or 1.0
    if not (unit > 0).all():
        return Absent("not defined: a column or category does not occur")
    q, r = np.linalg.qr(design / unit)
    diagonal = np.abs(np.diag(r))
    if diagonal.min() <= _RANK * diagonal.max():
        return Absent("not defined: columns are collinear")
    from scipy.special import stdtrit

    y = response / scale
    inverse = np.linalg.inv(r)
    scaled = inverse @ (q.T @ y)
    rest = y - (design / unit) @ scaled
    deviation = np.sqrt(rest @ rest / (n - p))
    half = stdtrit(n - p, LEVEL) * deviation * np.sqrt((inverse**2).sum(axis=1)) * scale / unit
    estimate = scaled * scale / unit
    return Fit(estimate, estimate - half, estimate + half, n)
