from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import discreet as dc

MONEY = ["income", "savings"]
CLAIM = {"k": 1, "quasi_identifiers": MONEY, "guarantee": "measured"}


@pytest.fixture(scope="module")
def files() -> tuple[pd.DataFrame, pd.DataFrame]:
    people = dc.datasets.survey(300, seed=1)[["region", "sex", "dwelling", *MONEY]]
    return people, dc.rank_swap(people, MONEY, random_state=1).data


def test_what_is_not_wrong_cannot_be_told(files: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    before, after = files
    verdict = dc.verify(before, after, **CLAIM)
    assert verdict.outcome == "cannot tell" and verdict.exit_code == 2 and not verdict.failures
    assert verdict.title().startswith("Measured, not proven")
    figures = verdict.figures
    assert figures["changed: income"] == (before["income"] != after["income"]).mean()
    assert 0 < figures["found"] < figures["found_with_left"] <= 1
    left = before.groupby(["region", "sex", "dwelling"]).size()
    assert figures["alone_by_left"] == (left == 1).sum()


def test_what_is_plainly_wrong_is_unsafe(files: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    before, after = files
    for wrong, word in (
        (after.assign(income=before["income"]), "income is said to be perturbed, and every value"),
        (after.assign(sex=after["sex"].to_numpy()[::-1]), "sex"),
        (after.assign(more=1), "more"),
        (after.assign(copy=before["savings"]), "copy"),
        (after[:-1], "299"),
    ):
        verdict = dc.verify(before, wrong, **CLAIM)
        assert verdict.outcome == "unsafe", word
        assert any(word in failure for failure in verdict.failures), verdict.failures
        assert not verdict.title().startswith("Measured")


def test_a_left_identifier_is_unsafe_unless_accepted(files: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    before, after = (frame.assign(person=[f"p{i}" for i in range(300)]) for frame in files)
    assert dc.verify(before, after, **CLAIM).outcome == "unsafe"
    assert dc.verify(before, after, **CLAIM, accept=["person"]).outcome == "cannot tell"


def test_a_claim_of_measured_promises_nothing_else(files: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    before, after = files
    for more, word in (
        ({"k": 3}, "k is 1"),
        ({"sensitive": "sex", "l": 2}, "sensitive"),
        ({"household": "sex"}, "household"),
        ({"weight": "income", "quasi_identifiers": ["savings"]}, "weight"),
        ({"by": ["sex"]}, "by is for"),
        ({"missing": "wildcard"}, "missing"),
    ):
        with pytest.raises(dc.InputError, match=word):
            dc.verify(before, after, **{**CLAIM, **more})
    with pytest.raises(dc.InputError, match="original"):
        dc.verify(None, after, **CLAIM)


def test_files_are_judged_as_they_are_written(files: tuple[pd.DataFrame, pd.DataFrame], tmp_path: Path) -> None:
    for frame, name in zip(files, ("a.csv", "b.csv")):
        frame.to_csv(tmp_path / name, index=False)
    assert dc.verify(tmp_path / "a.csv", tmp_path / "b.csv", **CLAIM).outcome == "cannot tell"
    assert dc.verify(tmp_path / "a.csv", tmp_path / "a.csv", **CLAIM).outcome == "unsafe"
