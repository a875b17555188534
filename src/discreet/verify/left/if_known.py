"""How many persons would have fewer than k candidates if the intruder knew a left column of theirs too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.verify.left.candidates import Candidates

Integers = NDArray[np.int64]


def found_if_known(candidates: Candidates, before: Integers, after: Integers, k: int) -> int:
    """Persons with fewer than k candidates that have their value; where a part was looked at, by its share.

    `before` and `after` number the values of the column in the original and in the published rows.
    """
    same = before[candidates.persons][candidates.person] == after[candidates.row]
    return candidates.all_of(int((candidates.count(same) < k).sum()))
