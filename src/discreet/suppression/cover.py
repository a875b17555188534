"""The cheapest blanks after which every published record fits at least k originals: exact.

    S_i = argmin { c(S) : N_S(i) ≥ k },   N_S(i) = originals that equal record i outside S

No record's choice changes another's originals, so the problem falls apart into tuples. Of sets that cost the same the
one that fits the most originals is taken, then the first by its mask.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.suppression.subsets import groupings, set_costs
from discreet.suppression.tuples import Tuples

Codes = NDArray[np.int64]


class Cover(NamedTuple):
    """The columns to blank in each tuple, as a mask, and what it costs a record."""

    blank: Codes
    cost: Codes


def cover(tuples: Tuples, cost: Codes, k: int) -> Cover:
    """The cheapest set of each tuple; there must be k records at least."""
    rows = tuples.size.size
    costs = set_costs(cost)
    best = np.full(rows, -1, np.int64)
    fits = np.zeros(rows, np.int64)
    least = np.full(rows, np.iinfo(np.int64).max)
    for blank, of, classes in groupings(tuples.codes):
        dearer = least >= costs[blank]
        if not dearer.any():
            continue
        originals = np.bincount(of, tuples.size, classes).astype(np.int64)[of]
        equal = (least == costs[blank]) & ((originals > fits) | ((originals == fits) & (blank < best)))
        better = dearer & (originals >= k) & ((least > costs[blank]) | equal)
        best[better], least[better], fits[better] = blank, costs[blank], originals[better]
    return Cover(best, least)
