"""Pictures in one style. matplotlib is imported only here and in `pictures/`, and only when something is drawn.

Every picture says in words what it shows (`alt`), for whoever cannot see it, and whether it is `confidential`: whether
it shows values of the original or counts below the threshold, so that a public page leaves it out. As SVG its texts are
texts, its colors follow light and dark, and its width is that of a telephone: pages put several side by side.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from discreet.errors import InputError, visible
from discreet.report.palette import ACCENT, INK, LINE, SOFT, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ACCENT", "INK", "SOFT", "alt", "available", "bars", "canvas", "choose", "confidential", "panel", "svg"]

MOST_BARS = 60
LONGEST_NAME = 40
WIDTH, HEIGHT = 4.4, 3.0
BY_COLUMN = "distribution"
_TITLE_LETTERS = 46
_TOLD = 6


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
        axis.spines[["left", "bottom"]].set_color(LINE)
        axis.tick_params(color=LINE, labelcolor=INK, labelsize=9)
        axis.title.set_color(INK)
        axis.xaxis.label.set_color(INK)
        axis.yaxis.label.set_color(INK)
        axis.set_axisbelow(True)
    return figure, axes


def panel(title: str, *, height: float = HEIGHT) -> tuple[Figure, Any]:
    """A figure with one plot under a title that may take several lines; wide enough for a telephone, and no wider."""
    figure, axis = canvas(1, height=height, width=WIDTH)
    lines = wrap(label(title, longest=200), _TITLE_LETTERS)
    figure.suptitle("\n".join(lines), x=0.02, ha="left", fontsize=11, color=INK)
    tell(figure, f"{title}.")
    return figure, axis


def tell(figure: Any, words: str) -> None:
    """Add to what the picture says in words."""
    figure.words = [*getattr(figure, "words", []), visible(words)]


def alt(figure: Any) -> str:
    """What the picture shows, in words: those that were told, else the titles of its plots and of their axes."""
    words: list[str] = getattr(figure, "words", [])
    if words:
        return " ".join(words)
    for axis in figure.axes:
        names = [axis.get_title(loc=where) for where in ("left", "center", "right")]
        parts = [*names, axis.get_xlabel(), axis.get_ylabel()]
        words.append(", ".join(part.replace("\\$", "$") for part in parts if part))
    return "Picture: " + "; ".join(word for word in words if word) + "."


def confidential(figure: Any) -> bool:
    """Whether the picture shows values of the original or counts below the threshold."""
    return bool(getattr(figure, "confidential", False))


def mark_confidential(figure: Any, so: bool = True) -> None:
    """Say that a public page leaves the picture out."""
    figure.confidential = so


def choose(pictures: Mapping[str, Callable[..., Figure]], kind: str | None, column: str | None = None) -> Figure:
    """The picture of that name, or the first, drawn now; of one column, where it is about one."""
    if kind is None:
        kind = next(iter(pictures))
    if kind not in pictures:
        raise InputError(f"there is no picture {kind!r} of this result: choose one of {', '.join(pictures)}")
    if column is None:
        return pictures[kind]()
    if kind != BY_COLUMN:
        raise InputError(f"the picture {kind!r} is not of one column: leave column out, or ask for {BY_COLUMN!r}")
    return pictures[kind](column)


def bars(axis: Any, names: Sequence[object], values: Any, title: str, x: str, y: str, *, lying: bool = False) -> None:
    """A bar chart; `lying` draws the bars horizontally, for long names, and of very many the largest."""
    if lying and len(names) > MOST_BARS:
        shown = sorted(sorted(range(len(names)), key=lambda place: -values[place])[:MOST_BARS])
        title = f"{title} (the {MOST_BARS} largest of {len(names)})"
        names, values = [names[place] for place in shown], [values[place] for place in shown]
    tell(axis.figure, told(title, x, y, names, values))
    names = [label(str(name)) for name in names]
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


def told(title: str, x: str, y: str, names: Sequence[object], values: Sequence[Any]) -> str:
    """A bar chart in words: all bars of few, and of many the largest."""
    what = f"{title}, {y}" + (f" by {x}" if x else "") if title else y
    largest = sorted(range(len(names)), key=lambda place: -values[place])[:_TOLD]
    words = ", ".join(f"{names[place]}: {values[place]:.4g}" for place in sorted(largest))
    many = f" (the {_TOLD} largest of {len(names)})" if len(names) > _TOLD else ""
    return f"Bars of {what}{many}: {words}." if words else f"No bars of {what}."


def label(name: str, longest: int = LONGEST_NAME) -> str:
    """A name as matplotlib draws it letter by letter: not as a formula, however many dollars are in it."""
    name = visible(name)
    name = name if len(name) <= longest else name[: longest - 3] + "..."
    return name.replace("$", r"\$")


def svg(figure: Figure | Sequence[Figure]) -> str:
    """The figure, or several one after the other, as SVG elements: the same bytes for the same figures."""
    return "\n".join(map(_svg, figure)) if isinstance(figure, Sequence) else _svg(figure)


def _svg(figure: Figure) -> str:
    from matplotlib import rc_context

    buffer = io.StringIO()
    with rc_context({"svg.hashsalt": "discreet", "svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = buffer.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>\s*|<style.*?</style>\s*", "", text, flags=re.DOTALL)
    text = text[text.index(">", text.index("<svg")) + 1 :]
    text, sheet = styled(_TAG.sub(lambda tag: _shorter(tag[0]), text))
    text = _named(re.sub(r"<defs>\s*</defs>\s*", "", re.sub(r"\n\s*", "\n", text)))
    width, height = (round(96 * inches) for inches in figure.get_size_inches())
    points = " ".join(f"{72 * inches:g}" for inches in figure.get_size_inches())
    words = escape(alt(figure))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" class="discreet-picture" '
        f'role="img" aria-label="{words}" width="{width}" height="{height}" style="max-width:min(100%,{width}px)" '
        f'viewBox="0 0 {points}">'
        f"<title>{words}</title><style>{sheet}</style>{text.strip()}"
    )


_TAG = re.compile(r"<[a-zA-Z][^>]*>")
_PLACES = re.compile(r'\b(?:d|x|y|width|height|transform|points)="[^"]*"')
_DECIMALS = re.compile(r"-?\d+\.\d{3,}")
_FAMILY = re.compile(r"font-family: [^;\"]*(?:; )?")
_STILL = re.compile(r' transform="rotate\(-?0 [^"]*\)"')


def _shorter(tag: str) -> str:
    """A tag without what its reader does without: decimals below a hundredth of a point, fonts, turns by nothing."""
    tag = _STILL.sub("", _FAMILY.sub("", tag))
    return _PLACES.sub(lambda place: _DECIMALS.sub(lambda number: f"{float(number[0]):.2f}", place[0]), tag)


def _named(text: str) -> str:
    """Names only where something refers to them, and no other picture has them: a page holds several."""
    wanted = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    own = "p" + sha256(text.encode()).hexdigest()[:8]

    def name(tag: str) -> str:
        tag = re.sub(r' id="([^"]*)"', lambda m: f' id="{own}{m[1]}"' if m[1] in wanted else "", tag)
        return re.sub(r'(href="#|url\(#)', rf"\g<1>{own}", tag)

    return _TAG.sub(lambda tag: name(tag[0]), text)
