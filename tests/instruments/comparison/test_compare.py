"""Results of any instruments side by side: one intruder, one scale, who is dominated, and what cannot be compared."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import discreet as dc
from discreet.instruments.comparison.compare import compare_methods
from discreet.instruments.comparison.trials import Roles

KEYS = ["age", "sex", "region"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(150, seed=1)[[*KEYS, "income", "savings"]]


@pytest.fixture(scope="module")
def releases(people: pd.DataFrame) -> list[dc.results.Result]:  # type: ignore[name-defined]
    small = people[KEYS]
    return [
        dc.generalize(small, 3, quasi_identifiers=KEYS, random_state=1, method="mondrian"),
        dc.generalize(small, 3, quasi_identifiers=KEYS, random_state=1, rounds=2),
        dc.suppress_locally(small, 3, keys=KEYS),
        dc.protect(small, 3, keys=KEYS, guarantee="classes", random_state=1),
        dc.suppress_locally(small, 3, keys=KEYS, semantics="cover"),
    ]


def test_instruments_side_by_side(releases: list[object]) -> None:
    found = dc.compare(releases)
    assert found.columns == tuple(KEYS)
    assert [entry.instrument for entry in found.entries] == [
        "generalization", "generalization", "local suppression", "protection", "local suppression",
    ]  # fmt: skip
    for entry in found.entries[:4]:
        assert entry.guaranteed == pytest.approx(1 / 3)
        assert 0 < entry.risk <= 1 / 3 + 1e-12  # what is proven is never measured above
    assert found.entries[4].guaranteed is None  # it says who fits a record, not which records fit a person
    for entry in found.entries:
        assert 0 <= entry.loss <= 1
    assert found.unprotected > 0.5
    assert set(found.efficient) | set(found.dominated) == set(found.names)
    assert not set(found.efficient) & set(found.dominated)


def test_the_table_the_words_the_figures_and_the_page(releases: list[object], tmp_path: Path) -> None:
    found = dc.compare(releases)
    table = found.to_frame()
    assert list(table["k"]) == [3] * 5 == list(found["k"])
    assert {"name", "risk", "guaranteed", "loss", "gcp", "lower_bound", "gap", "seconds"} <= set(table.columns)
    assert list(table["risk"]) == [entry.risk for entry in found.entries]
    text = found.summary()
    assert all(name in text for name in found.names) and "found, %" in text
    figures = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [row["name"] for row in figures["results"]] == list(found.names)
    assert figures["efficient"] == list(found.efficient)
    page = found.report(tmp_path / "map.html").read_text()
    assert "What each attack finds" in page and "<svg" in page
    with pytest.raises(dc.InputError, match="no release"):
        found.verify()


def test_whoever_leaves_what_is_known_as_it_is_has_no_proof(people: pd.DataFrame) -> None:
    numbers = dc.microaggregate(people, 3, columns=["income", "savings"], method="mdav")
    keys = dc.suppress_locally(people, 3, keys=KEYS, accept=["income", "savings"])
    both = dc.compare([numbers, keys])
    assert set(both.columns) == {*KEYS, "income", "savings"}
    assert both.entries[0].risk > 0.5 and both.entries[0].guaranteed is None
    alone = dc.compare([numbers], columns=["income", "savings"])
    assert alone.entries[0].risk <= 1 / 3 + 1e-12
    assert dc.compare([keys], columns=["income"]).entries[0].loss == 0


def test_unchecked_is_unproven(people: pd.DataFrame) -> None:
    result = dc.microaggregate(people[["income", "savings"]], 3, method="mdav")
    assert dc.compare([result]).entries[0].guaranteed == pytest.approx(1 / 3)
    found = dc.compare([result], check=False).entries[0]
    assert found.guaranteed is None and found.row()["verified"] is None


def test_several_sets_have_no_guarantee_together(people: pd.DataFrame) -> None:
    result = dc.microaggregate(people, 3, columns=[["income"], ["savings"]], method="mdav", accept=["savings"])
    assert dc.compare([result]).entries[0].guaranteed is None


def test_results_of_other_records_are_refused(people: pd.DataFrame) -> None:
    one = dc.microaggregate(people, 3, columns=["income"], method="mdav")
    other = dc.microaggregate(people.iloc[::-1], 3, columns=["income"], method="mdav")
    with pytest.raises(dc.InputError, match="different originals"):
        dc.compare([one, other])
    fewer = dc.microaggregate(people.drop(columns="sex"), 3, columns=["income"], method="mdav")
    assert len(dc.compare([one, fewer]).entries) == 2  # the same records, without a column
    with pytest.raises(dc.InputError, match="do not both have"):
        dc.compare([one, fewer], columns=["sex"])


def test_what_cannot_be_compared(people: pd.DataFrame) -> None:
    one = dc.microaggregate(people, 3, columns=["income"], method="mdav")
    risk = dc.risk(people, KEYS)
    for wrong, words in (
        (lambda: dc.compare([]), "at least one"),
        (lambda: dc.compare([one, 3]), "number 2 is none"),
        (lambda: dc.compare([one, risk]), "across instruments"),
        (lambda: dc.compare([one], names=["a", "b"]), "a name for each"),
        (lambda: dc.compare([one, one], names=["a", "a"]), "same name"),
        (lambda: dc.compare([one], columns=["hat"]), "hat"),
        (lambda: dc.compare([one], random_state=-1), "random_state"),
    ):
        with pytest.raises(dc.InputError, match=words):
            wrong()


def test_results_of_one_kind_that_are_no_releases(tmp_path: Path) -> None:
    margins = dc.Table.from_counts(dc.datasets.autoworkers(), count="count").margins([("A", "B"), ("B", "C")])
    found = dc.compare([dc.bounds(margins), dc.bounds(margins)])
    assert found.unprotected is None and found.dominated == {}
    assert "cells" in found.to_frame().columns
    assert found.report(tmp_path / "bounds.html").exists()


def test_names_are_told_apart_and_frames_stay_of_their_kind(people: pd.DataFrame) -> None:
    frame = pl.from_pandas(people[["income", "savings"]])
    results = [dc.microaggregate(frame, 3, method="mdav")] * 2
    found = dc.compare(results)
    assert found.names == ("mdav k=3 (1)", "mdav k=3 (2)")
    assert isinstance(found.to_frame(), pl.DataFrame)
    assert found.dominated == {}
    assert dc.compare(results, names=["one", "two"]).names == ("one", "two")


def test_methods_and_k_with_bounds(people: pd.DataFrame) -> None:
    roles = Roles(numeric=("income", "savings"), accept=tuple(KEYS))
    found = compare_methods(people, [5, 3], ["mdav", "auto"], roles, time_limit=20)
    assert found.names == ("mdav k=3", "mdav k=5", "auto k=3", "auto k=5")
    for entry in found.entries:
        assert 0 < entry.own.bound <= entry.own.value
        assert entry.own.gap == pytest.approx(100 * (entry.own.value - entry.own.bound) / entry.own.value)
    assert found.entries[0].own.bound == found.entries[2].own.bound  # proven once, for all methods
    none = compare_methods(people, [3], ["mdav"], roles, bounds=False)
    assert none.entries[0].own.bound is None
    curve = next(section for section in found.sections() if section.title.startswith("Loss over k"))
    assert curve.figure is not None


def test_a_record_that_is_not_published_is_lost(people: pd.DataFrame) -> None:
    homes = pd.DataFrame({"home": [0, 0, 0, 1, 2, 3, 4], "age": [1, 2, 3, 4, 4, 5, 5]})
    result = dc.protect(homes, 2, keys=["age"], household="home", rare="suppress", random_state=1)
    entry = dc.compare([result]).entries[0]
    assert len(result.data) == 4
    assert entry.loss >= 3 / 7
