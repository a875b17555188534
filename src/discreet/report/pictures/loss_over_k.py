"""What a larger k costs: the loss of each method over k, and the proven bound that none gets below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from discreet.report.figures import label, panel, tell
from discreet.report.palette import INK, LINE, SERIES
from discreet.report.pictures.risk_utility import MARKS, MOST_SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def loss_over_k(
    losses: Mapping[str, Mapping[int, float]], bounds: Mapping[int, float], *, title: str, what: str
) -> Figure:
    """A line per method through its losses by k; `bounds` has a proven bound by k, where there is one."""
    figure, axis = panel(title, height=3.6)
    for place, (name, line) in enumerate(losses.items()):
        style = "-" + MARKS[place % len(MARKS)]
        points = sorted(line.items())
        color = SERIES[place % len(SERIES)]
        axis.plot(
            [k for k, _ in points], [loss for _, loss in points], style, color=color, markersize=5, label=label(name)
        )
    if bounds:
        proven = sorted(bounds.items())
        known = "proven: none can lose less"
        axis.plot([k for k, _ in proven], [loss for _, loss in proven], linestyle=(0, (4, 2)), color=INK, label=known)
    axis.set_ylim(bottom=0)
    axis.set_xticks(sorted({k for line in losses.values() for k in line}))
    axis.set_xlabel("k")
    axis.set_ylabel(what)
    axis.grid(color=LINE, linewidth=0.5)
    if len(losses) <= MOST_SERIES:
        axis.legend(frameon=False, fontsize=8, labelcolor=INK)
    tell(figure, _told(losses, bounds, what))
    return figure


def _told(losses: Mapping[str, Mapping[int, float]], bounds: Mapping[int, float], what: str) -> str:
    words = []
    for name, line in list(losses.items())[:MOST_SERIES]:
        words.append(f"{name}: {', '.join(f'{loss:.4g} at k = {k}' for k, loss in sorted(line.items()))}")
    if bounds:
        words.append(f"proven bound: {', '.join(f'{loss:.4g} at k = {k}' for k, loss in sorted(bounds.items()))}")
    return f"{what} by k. {'; '.join(words)}."
