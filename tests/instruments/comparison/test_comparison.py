"""Results side by side: the table, the words, the figures, the page, and who is dominated."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import discreet as dc
from discreet.instruments.comparison.comparison import Own
from discreet.measure.risk.intruder import Linked

KEYS = ["age", "sex", "region"]


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


def test_the_gap_is_the_share_above_the_bound() -> None:
    assert Own("loss", 4.0, 3.0).gap == pytest.approx(25.0)
    assert Own("loss", 4.0, 5.0).gap == 0.0 and Own("loss", 0.0, 0.0).gap == 0.0
    assert Own("loss", 4.0, None).gap is None


def test_who_is_dominated_and_who_is_efficient(releases: list[object]) -> None:
    """Placed by hand: b beats a in both, c and b beat each other in one."""
    found = dc.compare(releases[:3], names=["a", "b", "c"])
    places = {"a": (0.5, 0.5), "b": (0.25, 0.25), "c": (0.125, 0.75)}
    entries = []
    for entry in found.entries:
        risk, loss = places[entry.name]
        by_attack = dict.fromkeys(entry.measured.found.by_attack, risk)
        linked = Linked(by_attack, entry.measured.found.persons)
        entries.append(replace(entry, measured=replace(entry.measured, found=linked, loss=loss)))
    placed = replace(found, entries=tuple(entries))
    assert placed.dominated == {"a": ("b",)} and placed.efficient == ("c", "b")
    assert dict(placed.facts())["dominated"] == "a (by b)"
    fewer = replace(entries[0], measured=replace(entries[0].measured, found=linked._replace(persons=40)))
    assert placed.sampled is None and replace(placed, entries=(fewer, *entries[1:])).sampled == 40
