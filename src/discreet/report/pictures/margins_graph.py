"""The graph of released margins: two variables are joined where a margin has both; those that separate are filled."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from discreet.errors import listing
from discreet.report.figures import label, panel, tell
from discreet.report.palette import ACCENT, INK, LINE, PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def margins_graph(
    names: Sequence[str], edges: Sequence[tuple[int, int]], separating: Collection[int], *, title: str
) -> Figure:
    """Variables on a circle; `separating` are the places of those that separate components."""
    k = len(names)
    angle = np.pi / 2 - 2 * np.pi * np.arange(k) / max(k, 1)
    x, y = np.cos(angle) * (k > 1), np.sin(angle) * (k > 1)
    figure, axis = panel(title, height=3.6 if k <= 12 else 4.2)
    for v, u in edges:
        axis.plot([x[v], x[u]], [y[v], y[u]], color=LINE, linewidth=2, zorder=1)
    for v in range(k):
        filled = v in separating
        axis.text(
            x[v], y[v], label(names[v], 18), ha="center", va="center", fontsize=9, zorder=3,
            color=PAPER if filled else INK,
            bbox={"boxstyle": "round,pad=0.45", "facecolor": ACCENT if filled else PAPER, "edgecolor": INK},
        )  # fmt: skip
    axis.set_axis_off()
    axis.set(xlim=(-1.45, 1.45), ylim=(-1.25, 1.25))
    told = [f"{names[v]} with {names[u]}" for v, u in edges]
    tell(figure, f"Joined: {listing(told)}." if told else "No two variables are joined.")
    if separating:
        tell(figure, f"Separating, filled: {listing([names[v] for v in sorted(separating)])}.")
    return figure
