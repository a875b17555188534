"""A synthetic table as a result: figures without the seed, words, a page, and a check that can fail."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import discreet as dc
from discreet.instruments.simulation import Simulation
from discreet.tables.table import Table

TABLE = Table.from_counts(dc.datasets.autoworkers(), count="count")
MARGINS = TABLE.margins([("A", "B"), ("C", "D")])


@pytest.fixture(scope="module")
def result() -> Simulation:
    return dc.simulate(MARGINS, random_state=1).result(MARGINS)


def test_the_check_adds_up_the_margins(result: Simulation) -> None:
    assert result.verify().safe and "released counts" in result.verify().proven[0]
    moved = result.table.counts.copy().reshape(-1)
    moved[[0, -1]] += 1
    wrong = replace(result.table, counts=moved.reshape(result.table.counts.shape))
    assert replace(result, table=wrong).verify().outcome == "unsafe"


def test_a_table_of_coordinates_is_checked_too() -> None:
    drawn = dc.simulate(MARGINS, random_state=1, distribution="loglinear")
    assert drawn.result(MARGINS).verify().safe
    places = np.argwhere(drawn.dense() > 0).astype(np.int32)
    sparse = replace(drawn, counts=drawn.dense()[tuple(places.T)], coordinates=places)
    assert sparse.result(MARGINS).verify().safe


def test_figures_and_words(result: Simulation) -> None:
    figures = result.to_dict()
    assert figures["n"] == TABLE.total and "seed" not in figures and figures["cells"] == 64
    assert "[A B], [C D]" in result.title() and "1841" in result.summary()
    assert result.plot()._repr_html_().startswith("<svg")
    assert result.publication().data is not None


def test_cells_that_the_margins_fix() -> None:
    counts = Table(("x", "y"), (("a", "b"), ("c", "d", "e")), np.array([[7, 0, 9], [0, 0, 8]]))
    margins = counts.margins([("x",), ("y",)])
    empty = dc.simulate(margins, random_state=1, pinned="say").result(margins)
    assert not empty.sections() and "no cell that is not empty" in empty.statement().against_whom[1]
    whole = Table(("x", "y", "z"), (("a", "b"), ("c", "d"), ("e", "f")), np.array([[[5, 0], [4, 6]], [[0, 0], [3, 9]]]))
    margins = whole.margins([("x", "y"), ("z",)])
    fixed = dc.simulate(margins, random_state=1, pinned="say").result(margins)
    assert bool(fixed.sections()) == bool(fixed.table.unchanged())
    assert all(section.confidential for section in fixed.sections())
