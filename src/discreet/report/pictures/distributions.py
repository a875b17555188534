"""A column before and after: shares of records by value, filled for the original, a line for what is published.

A published range [a, b] counts in equal parts for all of its length, a set for each of its values: with ends a ≤ b

    F(x) = mean over records of min(1, max(0, (x − a) / (b − a)))        (a step where a = b)

Shows values of the original and shares of very few records: confidential.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.report.bars import number
from discreet.report.figures import label, mark_confidential, panel, tell
from discreet.report.palette import ACCENT, INK, SOFT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

MOST_BINS = 30
MOST_VALUES = 12


def distribution(name: str, before: Floats, low: Floats, high: Floats) -> Figure:
    """A column of numbers: the original's, and the ends of what is published for each row (equal for a number).

    Missing values (NaN) are left out on both sides. The axis ends where the outermost 0.5 % of the original begin,
    where these would take more than half of it.
    """
    before = before[~np.isnan(before)]
    known = ~(np.isnan(low) | np.isnan(high))
    low, high = low[known], high[known]
    title, unit = f"{name}: before and after", _unit(before)
    if unit != 1.0:
        before, low, high = before / unit, low / unit, high / unit
        name = f"{name} / {unit:.0e}"
    edges = bins(before)
    inside = np.diff(shares(before, before, edges))
    after = np.diff(shares(low, high, edges))
    figure, axis = panel(title)
    axis.stairs(100 * inside, edges, fill=True, color=SOFT, label="original")
    axis.stairs(100 * after, edges, color=ACCENT, linewidth=1.8, label="published")
    axis.set_xlabel(label(name))
    axis.set_ylabel("% of records")
    axis.locator_params(axis="x", nbins=6)
    _legend(axis)
    if before.size and low.size:
        middle = [float(before.mean()), float((low + high).mean() / 2)]
        tell(figure, f"Mean {number(middle[0])} before and {number(middle[1])} after.")
        moved = 50 * float(np.abs(inside - after).sum())
        tell(figure, f"{moved:.1f} % of the records stand elsewhere among {len(inside)} steps.")
    mark_confidential(figure)
    return figure


def _unit(values: Floats) -> float:
    """A power of ten that brings numbers of any size to where they can be drawn: 1 for all but very large or small."""
    size = float(np.abs(values).max(initial=0.0))
    return 1.0 if size == 0 or 1e-100 < size < 1e100 else float(f"1e{floor(log10(size))}")


def _legend(axis: Any) -> None:
    """Above the plot, where it covers nothing."""
    place = {"loc": "lower right", "bbox_to_anchor": (1.0, 0.98), "borderaxespad": 0.0}
    axis.legend(frameon=False, fontsize=9, labelcolor=INK, ncols=2, **place)


def bins(values: Floats) -> Floats:
    """Edges of the steps: around whole numbers where there are few, else even ones over nearly all values."""
    if not values.size:
        return np.array([0.0, 1.0])
    found = np.unique(values)
    low, high = float(found[0]), float(found[-1])
    if low == high:
        return np.array([low - 0.5, low + 0.5])
    if high - low < MOST_BINS and (found == np.round(found)).all():
        return np.arange(low, high + 2) - 0.5
    inner = np.quantile(values, [0.005, 0.995])
    if inner[1] > inner[0] and high - low > 2 * (inner[1] - inner[0]):
        low, high = float(inner[0]), float(inner[1])
    return np.linspace(low, np.nextafter(high, np.inf), MOST_BINS + 1)


def shares(low: Floats, high: Floats, edges: Floats) -> Floats:
    """F at the edges; what is beyond the last edge on either side is in no step."""
    pairs, weight = np.unique(np.stack([low, high], axis=1), axis=0, return_counts=True)
    if not len(pairs):
        return np.zeros(len(edges))
    a, wide = pairs[:, 0], pairs[:, 1] - pairs[:, 0]
    point = wide <= 0
    out = np.empty(len(edges))
    for place, edge in enumerate(edges):
        part = np.where(point, edge > a, np.clip((edge - a) / np.where(point, 1.0, wide), 0.0, 1.0))
        out[place] = part @ weight
    return np.asarray(out / weight.sum())


def categories(name: str, values: Sequence[str], before: Floats, after: Floats) -> Figure:
    """A column of categories: per value how many records have it before, and (in parts, for sets) after."""
    order = np.argsort(-before, kind="stable")
    shown, rest = order[:MOST_VALUES].tolist(), order[MOST_VALUES:].tolist()
    names = [str(values[place]) for place in shown]
    parts = [
        [float(counts[place]) for place in shown] + ([float(counts[rest].sum())] if rest else [])
        for counts in (before, after)
    ]
    names += [f"{len(rest)} others"] if rest else []
    first, second = (
        100 * np.array(part) / max(float(counts.sum()), 1e-300) for part, counts in zip(parts, (before, after))
    )
    figure, axis = panel(f"{name}: before and after", height=1.2 + 0.3 * max(2, len(names)))
    place = np.arange(len(names))
    axis.barh(place - 0.2, first, height=0.38, color=SOFT, label="original")
    axis.barh(place + 0.2, second, height=0.38, color=ACCENT, label="published")
    axis.set_yticks(place, [label(one, 26) for one in names])
    axis.invert_yaxis()
    axis.tick_params(axis="y", length=0)
    axis.set_xlabel("% of records")
    _legend(axis)
    pairs = [f"{one}: {a:.1f} % before, {b:.1f} % after" for one, a, b in zip(names[:6], first, second)]
    tell(figure, "; ".join(pairs) + ".")
    mark_confidential(figure)
    return figure
