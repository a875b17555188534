"""The gallery shows every picture as the code beside it draws it today."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

matplotlib = pytest.importorskip("matplotlib")

from report.gallery import DRAWN_BY, PAGE, Drawn, gallery  # noqa: E402

from discreet.report.figures import alt, svg  # noqa: E402

TIMED = {"convergence.svg"}
"""What shows seconds is another picture on each run."""

SHOWN = {
    "bounds_map": "What the margins tell of each cell",
    "combinations": "Combinations that fewest share",
    "contributions": "Part of each key in special uniques",
    "contributors": "Cells by contributors",
    "convergence": "How the search went",
    "correlations": "Change of correlations",
    "distributions": "before and after",
    "exposure": "Records by how many share their keys",
    "households": "Households by size",
    "loss_over_k": "% by k",
    "losses": "Information loss by column",
    "margins_graph": "Graph of margins",
    "risk_utility": "Joined, from least risk to least loss",
    "sizes": "Group sizes",
}
"""Every module of pictures, and words by which its picture is known."""


@pytest.fixture(scope="module")
def drawn() -> list[Drawn]:
    return list(gallery())


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_every_image_is_drawn_by_the_code_above_it(drawn: list[Drawn]) -> None:
    for one in drawn:
        there, now = one.path.read_text(encoding="utf-8"), svg(one.figure) + "\n"
        if one.path.name in TIMED:
            assert alt(one.figure).split(".")[0] in one.alt
            continue
        assert one.alt == alt(one.figure), one.path.name
        if matplotlib.__version__ == DRAWN_BY:
            assert now == there, f"{one.path.name}: draw it anew (python tests/report/gallery.py)"
        else:  # another version may choose other ticks and places
            assert set(texts(there)) & set(texts(now)), one.path.name


def test_no_image_is_idle_and_none_is_missing(drawn: list[Drawn]) -> None:
    folder = PAGE.parents[1] / "images" / "gallery"
    assert {one.path for one in drawn} == set(folder.iterdir())
    assert sum(path.stat().st_size for path in folder.iterdir()) < 400_000


def test_every_picture_of_the_package_is_in_the_gallery(drawn: list[Drawn]) -> None:
    import discreet.report.pictures as package

    modules = {path.stem for path in Path(package.__file__).parent.glob("[a-z]*.py")}
    assert modules == set(SHOWN)
    told = " ".join(one.alt for one in drawn)
    assert [name for name, words in SHOWN.items() if words not in told] == []
