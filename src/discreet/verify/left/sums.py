"""Keys that are sums or differences of left numbers: an age beside a year of birth and a year of interview.

Least squares of the key on the columns and a constant, each row predicted from the others: leaving row i out changes
its residual e_i to e_i/(1 − h_i), where h_i is the diagonal of the projection (Allen 1974, PRESS). Skill is measured
as elsewhere (`skill.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.verify.left.skill import NONE, Key, Skill
from discreet.verify.left.values import Values

Floats = NDArray[np.float64]


def standardized(values: Values) -> Floats | None:
    """A column of numbers with mean 0 and deviation 1, gaps at the mean; None where it does not vary."""
    if values.places is None or not values.known.any():
        return None
    known = values.places[values.known]
    largest = np.abs(known).max()
    scaled = np.where(values.known, values.places, np.nan) / (largest if largest > 0 else 1.0)
    spread = np.nanstd(scaled)
    if not spread > 1e-12:
        return None
    return np.where(values.known, (scaled - np.nanmean(scaled)) / spread, 0.0)


def told_by_sum(columns: Sequence[Floats], key: Key) -> Skill:
    """The skill of the best weighted sum of the columns."""
    if key.numbers is None or not key.varies or key.numbers.size < 3 * (len(columns) + 1):
        return NONE
    x = np.column_stack([np.ones(key.numbers.size), *columns])
    left, size, _ = np.linalg.svd(x, full_matrices=False)
    left = left[:, size > 1e-9 * size[0]]
    residual = key.numbers - left @ (left.T @ key.numbers)
    leverage = np.minimum((left**2).sum(axis=1), 1.0 - 1e-9)
    return key.judge_numbers(key.numbers - residual / (1.0 - leverage))
