"""How many groups (or classes) there are of each size; sizes that are many are taken together in steps."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.report.bars import standing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SIZES = 12


def sizes(members: NDArray[np.int64], *, title: str = "Group sizes", what: str = "groups") -> Figure:
    """`members` has the size of every group. The published file shows as much: nothing is confidential."""
    names, counts = steps(members)
    return standing(title, names, counts.tolist(), f"records in each of the {what}", what)


def steps(members: NDArray[np.int64]) -> tuple[list[str], NDArray[np.int64]]:
    """Names of at most a dozen steps of size, and how many groups are in each."""
    found, counts = np.unique(members, return_counts=True)
    if len(found) <= MOST_SIZES:
        return [str(size) for size in found.tolist()], counts
    low, high = int(found[0]), int(found[-1]) + 1
    # Even steps, unless a few sizes are far beyond the others: then each step is a multiple of the one before.
    even = high - low <= 20 * (np.median(members) - low + 1)
    ends = np.linspace(low, high, MOST_SIZES + 1) if even else np.geomspace(max(low, 1), high, MOST_SIZES + 1)
    edges = np.unique(np.concatenate([[low], np.ceil(ends[1:-1]), [high]]).astype(np.int64))
    counts, _ = np.histogram(members, bins=edges)
    return [f"{a}-{b - 1}" if b - 1 > a else f"{a}" for a, b in pairwise(edges.tolist())], counts
