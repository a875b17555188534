"""Bar charts as pictures: values beside bars, marks that do not lean on color, the largest of many."""

from __future__ import annotations

import pytest
from report.drawing import words

from discreet.report.bars import MOST_ROWS, lying, number, standing
from discreet.report.figures import alt

pytest.importorskip("matplotlib")


def test_values_stand_beside_the_bars() -> None:
    assert {"a", "b", "3", "0.125"} <= set(words(lying("title", ["a", "b"], [3.0, 0.125], "x")))
    assert {"a", "b", "7", "12"} <= set(words(standing("title", ["a", "b"], [7, 12], "x", "y")))


def test_marked_bars_are_hatched_and_others_are_not() -> None:
    figure = standing("title", ["a", "b"], [1, 2], "x", "y", marked=[False, True])
    assert [bar.get_hatch() for bar in figure.axes[0].patches] == [None, "////"]


def test_of_many_the_largest_are_drawn_and_that_is_said() -> None:
    values = [float(i * 37 % 101) for i in range(100)]
    figure = lying("title", range(100), values, "x", marked=[value > 90 for value in values])
    assert f"the {MOST_ROWS} largest of 100" in alt(figure)
    drawn = [bar.get_width() for bar in figure.axes[0].patches]
    assert sorted(drawn) == sorted(values)[-MOST_ROWS:]
    assert [bar.get_hatch() is not None for bar in figure.axes[0].patches] == [value > 90 for value in drawn]


def test_many_names_are_turned() -> None:
    figure = standing("title", ["a long name"] * 9, range(9), "x", "y")
    assert {label.get_rotation() for label in figure.axes[0].get_xticklabels()} == {60.0}


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (0.0123456, "0.0123"), (1234567.0, "1.23e+06"), (-2, "-2")])
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text
