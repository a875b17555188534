"""The attack made for rank swapping: who knows how far ranks may move, keeps only the records that may be a person's.

    candidates(i) = published records whose rank is within `reach` of that of x_ij in every column j

The own record is always among them, so that a guess is right with probability 1 / candidates(i); one candidate is a
find for sure (Nin, Herranz, Torra, "Rethinking rank swapping to decrease disclosure risk", 2008). Equal values have all
the ranks from the first to the last of them. What is missing is a candidate for what is missing. Counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.measure.risk.category_linkage import asked

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


def window_linkage(original: Floats, published: Floats, reach: Codes, *, blocks: Codes | None = None) -> Floats:
    """Per person asked (all, or evenly spaced ones) the probability of a right guess among the candidates."""
    n, d = original.shape
    columns = [_ranks(original[:, j], published[:, j]) for j in range(d)]
    persons = asked(n, n * d)
    out = np.zeros(len(persons))
    for place, person in enumerate(persons.tolist()):
        fits = np.ones(n, bool) if blocks is None else blocks == blocks[person]
        for (low, high, first, last), far in zip(columns, reach.tolist()):
            fits &= (first - high[person] <= far) & (low[person] - last <= far)
        out[place] = 1.0 / fits.sum()
    return out


def _ranks(original: Floats, published: Floats) -> tuple[Codes, Codes, Codes, Codes]:
    """First and last rank of the values as they were, and as they are published; missing ones far from all others."""
    known = np.sort(original[~np.isnan(original)])
    parts: list[Codes] = []
    for values in (original, published):
        away = np.isnan(values)
        first = np.searchsorted(known, values, side="left")
        last = np.searchsorted(known, values, side="right") - 1
        parts += [np.where(away, 4 * len(values), first), np.where(away, 4 * len(values), last)]
    return parts[0], parts[1], parts[2], parts[3]
