"""Cells by contributors, the sensitive ones hatched over all."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.report.figures import alt, confidential
from discreet.report.pictures.contributors import contributors

pytest.importorskip("matplotlib")


def test_the_sensitive_part_is_hatched() -> None:
    figure = contributors(np.array([1, 1, 2, 40, 10]), np.array([True, False, True, False, False]))
    bars = figure.axes[0].patches
    assert [bar.get_height() for bar in bars[:11]] == [0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert [bar.get_height() for bar in bars[11:]] == [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert all(bar.get_hatch() for bar in bars[11:]) and confidential(figure) and "2 cells are sensitive" in alt(figure)
