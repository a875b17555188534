"""Bars: lengths in proportion to the numbers of the table, within the picture, and none where there are too many."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.release.engine import Table
from discreet.release.open_dataset import Margin
from discreet.release.web.views.chart import LONGEST_TEXT, MOST_ROWS, MOST_SERIES, chart_view, shorten
from discreet.release.web.views.crosstab import Crosstab, cross, numbers


def crossed(counts: list[list[int]]) -> Crosstab:
    table = Table.from_array(np.array(counts), "AB")
    return cross(
        Margin(table, False), ["B"], {name: [str(c) for c in levels] for name, levels in zip("AB", table.categories)}
    )


@pytest.mark.parametrize("kind", ["stacked", "grouped"])
@pytest.mark.parametrize("show", ["counts", "row", "column", "share"])
def test_lengths_are_in_proportion(kind: str, show: str) -> None:
    made = crossed([[3, 5, 0], [10, 1, 7]])
    chart = chart_view(made, kind, show)
    assert chart is not None
    lengths = np.array([[float(bar["width"]) for bar in row["bars"]] for row in chart["rows"]])
    shown = numbers(made, show)
    np.testing.assert_allclose(lengths / lengths.sum(), shown / shown.sum(), atol=1e-4)
    ends = [float(bar["x"]) + float(bar["width"]) for row in chart["rows"] for bar in row["bars"]]
    assert max(ends) == pytest.approx(100.0, abs=0.01)
    assert chart["stacked"] == (kind == "stacked" and show != "column")
    bottoms = [float(bar["y"]) + bar["height"] for row in chart["rows"] for bar in row["bars"]]
    assert max(bottoms) <= float(chart["height"])


def test_stacked_bars_stand_end_to_end_and_others_below_each_other() -> None:
    made = crossed([[3, 5], [10, 1]])
    stacked, grouped = chart_view(made, "stacked", "counts"), chart_view(made, "grouped", "counts")
    assert stacked is not None
    assert grouped is not None
    first, second = stacked["rows"][0]["bars"]
    assert float(second["x"]) == pytest.approx(float(first["width"]))
    assert first["y"] == second["y"]
    first, second = grouped["rows"][0]["bars"]
    assert (first["x"], second["x"]) == ("0.000", "0.000")
    assert float(second["y"]) == float(first["y"]) + first["height"]
    assert second["title"] == "0, 1: 5"
    assert stacked["rows"][0]["said"] == "8"


def test_nothing_is_drawn_where_it_would_not_be_read() -> None:
    assert chart_view(crossed([[1, 2]] * (MOST_ROWS + 1)), "stacked", "counts") is None
    assert chart_view(crossed([[1] * (MOST_SERIES + 1)] * 2), "stacked", "counts") is None
    assert chart_view(crossed([[1, 2]]), "none", "counts") is None
    assert chart_view(crossed([[0, 0], [0, 0]]), "stacked", "row") is not None


def test_long_texts_are_cut() -> None:
    assert shorten("short") == "short"
    assert len(shorten("x" * 100)) == LONGEST_TEXT
