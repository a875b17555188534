"""Overlap of two confidence intervals: how far an analysis of the published file says what one of the original does.

    J = ½ ( (min(u, u') − max(l, l')) / (u − l) + (min(u, u') − max(l, l')) / (u' − l') ), 0 where they do not meet

Karr, Kohnen, Oganian, Reiter and Sanil (2006). 1 for the same interval. Of two intervals without length it is 1 where
they are the same and 0 where not; of one without length, within the other, half.
"""

from __future__ import annotations

import numpy as np

from discreet.measure.utility.columns import Floats


def interval_overlap(low: Floats, high: Floats, other_low: Floats, other_high: Floats) -> Floats:
    """J of every pair; NaN where an interval is not known."""
    common = np.minimum(high, other_high) - np.maximum(low, other_low)
    total = np.zeros(np.shape(common))
    for width in (high - low, other_high - other_low):
        safe = np.where(width > 0, width, 1.0)
        total += np.where(width > 0, common / safe, np.where(common >= 0, 1.0, 0.0))
    return np.where(np.isnan(common), np.nan, np.where(common < 0, 0.0, total / 2))
