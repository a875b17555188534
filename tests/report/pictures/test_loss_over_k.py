"""Loss over k: a line for each method by rising k, the bound below, and its words."""

from __future__ import annotations

from discreet.report.figures import alt
from discreet.report.pictures.loss_over_k import loss_over_k


def test_lines_and_words() -> None:
    figure = loss_over_k({"mdav": {5: 9.0, 3: 6.0}, "auto": {3: 5.0}}, {3: 4.5}, title="Loss over k", what="IL, %")
    (axis,) = figure.axes
    assert [line.get_xydata().tolist() for line in axis.lines] == [[[3, 6], [5, 9]], [[3, 5]], [[3, 4.5]]]
    assert "6 at k = 3, 9 at k = 5" in alt(figure) and "proven bound: 4.5 at k = 3" in alt(figure)
    assert [text.get_text() for text in axis.get_legend().get_texts()][-1].startswith("proven")


def test_without_bounds_there_is_no_such_line() -> None:
    (axis,) = loss_over_k({"mdav": {3: 1.0, 5: 2.0}}, {}, title="t", what="w").axes
    assert len(axis.lines) == 1
