"""Normalized certainty penalty of what was widened (Xu et al. 2006), and the global one of a file.

    NCP of a cell   range (high − low) / (largest − least);  set (m − 1)/(|A| − 1);  plain value 0;  anything, blank 1
    GCP             mean over the cells of all columns

A blank that was missing in the original too costs nothing: of the blanks as many as the original has are free. NCP is
about widening: values that were replaced by others (means, noise) cost nothing by it, so it is given only for columns
whose plain values all occur in the original.
"""

from __future__ import annotations

import numpy as np

from discreet.measure.utility.absent import EMPTY, Absent, Figure
from discreet.measure.utility.columns import Categories, Column, Numbers

REPLACED = Absent("not defined: values were replaced, not widened")


def ncp(original: Column, published: Column) -> Figure:
    """The mean NCP of a column's cells, from 0 to 1."""
    n = published.missing.size
    if not n:
        return EMPTY
    free = float(original.missing.mean()) if original.missing.size else 0.0
    blanks = max(float(published.missing.mean()) - free, 0.0) + float(published.anything.mean())
    if isinstance(original, Numbers) and isinstance(published, Numbers):
        known = published.known
        low, high = published.low[known], published.high[known]
        every = np.unique(original.low[original.known])
        plain = low[low == high]
        if not np.isin(plain, every).all():
            return REPLACED
        unit = max(np.abs(every).max(initial=0.0), np.abs(low).max(initial=0.0), np.abs(high).max(initial=0.0)) or 1.0
        whole = (every[-1] / unit - every[0] / unit) if every.size else 0.0
        width = high / unit - low / unit
        part = np.where(width > 0, 1.0, 0.0) if whole == 0 else np.minimum(width / whole, 1.0)
        return float(part.sum() / n) + blanks
    assert isinstance(original, Categories) and isinstance(published, Categories)
    known = published.codes >= 0
    if (published.plain()[known] >= original.size).any():
        return REPLACED
    width = published.width[published.codes[known]]
    return float(np.minimum((width - 1) / max(published.values - 1, 1), 1.0).sum() / n) + blanks
