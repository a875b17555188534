"""How correlations between columns change by a protection: published minus original, for every pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.report.figures import tell
from discreet.report.palette import DIVERGING, ON_DIVERGING
from discreet.report.squares import Scale, squares

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

_EDGES = (-0.2, -0.05, -0.01, 0.01, 0.05, 0.2)
_NAMES = ("−0.2 or less", "to −0.05", "to −0.01", "below 0.01", "from 0.01", "from 0.05", "0.2 or more")
_SCALE = Scale(DIVERGING, ON_DIVERGING, _NAMES, "change of the correlation")
MOST = 24


def correlations(names: Sequence[str], before: Floats, after: Floats) -> Figure:
    """The map of changes between two tables of correlations; NaN, where a column is constant, counts as unchanged.

    Changes are shown to two decimals and in seven steps: what is drawn is no more precise than that. Of very many
    columns those are shown whose correlations change most.
    """
    change = np.round(np.nan_to_num(np.asarray(after - before, np.float64)), 2) + 0.0
    chosen = np.arange(len(names))
    title = "Change of correlations, published minus original"
    if len(names) > MOST:
        chosen = np.sort(np.argsort(-np.abs(change).max(axis=1), kind="stable")[:MOST])
        title += f" (the {MOST} columns of {len(names)} that change most)"
    shown = change[np.ix_(chosen, chosen)]
    labels = [names[place] for place in chosen.tolist()]
    steps = np.searchsorted(_EDGES, shown, side="right").astype(np.int64)
    texts = [[f"{value:+.2f}" if value else "0" for value in row] for row in shown.tolist()]
    figure = squares(title, steps, labels, labels, _SCALE, texts=texts)
    place = np.unravel_index(int(np.abs(change).argmax()), change.shape)
    largest = change[place]
    pair = f"{names[int(place[0])]} and {names[int(place[1])]}"
    tell(figure, f"The largest is {largest:+.2f}, between {pair}." if largest else "None changes by 0.01 or more.")
    return figure
