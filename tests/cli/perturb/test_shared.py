"""`discreet perturb`: what the methods share. Measured is not proven, and the file says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc

METHODS = {
    "rank-swap": ("--columns", "income,savings"),
    "noise": ("--columns", "income,savings"),
    "pram": ("--columns", "region,sex"),
    "swap-records": ("--columns", "region", "--keys", "sex,education"),
}


@pytest.fixture
def people(tmp_path: Path) -> Path:
    frame = dc.datasets.survey(200, seed=1)[["region", "sex", "dwelling", "education", "income", "savings"]]
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_written_without_the_word(discreet: Callable, people: Path, tmp_path: Path, method: str) -> None:
    out, page, figures = tmp_path / "o.csv", tmp_path / "r.html", tmp_path / "o.json"
    line = ["perturb", method, people, *METHODS[method], "-o", out, "--report", page, "--json", figures]
    ran = discreet(*line)
    assert ran.code == 2 and "--measured-only" in ran.err + ran.out and "found by" in ran.err + ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv"]
    ran = discreet(*line, "--measured-only", "--seed", "1")
    assert ran.code == 0, ran.err
    assert "cannot tell (measured)" in ran.err + ran.out
    assert json.loads(figures.read_text())["status"] == "measured, not proven"
    text = page.read_text()
    assert "Measured, not proven" in text and "Verified" not in text and 'class="verdict safe"' not in text
    assert not pd.read_csv(out).equals(pd.read_csv(people))


def test_the_manifest_says_measured(discreet: Callable, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    line = ["perturb", "rank-swap", people, *METHODS["rank-swap"], "-o", out, "--measured-only", "-q"]
    assert discreet(*line).code == 0
    told = json.loads((tmp_path / "o.csv.manifest.json").read_text())
    assert told["claim"]["guarantee"] == "measured" and told["verdict"]["outcome"] == "cannot tell"
    assert told["seed"] == "secret" and "proven" in told["verdict"] and not told["verdict"]["proven"]
    ran = discreet("verify", "--manifest", tmp_path / "o.csv.manifest.json", people)
    assert ran.code == 2 and ran.out.startswith("cannot tell (measured)")
    out.write_text(out.read_text().replace("owned", "rented"))
    assert discreet("verify", "--manifest", tmp_path / "o.csv.manifest.json", people).code == 1


def test_what_is_plainly_wrong_is_not_written_for_any_word(discreet: Callable, people: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(people).assign(name=[f"n{i}" for i in range(200)])
    frame.to_csv(tmp_path / "named.csv", index=False)
    out = tmp_path / "o.csv"
    line = ["perturb", "noise", tmp_path / "named.csv", *METHODS["noise"], "-o", out, "--measured-only"]
    ran = discreet(*line)
    assert ran.code == 1 and "identifier" in ran.err and not out.exists()
    assert discreet(*line, "--drop", "name").code == 0
