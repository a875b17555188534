"""`discreet perturb rank-swap`: values change places, and a seed repeats the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc

METHODS = {"rank-swap": ("--columns", "income,savings")}


@pytest.fixture
def people(tmp_path: Path) -> Path:
    frame = dc.datasets.survey(200, seed=1)[["region", "sex", "dwelling", "education", "income", "savings"]]
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


def test_a_seed_repeats_the_file(discreet: Callable, people: Path, tmp_path: Path) -> None:
    written = []
    for name, seed in (("a", "5"), ("b", "5"), ("c", "6")):
        out = tmp_path / f"{name}.csv"
        line = ["perturb", "rank-swap", people, *METHODS["rank-swap"], "-o", out, "--measured-only", "-q"]
        assert discreet(*line, "--seed", seed).code == 0
        written.append(out.read_bytes())
    assert written[0] == written[1] != written[2]


def test_values_only_change_places(discreet: Callable, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    line = ["perturb", "rank-swap", people, "--columns", "income", "-o", out, "--measured-only", "--seed", "1", "-q"]
    assert discreet(*line).code == 0
    before, after = pd.read_csv(people), pd.read_csv(out)
    assert sorted(after["income"]) == sorted(before["income"]) and not after["income"].equals(before["income"])
    assert after.drop(columns="income").equals(before.drop(columns="income"))
