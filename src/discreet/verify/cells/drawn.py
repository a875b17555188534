"""A synthetic table checked against the margins that it is to have: sums of its cells, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.results import Verdict

Ints = NDArray[np.int64]
GUARANTEE = "synthetic table"


def verify_drawn(shape: tuple[int, ...], margins: Mapping[tuple[int, ...], Any], places: Any, counts: Ints) -> Verdict:
    """Whether the counts at these places (a row of category numbers each) are 0 or more and have the margins."""
    places = np.asarray(places, np.int64).reshape(-1, len(shape))
    failures = [] if (counts >= 0).all() else ["the synthetic table has negative counts"]
    told = 0
    for axes, values in margins.items():
        wanted = np.asarray(values, np.int64)
        found = np.zeros(wanted.shape, np.int64)
        np.add.at(found, tuple(places[:, axis] for axis in axes), counts)
        told += wanted.size
        if not np.array_equal(found, wanted):
            failures.append("the synthetic table does not have the released margins")
            break
    if failures:
        return Verdict("unsafe", GUARANTEE, None, tuple(failures), ("draw it again and change nothing by hand",))
    return Verdict("safe", GUARANTEE, None, proven=(f"{told} released counts are those of the original",))
