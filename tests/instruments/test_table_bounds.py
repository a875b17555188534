"""Bounds as a result: frames, cells by their categories, witnesses, words and pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import discreet as dc


@pytest.fixture(scope="module")
def table() -> dc.Table:
    return dc.Table.from_counts(dc.datasets.autoworkers())


@pytest.fixture(scope="module")
def bounds(table: dc.Table) -> dc.Bounds:
    return dc.bounds(table.margins([("A", "B"), ("B", "C"), ("A", "C"), ("D", "E", "F")]))


def test_the_frame_of_bounds(bounds: dc.Bounds) -> None:
    frame = bounds.to_frame()
    assert list(frame.columns) == [*"ABCDEF", "lower", "upper", "sharp"]
    assert len(frame) == 64
    assert frame["sharp"].all()
    assert isinstance(bounds.to_frame(like=pl.DataFrame({"x": [1]})), pl.DataFrame)
    sides = bounds.sides_frame()
    assert (sides["lower"] == sides["inner_lower"]).all()


def test_witnesses_by_category(table: dc.Table, bounds: dc.Bounds) -> None:
    cell = {name: levels[0] for name, levels in zip(table.names, table.categories)}
    witness = bounds.witness(cell, "upper")
    assert witness.dense()[0, 0, 0, 0, 0, 0] == bounds.upper[0, 0, 0, 0, 0, 0]
    for release in bounds.margins.releases:
        assert np.array_equal(witness.margin(release).dense(), table.margin(release).dense())
    with pytest.raises(dc.InputError, match="no such category"):
        bounds.witness({**cell, "A": "perhaps"}, "upper")
    with pytest.raises(dc.InputError, match="side"):
        bounds.witness(cell, "middle")


def test_update_equals_from_scratch(table: dc.Table, bounds: dc.Bounds) -> None:
    more = bounds.update(table.margin(("A", "D")))
    fresh = dc.bounds(table.margins([*bounds.margins.releases, ("A", "D")]))
    assert np.array_equal(more.lower, fresh.lower)
    assert np.array_equal(more.upper, fresh.upper)
    assert more.sharp.all()


def test_words_and_pictures(bounds: dc.Bounds, tmp_path: Path) -> None:
    assert "sharp" in bounds.summary()
    text = str(bounds.explain())
    assert "reducible" in text
    assert "[A B C]" in text
    assert bounds.explain().plot() is not None
    assert "<svg" in bounds.explain()._repr_html_()
    assert bounds.plot() is not None
    page = bounds.report(tmp_path / "b.html")
    words = page.read_text(encoding="utf-8")
    assert "Components" in words
    assert "Small counts that the margins give away" in words
    assert words.count("<svg") >= 2


def test_the_report_shows_the_small_counts_that_are_given_away(tmp_path: Path) -> None:
    counts = np.full((2, 2, 2), 9)
    counts[0, 0, 0] = 1
    table = dc.Table.from_array(counts)
    bounds = dc.bounds(table.margins([("V1", "V2", "V3")]))
    words = bounds.report(tmp_path / "b.html").read_text(encoding="utf-8")
    assert "1 cells that the margins prove to be 1 to 2: 1 have bounds closer than 3" in words


def test_figures_of_a_result(bounds: dc.Bounds) -> None:
    figures = bounds.to_dict()
    assert figures["cells"] == figures["sharp_cells"] == 64
    assert figures["n"] == 1841


def test_explain_tells_the_three_cases(table: dc.Table) -> None:
    def words(releases: list[str]) -> str:
        return str(dc.bounds(table.margins([tuple(r) for r in releases])).explain())

    assert "Theorem 1" in words(["ABC", "CDE", "EF"])
    assert "Theorem 2" in words(["AB", "BC", "AC", "CDEF"])
    assert "no closed form" in words(["ABCDE", "ABCDF", "EF"])
    assert "No margin contains F" in words(["ABCDE"])


def test_cells_by_name_and_in_order(bounds: dc.Bounds) -> None:
    names, levels = bounds.margins.names, bounds.margins.categories
    last = {name: own[-1] for name, own in zip(names, levels)}
    assert bounds.cell(last) == bounds.cell([own[-1] for own in levels]) == (1,) * 6
    assert bounds.cell(dict(reversed(last.items())) | {"extra": 1}) == (1,) * 6
    for wrong, words in (
        ({"A": levels[0][0]}, "needs a category of B, C, D, E, F"),
        (["x"], "a cell has 6 categories, 1 were given"),
        (["nope", *(own[0] for own in levels[1:])], "variable 'A' has no such category"),
    ):
        with pytest.raises(dc.InputError, match=words):
            bounds.cell(wrong)
    with pytest.raises(dc.InputError, match="side must be"):
        bounds.witness(last, "above")


def test_fractions_leave_whole_counts() -> None:
    counts = dc.Table.from_array(np.array([[[1, 0], [0, 1]], [[0, 1], [1, 0]]]))
    found = dc.bounds(counts.margins([("V1", "V2"), ("V2", "V3"), ("V1", "V3")]), method="lp")
    low, high = found.whole
    assert low.dtype.kind == high.dtype.kind == "i"
    assert (low >= found.lower - 1e-6).all() and (low < found.lower + 1).all()
    assert (high <= found.upper + 1e-6).all() and (high > found.upper - 1).all()
    with pytest.raises(dc.InputError, match="finds no tables"):
        found.witness([0, 0, 0], "lower")


def test_the_check_finds_a_bound_that_is_too_tight(bounds: dc.Bounds) -> None:
    from dataclasses import replace

    assert bounds.verify().outcome == "safe"
    upper = bounds.upper.copy()
    upper[upper > bounds.lower] -= 1
    assert replace(bounds, upper=upper).verify().outcome != "safe"


def test_narrowest_cells_come_first(bounds: dc.Bounds) -> None:
    rows = bounds.narrowest(10)
    widths = [row[-1] - row[-2] for row in rows]
    assert len(rows) == 10 and widths == sorted(widths) and all(row[-1] > 0 for row in rows)
