"""The pictures of bounds on the cells of a table."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.instruments.table_bounds import Bounds

_EDGES = (0, 1, 2, 3, 5, 10, 20, 50, 100, 1000, np.inf)
_WIDTHS = ("0", "1", "2", "3-4", "5-9", "10-19", "20-49", "50-99", "100-999", "1000+")


def pictures(result: Bounds) -> dict[str, Callable[..., Figure]]:
    """By name; the first is what `plot()` draws."""
    return {
        "map": lambda: _map(result),
        "graph": lambda: result.explain().plot(),
        "widths": lambda: _widths(result),
        "exposure": lambda: result.exposure().plot(),
    }


def _map(result: Bounds) -> Figure:
    from discreet.report.pictures.bounds_map import bounds_map

    return bounds_map(*result.whole, result.margins.names, result.margins.categories)


def _widths(result: Bounds) -> Figure:
    from discreet.report.bars import standing

    width = np.asarray(result.upper - result.lower, np.float64)
    counts = [int(((width >= a) & (width < b)).sum()) for a, b in pairwise(_EDGES)]
    return standing("Cells by how closely they are known", _WIDTHS, counts, "upper minus lower bound", "cells")
