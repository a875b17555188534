"""The risk-utility map: releases by the share of persons found and by what is lost, the efficient ones joined.

After Duncan, Keller-McNulty, Stokes, "Disclosure risk vs. data utility: the R-U confidentiality map", 2001.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from discreet.report.figures import label, panel, tell
from discreet.report.palette import INK, LINE, SERIES, SOFT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKS = "os^DvPX"
# Beyond so many a legend, and numbers at the marks, hide more than they tell.
MOST_SERIES, MOST_NUMBERS = 12, 40
_OFFSETS = ((6, 3), (6, -10), (-12, 5), (-12, -10))


class Mark(NamedTuple):
    """A release on the map: which series it belongs to, its k, risk and loss as shares, and whether it is proven."""

    series: str
    k: int | None
    risk: float
    loss: float
    proven: bool


def risk_utility(marks: Sequence[Mark], joined: Sequence[int], *, title: str) -> Figure:
    """Risk to the right, loss upwards: what is nearer to the lower left is better. Hollow marks are measured only."""
    figure, axis = panel(title, height=3.6)
    line = [marks[place] for place in joined]
    axis.plot([100 * one.risk for one in line], [100 * one.loss for one in line], "-", color=SOFT, zorder=1)
    names = list(dict.fromkeys(one.series for one in marks))
    small: dict[str, Any] = {"textcoords": "offset points", "fontsize": 8, "color": INK}
    for place, name in enumerate(names):
        color, shape = SERIES[place % len(SERIES)], MARKS[place % len(MARKS)]
        for number, one in enumerate(mark for mark in marks if mark.series == name):
            x, y = 100 * one.risk, 100 * one.loss
            style: dict[str, Any] = {
                "color": color,
                "markerfacecolor": color if one.proven else "none",
                "markersize": 6,
            }
            axis.plot([x], [y], shape, label=None if number else label(name), zorder=3, **style)
            if one.k is not None and len(marks) <= MOST_NUMBERS:
                axis.annotate(f"{one.k}", (x, y), xytext=_OFFSETS[place % len(_OFFSETS)], **small)
    axis.margins(0.12)
    axis.set_xlim(left=0)
    axis.set_ylim(bottom=0)
    axis.set_xlabel("persons found, %" + (" (numbers: k)" if any(one.k is not None for one in marks) else ""))
    axis.set_ylabel("loss, %")
    axis.grid(color=LINE, linewidth=0.5)
    if len(names) <= MOST_SERIES:
        axis.legend(frameon=False, fontsize=8, labelcolor=INK)
    tell(figure, _told(marks, line))
    return figure


def _told(marks: Sequence[Mark], line: Sequence[Mark]) -> str:
    best = "; ".join(_words(one) for one in line[:8])
    hollow = sum(not one.proven for one in marks)
    words = f"{len(marks)} releases. Joined, from least risk to least loss: {best}"
    words += f", and {len(line) - 8} more." if len(line) > 8 else "."
    return words + (f" {hollow} {'is' if hollow == 1 else 'are'} measured only, and hollow." if hollow else "")


def _words(one: Mark) -> str:
    size = "" if one.k is None else f" with k = {one.k}"
    return f"{one.series}{size} finds {100 * one.risk:.3g} % and loses {100 * one.loss:.3g} %"
