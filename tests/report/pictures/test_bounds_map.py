"""Maps of cells: steps by width, names of rows and columns, figures in words."""

from __future__ import annotations

import numpy as np
import pytest
from report.drawing import words

from discreet.report.figures import alt
from discreet.report.pictures.bounds_map import bounds_map, exposure_map

pytest.importorskip("matplotlib")


def test_every_width_has_its_step() -> None:
    upper = np.array([[0, 1, 2, 3], [5, 10, 20, 500]])
    figure = bounds_map(np.zeros_like(upper), upper, ["a", "b"], [["x", "y"], ["p", "q", "r", "s"]])
    drawn = words(figure)
    legend = {"0: known exactly", "1-2", "3-4", "5-9", "10-19", "20 or more"}
    assert legend <= set(drawn) and {"x", "y", "p", "s", "a", "b", "0–500", "0"} <= set(drawn)
    from matplotlib.colors import to_hex

    from discreet.report.palette import RAMP

    found = {}
    for patch in figure.axes[0].patches:
        for x, y in patch.get_path().vertices.reshape(-1, 5, 2)[:, 0].astype(int).tolist():
            found[y, x] = RAMP.index(to_hex(patch.get_facecolor()))
    assert [[found[i, j] for j in range(4)] for i in range(2)] == [[5, 4, 4, 3], [2, 1, 0, 0]]
    assert "Of 8 cells 1 are known exactly and 2 more within 1 or 2." in alt(figure)


def test_several_variables_are_named_together() -> None:
    lower = np.zeros((2, 2, 2), np.int64)
    figure = bounds_map(lower, lower + 1, ["a", "b", "c"], [["x", "y"], [1, 2], ["p", "q"]])
    assert {"x, 1", "y, 2", "p", "q", "a by b", "c"} <= set(words(figure))


def test_exposure_by_how_well_cells_hide() -> None:
    small = np.array([[True, True, True, True, False]])
    undecided = np.array([[False, True, False, False, False]])
    exposed = np.array([[False, False, True, True, False]])
    pinned = np.array([[False, False, False, True, False]])
    figure = exposure_map((small, undecided, exposed, pinned), ["a", "b"], [["x"], list("pqrst")])
    told = "Cells: not small 1, small, hidden 1, undecided 1, exposed 1, known exactly 1."
    assert told in alt(figure)
