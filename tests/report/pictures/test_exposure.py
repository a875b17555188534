"""Records by how many share their keys, and by risk."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.report.figures import confidential
from discreet.report.pictures.exposure import alike, risks

pytest.importorskip("matplotlib")


def test_unique_ones_are_hatched() -> None:
    figure = alike([4, 2, 9], ["1", "2", "3 or more"])
    assert [bar.get_hatch() for bar in figure.axes[0].patches] == ["////", None, None] and confidential(figure)


def test_every_record_is_in_one_step_of_risk() -> None:
    figure = risks(np.array([0.0, 0.05, 0.1, 0.95, 1.0]))
    assert [bar.get_height() for bar in figure.axes[0].patches] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert confidential(figure)
