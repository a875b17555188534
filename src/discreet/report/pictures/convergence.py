"""How a search went: the best value found and the bound proven, over time. What is between them is not known yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.report.figures import panel, tell
from discreet.report.palette import ACCENT, INK, LINE, SECOND, SOFT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


def convergence(
    seconds: Sequence[float], values: Sequence[float], bounds: Sequence[float], *, title: str, what: str
) -> Figure:
    """Best value and bound at the moments `seconds`, NaN where there was none yet; both only ever get better."""
    time = np.asarray(seconds, np.float64)
    best, proven = np.fmin.accumulate(np.asarray(values, np.float64)), np.fmax.accumulate(np.asarray(bounds, float))
    known, limited = ~np.isnan(best), ~np.isnan(proven)
    figure, axis = panel(title)
    if (known & limited).any():
        both = known & limited
        axis.fill_between(time[both], proven[both], best[both], step="post", color=SOFT, alpha=0.45, linewidth=0)
    if known.any():
        axis.step(time[known], best[known], where="post", color=ACCENT, linewidth=1.8, label="best found")
    if limited.any():
        style = {"color": SECOND, "linewidth": 1.8, "linestyle": (0, (4, 2))}
        axis.step(time[limited], proven[limited], where="post", label="proven bound", **style)
    axis.set_ylim(*_limits(best[known], proven[limited]))
    axis.set_xlim(0, max(min(float(time[-1]) * 1.02, 1.5 * _last_change(time, best, proven)), 1e-3))
    axis.set_xlabel("seconds")
    axis.set_ylabel(what)
    axis.grid(color=LINE, linewidth=0.5)
    if known.any() or limited.any():
        axis.legend(frameon=False, fontsize=9, labelcolor=INK, loc="best")
    tell(figure, _told(time, best[known], proven[limited], what))
    return figure


def _last_change(time: Floats, best: Floats, proven: Floats) -> float:
    """When either got better for the last time: what comes after is not drawn to its end."""
    with np.errstate(invalid="ignore"):
        settled = (best == best[-1]) | np.isnan(best[-1]), (proven == proven[-1]) | np.isnan(proven[-1])
    return float(time[int(np.argmax(settled[0] & settled[1]))])


def _limits(best: Floats, proven: Floats) -> tuple[float, float]:
    """All of the best values, and of the bounds as much again: the first of them are often nothing."""
    ends = [float(part[-1]) for part in (best, proven) if part.size]
    if not ends:
        return 0.0, 1.0
    low, high = min(ends), float(best.max(initial=max(ends)))
    span = max(high - low, 0.1 * abs(high), 1e-12)
    bottom = max(float(proven.min(initial=low)), low - span)
    return bottom - 0.05 * span, high + 0.05 * span


def _told(time: Floats, best: Floats, proven: Floats, what: str) -> str:
    words = []
    if best.size:
        words.append(f"The best {what} falls from {best[0]:.5g} to {best[-1]:.5g}")
    if proven.size:
        words.append(f"the bound rises from {proven[0]:.5g} to {proven[-1]:.5g}")
    return f"{'; '.join(words) or 'Nothing was found'} in {time[-1]:.3g} s."
