"""Household risk: the probability that at least one member is re-identified, as then all are.

    1 − Π (1 − r_i) over the members, the same for each of them

Estimated, like the r_i, and as if members were found independently of one another (Franconi, Polettini 2004).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


def household_risk(risk: Floats, household: Codes) -> Floats:
    """Per record the risk of its household; `household` numbers them 0, 1, …"""
    with np.errstate(divide="ignore"):  # a member that is found for sure
        safe = np.log1p(-risk)
    together = -np.expm1(np.bincount(household, weights=safe))
    return together[household]
