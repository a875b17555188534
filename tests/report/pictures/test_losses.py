"""Losses by column, to two digits."""

from __future__ import annotations

import pytest
from report.drawing import words

from discreet.report.figures import alt, confidential
from discreet.report.pictures.losses import losses, two_digits

pytest.importorskip("matplotlib")


@pytest.mark.parametrize(
    ("value", "shown"), [(12.345, 12.0), (0.0123456, 0.012), (98765.4, 99000.0), (0.0, 0.0), (float("nan"), 0.0)]
)
def test_two_digits(value: float, shown: float) -> None:
    assert two_digits(value) == shown


def test_no_more_than_two_digits_are_told() -> None:
    figure = losses(["a", "b"], [3.14159, 0.271828], title="Loss", unit="%")
    assert {"3.1", "0.27"} <= set(words(figure)) and alt(figure) == "Loss. Bars of %: a: 3.1, b: 0.27."
    assert [bar.get_width() for bar in figure.axes[0].patches] == [3.1, 0.27]
    assert not confidential(figure)
