"""Disclosure risk of masked numeric data: distance-based record linkage.

An intruder who holds the original values links each person to the nearest published record. Where that record's
class is the person's own, the link is right with probability one over the class size. The risk is the mean of that
probability: 1/k at most when every class has k records or more, and less where the nearest class is another one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.measure.loss import scales

Floats = NDArray[np.float64]


def linkage_risk(original: Floats, published: Floats, *, sample: int = 20_000) -> float:
    """Expected share of persons that nearest-record linkage re-identifies, on the first `sample` persons."""
    from scipy.spatial import cKDTree

    divisor = scales(original)
    varied = divisor > 0
    if not varied.any() or len(original) == 0:
        return 1.0 / max(len(original), 1)
    x = original[:sample, varied] / divisor[varied]
    classes, own, sizes = np.unique(published[:, varied], axis=0, return_inverse=True, return_counts=True)
    _, nearest = cKDTree(classes / divisor[varied]).query(x)
    own = np.ravel(own)[: len(x)]
    return float(np.where(nearest == own, 1.0 / sizes[own], 0.0).mean())
