"""Records by how many share their keys, and by their risk: both count few, and are confidential."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.report.bars import standing
from discreet.report.figures import mark_confidential

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


def alike(counts: Sequence[int], names: Sequence[str]) -> Figure:
    """How many records share their keys with so many; the first step, unique ones, is hatched."""
    marked = [place == 0 for place in range(len(names))]
    title = "Records by how many share their keys"
    figure = standing(title, names, list(counts), "records that share the keys", "records", marked=marked)
    mark_confidential(figure)
    return figure


def risks(risk: Floats) -> Figure:
    """How many records have which risk, in tenths."""
    counts, edges = np.histogram(risk, bins=10, range=(0.0, 1.0))
    names = [f"{a:.1f}-{b:.1f}" for a, b in pairwise(edges.tolist())]
    figure = standing("Records by risk", names, counts.tolist(), "chance that a link is right", "records")
    mark_confidential(figure)
    return figure
