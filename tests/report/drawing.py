"""What tests ask of a picture: the words that are drawn, and whether it is well formed."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from discreet.report.figures import svg


def words(figure: Any) -> list[str]:
    """Every text of the SVG, in the order of drawing."""
    root = ElementTree.fromstring(svg(figure))
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
