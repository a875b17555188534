"""Draws the gallery anew: runs the blocks of its page, and finds which picture stands below which block.

python tests/report/gallery.py        writes docs/images/gallery/*.svg and the alt texts of the page
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from discreet.report.figures import alt, svg

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "gallery.md"
STEP = re.compile(r"```python\n(?P<code>.*?)```|!\[(?P<alt>[^\]]*)\]\((?P<path>[^)]*)\)", re.DOTALL)
DRAWN_BY = "3.11.2"
"""The version of matplotlib that the committed pictures were drawn by."""


class Drawn(NamedTuple):
    """A picture of the page: where its image is, the alt text there, and the figure that the code above it draws."""

    path: Path
    alt: str
    figure: Any


def gallery() -> Iterator[Drawn]:
    """The pictures in the order of the page, drawn now; a block draws one as `picture`."""
    names: dict[str, Any] = {}
    for step in STEP.finditer(PAGE.read_text(encoding="utf-8")):
        if step["code"] is not None:
            exec(compile(step["code"], str(PAGE), "exec"), names)
        else:
            yield Drawn((PAGE.parent / step["path"]).resolve(), step["alt"], names.pop("picture"))


def _with(words: str) -> Callable[[re.Match[str]], str]:
    return lambda found: f"![{words}]{found[1]}"


def redraw() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for drawn in gallery():
        drawn.path.write_text(svg(drawn.figure) + "\n", encoding="utf-8")
        own = rf"!\[[^\]]*\](\([^)]*/{re.escape(drawn.path.name)}\))"
        text = re.sub(own, _with(alt(drawn.figure)), text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    redraw()
