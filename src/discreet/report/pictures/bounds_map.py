"""What margins tell of each cell, as a map: the darker (on a dark screen: the brighter), the better it is known.

The first half of the variables goes down, the others across. Where there is room, each square has its bounds in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.report.figures import tell
from discreet.report.palette import ON_RAMP, RAMP
from discreet.report.squares import Scale, squares

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Flags = NDArray[np.bool_]

# Widths from which on a step begins, the highest step (best known) first, and their names from the lowest step on.
_EDGES = (20, 10, 5, 3, 1)
_WIDTHS = Scale(RAMP, ON_RAMP, ("20 or more", "10-19", "5-9", "3-4", "1-2", "0: known exactly"), "upper minus lower")
_RISKS = Scale(
    (RAMP[0], RAMP[2], RAMP[3], RAMP[4], RAMP[5]),
    (ON_RAMP[0], ON_RAMP[2], ON_RAMP[3], ON_RAMP[4], ON_RAMP[5]),
    ("not small", "small, hidden", "undecided", "exposed", "known exactly"),
    "cells",
)


def bounds_map(
    lower: NDArray[Any], upper: NDArray[Any], names: Sequence[str], categories: Sequence[Sequence[Any]]
) -> Figure:
    """The map of bounds, an array axis for each of the variables `names`."""
    width = np.asarray(upper - lower, np.float64)
    steps = np.sum([width < edge for edge in _EDGES], axis=0)
    steps = np.where(width <= 0, 5, np.minimum(steps, 4))
    texts = [
        [_text(a, b) for a, b in zip(low, high)] for low, high in zip(_flat(lower).tolist(), _flat(upper).tolist())
    ]
    figure = _map("What the margins tell of each cell", steps, names, categories, _WIDTHS, texts)
    pinned = int((width <= 0).sum())
    few = int(((width > 0) & (width < 3)).sum())
    tell(figure, f"Of {width.size} cells {pinned} are known exactly and {few} more within 1 or 2.")
    return figure


def exposure_map(
    flags: tuple[Flags, Flags, Flags, Flags], names: Sequence[str], categories: Sequence[Sequence[Any]]
) -> Figure:
    """The map of small cells by how well they hide: `flags` say which are small, undecided, exposed, known exactly."""
    small, undecided, exposed, pinned = (np.asarray(one, np.bool_) for one in flags)
    steps = np.where(exposed, np.where(pinned, 4, 3), np.where(undecided, 2, np.where(small, 1, 0)))
    figure = _map("Small counts and how well they hide", steps, names, categories, _RISKS, None)
    counts = np.bincount(steps.reshape(-1), minlength=5)
    tell(figure, "Cells: " + ", ".join(f"{name} {count}" for name, count in zip(_RISKS.names, counts.tolist())) + ".")
    return figure


def _map(
    title: str,
    steps: NDArray[np.int64],
    names: Sequence[str],
    categories: Sequence[Sequence[Any]],
    scale: Scale,
    texts: list[list[str]] | None,
) -> Figure:
    half = _half(steps.ndim)
    down, across = (
        [", ".join(map(str, place)) for place in product(*part)] for part in (categories[:half], categories[half:])
    )
    axes = " by ".join(names[:half]), " by ".join(names[half:])
    return squares(title, _flat(steps), down, across, scale, texts=texts, names=axes)


def _half(variables: int) -> int:
    return (variables + 1) // 2


def _flat(values: NDArray[Any]) -> NDArray[Any]:
    rows = int(np.prod(values.shape[: _half(values.ndim)], dtype=np.int64))
    return values.reshape(rows, -1)


def _text(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:.4g}–{high:.4g}"
