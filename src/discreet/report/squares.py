"""A table as colored squares under labels: few colors in steps, so that a reader finds each in the legend.

Squares of a color are one path, which keeps the file small. A table with too many rows or columns is drawn by blocks,
each as its most telling square (the highest step).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.report.figures import label, panel
from discreet.report.palette import INK, LINE, PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Steps = NDArray[np.int64]

MOST = 64
_LABELLED = 32
_WRITTEN = 10


class Scale(NamedTuple):
    """The steps: the color and the color of text on it of each, and its name in the legend."""

    colors: Sequence[str]
    on: Sequence[str]
    names: Sequence[str]
    title: str


def squares(
    title: str,
    steps: Steps,
    rows: Sequence[str],
    columns: Sequence[str],
    scale: Scale,
    *,
    texts: Sequence[Sequence[str]] | None = None,
    names: tuple[str, str] = ("", ""),
) -> Figure:
    """The picture of `steps`, one row of squares for each of `rows`; `names` are those of the two axes."""
    whole = steps.shape
    steps, block = pooled(steps)
    if block != (1, 1):
        title = f"{title} (each square the strongest of {block[0]} by {block[1]} cells)"
    high, wide = steps.shape
    # A row is as high as its label needs, or all rows as the page has room for.
    rows_height = min(max(0.16, min(0.3, 3.1 / max(wide, 1))) * max(high, 3), 4.6)
    turned = whole[1] <= _LABELLED and _crowded(columns)
    below = 0.055 * min(max(map(len, columns)), 20) if turned else 0.0
    figure, axis = panel(title, height=1.35 + rows_height + below)
    _draw(axis, steps, scale)
    if texts is not None and block == (1, 1) and max(whole) <= _WRITTEN:
        for i, row in enumerate(texts):
            for j, text in enumerate(row):
                color = scale.on[int(steps[i, j])]
                axis.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=7, color=color)
    _axes(axis, (rows, columns), (high, wide), whole, names)
    _legend(figure, np.unique(steps), scale)
    return figure


def pooled(steps: Steps) -> tuple[Steps, tuple[int, int]]:
    """The table by blocks, each as its highest step, where it is too large; and the size of blocks."""
    high, wide = (-(-size // MOST) for size in steps.shape)
    if (high, wide) == (1, 1):
        return steps, (1, 1)
    starts = np.arange(0, steps.shape[0], high), np.arange(0, steps.shape[1], wide)
    return np.maximum.reduceat(np.maximum.reduceat(steps, starts[0], axis=0), starts[1], axis=1), (high, wide)


def _draw(axis: Any, steps: Steps, scale: Scale) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    edge = 0.6 if steps.size <= 400 else 0.0
    for step in np.unique(steps).tolist():
        i, j = np.nonzero(steps == step)
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)], np.float64)
        points = np.stack([j, i], axis=1)[:, None, :] + corners
        codes = np.tile([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], len(i))
        path = Path(points.reshape(-1, 2), codes)
        color = scale.colors[step]
        axis.add_patch(PathPatch(path, facecolor=color, edgecolor=PAPER if edge else color, linewidth=edge or 0.2))


def _crowded(names: Sequence[str]) -> bool:
    """Whether names have no room side by side."""
    return sum(len(name) + 2 for name in names) > 40


def _axes(
    axis: Any,
    labels: tuple[Sequence[str], Sequence[str]],
    shown: tuple[int, int],
    whole: tuple[int, ...],
    names: tuple[str, str],
) -> None:
    high, wide = shown
    axis.set(xlim=(0, wide), ylim=(high, 0))
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0)
    rows, columns = labels
    if whole[0] <= _LABELLED:
        axis.set_yticks(np.arange(high) + 0.5, [label(name, 26) for name in rows], fontsize=8 if high > 12 else 9)
    else:
        axis.set_yticks([])
    if whole[1] <= _LABELLED:
        axis.set_xticks(np.arange(wide) + 0.5, [label(name, 20) for name in columns], fontsize=8 if wide > 12 else 9)
        if _crowded(columns):
            axis.tick_params(axis="x", labelrotation=60)
    else:
        axis.set_xticks([])
    for name, put in zip(names, (axis.set_ylabel, axis.set_xlabel)):
        put(label(name))


def _legend(figure: Figure, used: Steps, scale: Scale) -> None:
    """The steps that occur, below the table."""
    from matplotlib.patches import Patch

    entries = [
        Patch(facecolor=scale.colors[step], edgecolor=LINE, linewidth=0.6, label=scale.names[step])
        for step in used.tolist()
    ]
    longest = max(len(scale.names[step]) for step in used.tolist())
    figure.legend(
        handles=entries,
        title=scale.title,
        loc="outside lower left",
        ncols=max(1, min(len(entries), 48 // (longest + 6))),
        fontsize=8,
        title_fontsize=8,
        frameon=False,
        labelcolor=INK,
        handlelength=1.2,
        columnspacing=1.0,
        alignment="left",
    ).get_title().set_color(INK)
