"""How a search went: both curves only get better, whatever order the moments tell them in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.drawing import words

from discreet.report.figures import alt
from discreet.report.pictures.convergence import convergence

pytest.importorskip("matplotlib")
NAN = float("nan")


def test_best_and_bound_are_drawn_and_told() -> None:
    figure = convergence([1, 2, 3], [9.0, NAN, 7.0], [NAN, 2.0, 7.0], title="Search", what="loss")
    best, bound = figure.axes[0].lines
    assert best.get_ydata().tolist() == [9, 9, 7] and bound.get_ydata().tolist() == [2, 7]
    assert best.get_linestyle() != bound.get_linestyle(), "not by color alone"
    assert {"best found", "proven bound", "loss"} <= set(words(figure))
    assert alt(figure) == "Search. The best loss falls from 9 to 7; the bound rises from 2 to 7 in 3 s."


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.one_of(st.just(NAN), st.floats(-1e6, 1e6)), st.one_of(st.just(NAN), st.floats(-1e6, 1e6))),
        min_size=1,
        max_size=12,
    )
)
def test_curves_never_get_worse_and_their_ends_are_in_view(moments: list[tuple[float, float]]) -> None:
    values, bounds = zip(*moments)
    figure = convergence(range(len(moments)), values, bounds, title="Search", what="loss")
    low, high = figure.axes[0].get_ylim()
    for line in figure.axes[0].lines:
        y = np.asarray(line.get_ydata())
        step = np.diff(y)
        assert (step <= 0).all() or (step >= 0).all()
        assert low <= y[-1] <= high
