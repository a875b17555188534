"""Changes of correlations: two decimals, seven steps, those that change most."""

from __future__ import annotations

import numpy as np
import pytest
from report.drawing import words

from discreet.report.figures import alt
from discreet.report.pictures.correlations import MOST, correlations

pytest.importorskip("matplotlib")


def test_changes_are_told_to_two_decimals() -> None:
    before = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, np.nan], [0.1, np.nan, 1.0]])
    after = np.array([[1.0, 0.26789, 0.104], [0.26789, 1.0, np.nan], [0.104, np.nan, 1.0]])
    figure = correlations(["a", "b", "c"], before, after)
    assert {"-0.23", "0"} <= set(words(figure)) and "+0.00" not in words(figure)
    assert "The largest is -0.23, between a and b." in alt(figure)
    assert "268" not in alt(figure) + " ".join(words(figure))


def test_unchanged() -> None:
    same = np.eye(2)
    assert "None changes by 0.01 or more." in alt(correlations(["a", "b"], same, same + 0.004))


def test_of_many_columns_those_that_change_most() -> None:
    n = MOST + 10
    before, after = np.eye(n), np.eye(n)
    after[30, 31] = after[31, 30] = 0.5
    figure = correlations([f"c{i}" for i in range(n)], before, after)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert len(names) == MOST and {"c30", "c31"} <= set(names) and f"of {n}" in alt(figure)
