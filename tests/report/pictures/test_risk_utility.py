"""The map: marks where the figures are, hollow where nothing is proven, the efficient ones joined, and its words."""

from __future__ import annotations

from discreet.report.figures import alt, svg
from discreet.report.pictures.risk_utility import MOST_NUMBERS, Mark, risk_utility

MARKS = [Mark("mdav", 3, 0.3, 0.1, True), Mark("mdav", 5, 0.2, 0.2, True), Mark("swap", None, 0.1, 0.4, False)]


def test_marks_lines_and_words() -> None:
    figure = risk_utility(MARKS, [1, 0], title="A map")
    (axis,) = figure.axes
    line, *points = axis.lines
    assert line.get_xydata().tolist() == [[20.0, 20.0], [30.0, 10.0]]
    assert [point.get_xydata().tolist()[0] for point in points] == [[30, 10], [20, 20], [10, 40]]
    assert [point.get_markerfacecolor() == "none" for point in points] == [False, False, True]
    assert [text.get_text() for text in axis.texts] == ["3", "5"]
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["mdav", "swap"]
    words = alt(figure)
    assert "3 releases" in words and "mdav with k = 3 finds 30 % and loses 10 %" in words and "hollow" in words
    assert "A map" in svg(figure)


def test_of_very_many_no_numbers_and_no_legend() -> None:
    many = [Mark(f"m{i}", i, i / 100, 0.5, True) for i in range(MOST_NUMBERS + 1)]
    (axis,) = risk_utility(many, list(range(20)), title="Many").axes
    assert not axis.texts and axis.get_legend() is None
    assert "and 12 more" in alt(axis.figure)
