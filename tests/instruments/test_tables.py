"""The public face of the table room."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import discreet as dc
from discreet.instruments.tables import METHODS


@pytest.fixture(scope="module")
def table() -> dc.Table:
    return dc.Table.from_counts(dc.datasets.autoworkers())


@pytest.fixture(scope="module")
def bounds(table: dc.Table) -> dc.Bounds:
    return dc.bounds(table.margins([("A", "B"), ("B", "C"), ("A", "C"), ("D", "E", "F")]))


def test_records_and_counts_make_the_same_table() -> None:
    frame = dc.datasets.survey(300, seed=2)[["sex", "education", "dwelling"]]
    counted = frame.value_counts().reset_index()
    one, two = dc.Table.from_frame(frame), dc.Table.from_counts(counted)
    assert one.names == two.names
    assert one.categories == two.categories
    assert np.array_equal(one.dense(), two.dense())
    three = dc.Table.from_frame(pl.from_pandas(frame))
    assert np.array_equal(one.dense(), three.dense())
    back = one.to_frame()
    assert isinstance(back, pd.DataFrame)
    assert np.array_equal(dc.Table.from_counts(back).dense(), one.dense())


def test_missing_categories_and_broken_counts_are_all_named() -> None:
    frame = pd.DataFrame({"a": ["x", None, "y"], "b": [1, 2, 2], "count": [1.5, -1, np.nan]})
    with pytest.raises(dc.InputError) as caught:
        dc.Table.from_counts(frame)
    assert len(caught.value.faults) >= 3


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


@pytest.mark.parametrize("method", [m for m in METHODS if m != "frechet"])
def test_every_method_contains_the_truth_and_claims_no_more_than_it_knows(table: dc.Table, method: str) -> None:
    small = table.margin(tuple("ABCE"))
    margins = small.margins([tuple(r) for r in ("AB", "BC", "AC", "CE")])
    exact, found = dc.bounds(margins), dc.bounds(margins, method=method)
    assert (found.lower <= exact.lower).all()
    assert (found.upper >= exact.upper).all()
    assert (found.lower == exact.lower)[found.lower_sharp].all()
    assert (found.upper == exact.upper)[found.upper_sharp].all()


def test_risk_by_policy(table: dc.Table) -> None:
    bounds = dc.bounds(table.margins([tuple(r) for r in ("ABCDE", "ABCDF", "ABCEF", "ABDEF", "ACDEF", "BCDEF")]))
    risk = bounds.risk({"c": 3, "w": 3}, table)
    x = table.dense()
    assert risk.sensitive.sum() == ((x >= 1) & (x <= 3)).sum()
    wide = (bounds.upper - bounds.lower).reshape(-1)
    assert np.array_equal(risk.exposed, risk.sensitive & (wide < 3))
    assert not risk.undecided.any()
    assert len(risk.to_frame()) == risk.exposed.sum()
    assert str(int(risk.exposed.sum())) in risk.summary()
    assert risk.plot() is not None
    worst = risk.worst(5)
    assert len(worst) == 5
    assert [row[-1] - row[-2] for row in worst] == sorted(wide[risk.exposed].tolist())[:5]
    blind = bounds.risk({"c": 3, "w": 3})
    assert (blind.sensitive <= risk.sensitive).all()
    with pytest.raises(dc.InputError, match="c in the policy"):
        bounds.risk({"c": 0})


def test_bad_calls_say_all_that_is_wrong(table: dc.Table) -> None:
    margins = table.margins([("A", "B"), ("B", "C"), ("A", "C")])
    with pytest.raises(dc.InputError, match="unknown method"):
        dc.bounds(margins, method="magic")
    with pytest.raises(dc.InputError, match="decomposable"):
        dc.bounds(margins, method="frechet")
    with pytest.raises(dc.InputError, match="give the released margins"):
        dc.bounds(table)  # type: ignore[arg-type]
    with pytest.raises(dc.InputError, match="distribution"):
        dc.simulate(margins, distribution="normal")
    with pytest.raises(dc.InputError, match="time_limit"):
        dc.bounds(margins, time_limit=-1)


def test_counts_that_are_estimated_say_so() -> None:
    margins = dc.Table.from_array(np.full((2, 2, 2), 5)).margins([("V1",), ("V2",), ("V3",)])
    exact = dc.count_tables(margins)
    assert exact.exact
    assert exact.value == 9801
    assert "counted" in exact.summary()
    rough = dc.count_tables(margins, work_limit=10, random_state=1)
    assert not rough.exact
    assert "estimated" in rough.summary()
    assert abs(rough.log10 - exact.log10) < 5 * rough.log10_error + 1e-9
