"""Bar charts as pictures of their own: standing bars for sizes and steps, lying ones for names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from discreet.report.figures import label, panel, tell, told
from discreet.report.palette import ACCENT, INK, SECOND

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_ROWS = 30
_MARK = "////"


def standing(
    title: str, names: Sequence[object], values: Sequence[float], x: str, y: str, *, marked: Sequence[bool] = ()
) -> Figure:
    """Standing bars with their values above them; those that are `marked` are of another color, and hatched."""
    figure, axis = panel(title)
    drawn = axis.bar(range(len(names)), values, color=ACCENT)
    mark(drawn, marked)
    long = max((len(str(name)) for name in names), default=0)
    axis.set_xticks(range(len(names)), [label(str(name), 16) for name in names])
    if len(names) * max(long, 2) > 52:
        axis.tick_params(axis="x", labelrotation=60)
    margin = max(0.6, (6 - len(names)) / 2)  # a few bars stay slim
    axis.set_xlim(-margin, len(names) - 1 + margin)
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    _whole(axis.yaxis, values)
    if len(names) <= 12:
        axis.bar_label(drawn, labels=[number(value) for value in values], fontsize=8, color=INK, padding=1)
    axis.margins(y=0.12)
    tell(figure, told("", x, y, names, values))
    return figure


def lying(
    title: str, names: Sequence[object], values: Sequence[float], x: str, *, marked: Sequence[bool] = ()
) -> Figure:
    """Lying bars with their values beside them, in the order given; of very many the largest."""
    chosen = list(range(len(names)))
    if len(chosen) > MOST_ROWS:
        chosen = sorted(sorted(chosen, key=lambda place: -values[place])[:MOST_ROWS])
        title = f"{title} (the {MOST_ROWS} largest of {len(names)})"
    shown, lengths = [str(names[place]) for place in chosen], [float(values[place]) for place in chosen]
    figure, axis = panel(title, height=1.0 + 0.23 * max(3, len(chosen)))
    drawn = axis.barh(range(len(chosen)), lengths, color=ACCENT, height=0.72)
    mark(drawn, [marked[place] for place in chosen] if marked else ())
    axis.set_yticks(range(len(chosen)), [label(name, 34) for name in shown])
    axis.tick_params(axis="y", length=0)
    axis.set_ylim(max(3, len(chosen)) - 0.4, -0.6)
    axis.bar_label(drawn, labels=[number(value) for value in lengths], fontsize=8, color=INK, padding=2)
    _whole(axis.xaxis, lengths)
    axis.margins(x=0.14)
    axis.set_xlabel(x)
    tell(figure, told("", "", x, shown, lengths))
    return figure


def _whole(axis: Any, values: Sequence[float]) -> None:
    """Counts have whole ticks."""
    from matplotlib.ticker import MaxNLocator

    if all(float(value).is_integer() for value in values):
        axis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))


def mark(drawn: Any, marked: Sequence[bool]) -> None:
    """Bars that stand out: by their color, and in gray by their hatching."""
    for bar, wanted in zip(drawn, marked):
        if wanted:
            bar.set(facecolor=SECOND, hatch=_MARK, edgecolor=INK, linewidth=0)


def number(value: float) -> str:
    """A value as short as a bar's label must be."""
    if float(value).is_integer() and abs(value) < 1e6:
        return str(int(value))
    return f"{value:.3g}"
