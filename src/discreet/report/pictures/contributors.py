"""Cells of a table by how many contribute to them, and how many of those the rules call sensitive; confidential."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.report.bars import mark, standing
from discreet.report.figures import mark_confidential, tell
from discreet.report.palette import SECOND

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 10


def contributors(number: NDArray[np.int64], sensitive: NDArray[np.bool_]) -> Figure:
    """`number` of contributors of each cell; the sensitive part of a bar is hatched."""
    some = np.minimum(number, MOST)
    counts, part = (np.bincount(some[chosen], minlength=MOST + 1) for chosen in (some >= 0, sensitive))
    names = [*map(str, range(MOST)), f"{MOST}+"]
    title = "Cells by contributors (hatched: sensitive)"
    figure = standing(title, names, counts.tolist(), "contributors", "cells")
    hatched = figure.axes[0].bar(range(len(names)), part, color=SECOND)
    mark(hatched, [True] * len(names))
    tell(figure, f"{int(part.sum())} cells are sensitive.")
    mark_confidential(figure)
    return figure
