"""Results of any instruments side by side: one intruder, one scale, who is dominated, and what cannot be compared."""

from __future__ import annotations

import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.comparison.compare import compare_methods
from discreet.instruments.comparison.trials import Roles

KEYS = ["age", "sex", "region"]


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
