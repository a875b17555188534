"""The graph of margins: its edges, and the variables that separate."""

from __future__ import annotations

import pytest
from report.drawing import words

from discreet.report.figures import alt
from discreet.report.pictures.margins_graph import margins_graph

pytest.importorskip("matplotlib")


def test_edges_and_separators_are_drawn_and_told() -> None:
    figure = margins_graph(["age", "sex", "region"], [(0, 1), (1, 2)], {1}, title="Graph")
    assert {"age", "sex", "region"} <= set(words(figure)) and len(figure.axes[0].lines) == 2
    assert alt(figure) == "Graph. Joined: age with sex, sex with region. Separating, filled: sex."


def test_one_variable_stands_alone() -> None:
    figure = margins_graph(["age"], [], set(), title="Graph")
    assert alt(figure) == "Graph. No two variables are joined."
