"""SUDA contributions: the largest first, in percent."""

from __future__ import annotations

import pytest

from discreet.report.pictures.contributions import contributions

pytest.importorskip("matplotlib")


def test_the_largest_comes_first() -> None:
    axis = contributions({"sex": 0.1, "age": 0.75, "region": 0.4}).axes[0]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["age", "region", "sex"]
    assert [bar.get_width() for bar in axis.patches] == pytest.approx([75, 40, 10])
