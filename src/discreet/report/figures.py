"""Pictures in one style. matplotlib is imported only here and only when something is drawn."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from discreet.errors import InputError, visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#1f2a44"
ACCENT = "#2f6f8f"
SOFT = "#a8c5d1"
MOST_BARS = 60
LONGEST_NAME = 40


def available() -> bool:
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


@cache
def _picture() -> type[Figure]:
    """A figure that a notebook shows by itself, whether or not pyplot was ever imported there."""
    from matplotlib.figure import Figure

    class Picture(Figure):
        def _repr_html_(self) -> str:
            return svg(self)

    return Picture


def canvas(panels: int = 1, *, height: float = 3.2, width: float = 9.0) -> tuple[Figure, Any]:
    """A figure with `panels` plots side by side; not registered with pyplot, so nothing is left behind."""
    if not available():
        raise InputError("pictures need matplotlib: pip install 'discreet[plot]'")
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure = _picture()(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.subplots(1, panels)
    for axis in figure.axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(colors=INK, labelsize=9)
        axis.title.set_color(INK)
    return figure, axes


def bars(axis: Any, names: Sequence[object], values: Any, title: str, x: str, y: str, *, lying: bool = False) -> None:
    """A bar chart; `lying` draws the bars horizontally, for long names, and of very many the largest."""
    if lying and len(names) > MOST_BARS:
        shown = sorted(sorted(range(len(names)), key=lambda place: -values[place])[:MOST_BARS])
        title = f"{title} (the {MOST_BARS} largest of {len(names)})"
        names, values = [names[place] for place in shown], [values[place] for place in shown]
    names = [_label(str(name)) for name in names]
    if lying:
        axis.barh(range(len(names)), values, color=ACCENT)
        axis.set_yticks(range(len(names)), names)
        axis.invert_yaxis()
        axis.set_xlabel(y)
    else:
        axis.bar(range(len(names)), values, color=ACCENT)
        axis.set_xticks(range(len(names)), names)
        margin = max(0.6, (6 - len(names)) / 2)  # a few bars stay slim
        axis.set_xlim(-margin, len(names) - 1 + margin)
        axis.set_xlabel(x)
        axis.set_ylabel(y)
    axis.set_title(title, loc="left", fontsize=11)


def _label(name: str) -> str:
    """A name as matplotlib draws it letter by letter: not as a formula, however many dollars are in it."""
    name = visible(name)
    name = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."
    return name.replace("$", r"\$")


def svg(figure: Figure) -> str:
    """The figure as an SVG element: the same bytes for the same figure."""
    from matplotlib import rc_context

    buffer = io.StringIO()
    with rc_context({"svg.hashsalt": "discreet", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = buffer.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return text[text.index("<svg") :]
