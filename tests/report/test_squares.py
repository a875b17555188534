"""Tables as squares: each in the color of its step, large ones by blocks, labels and legend."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.drawing import words

from discreet.report import squares as module
from discreet.report.palette import ON_RAMP, RAMP
from discreet.report.squares import Scale, pooled, squares

pytest.importorskip("matplotlib")
SCALE = Scale(RAMP, ON_RAMP, [f"step {i}" for i in range(6)], "steps")


def test_every_square_has_its_color() -> None:
    steps = np.array([[0, 3, 5], [5, 0, 0]])
    figure = squares("title", steps, ["a", "b"], ["x", "y", "z"], SCALE, texts=[["1", "2", "3"], ["4", "5", "6"]])
    from matplotlib.colors import to_hex

    found = {}
    for patch in figure.axes[0].patches:
        points = patch.get_path().vertices.reshape(-1, 5, 2)
        for x, y in points[:, 0].astype(int).tolist():
            found[y, x] = to_hex(patch.get_facecolor())
    assert found == {(i, j): RAMP[steps[i, j]] for i in range(2) for j in range(3)}
    drawn = words(figure)
    assert {"a", "b", "x", "y", "z", "1", "6", "step 0", "step 3", "step 5", "steps"} <= set(drawn)
    assert "step 1" not in drawn, "the legend has the steps that occur"


def test_a_large_table_is_drawn_by_blocks_and_says_so() -> None:
    steps = np.zeros((200, 3), np.int64)
    steps[150, 1] = 5
    names = [str(i) for i in range(200)]
    figure = squares("title", steps, names, ["x", "y", "z"], SCALE)
    drawn = words(figure)
    assert "4 by 1 cells" in " ".join(drawn) and "199" not in drawn and "y" in drawn


@given(st.integers(1, 200), st.integers(1, 200), st.integers(0, 2**31))
def test_blocks_show_their_highest_step(high: int, wide: int, seed: int) -> None:
    steps = np.random.default_rng(seed).integers(0, 6, (high, wide))
    found, (a, b) = pooled(steps)
    assert max(found.shape) <= module.MOST
    slow = [
        [
            max(steps[i, j] for i in range(y, min(y + a, high)) for j in range(x, min(x + b, wide)))
            for x in range(0, wide, b)
        ]
        for y in range(0, high, a)
    ]
    assert found.tolist() == slow
