"""`discreet perturb noise`: more noise is farther from the original, and other columns stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc


@pytest.fixture
def people(tmp_path: Path) -> Path:
    frame = dc.datasets.survey(200, seed=1)[["region", "sex", "dwelling", "education", "income", "savings"]]
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


def test_more_noise_is_farther_away(discreet: Callable, people: Path, tmp_path: Path) -> None:
    before, apart = pd.read_csv(people), []
    for amount in ("5", "80"):
        out = tmp_path / f"{amount}.csv"
        line = ["perturb", "noise", people, "--columns", "income", "-o", out, "--measured-only", "--seed", "1", "-q"]
        assert discreet(*line, "--percent", amount).code == 0
        after = pd.read_csv(out)
        assert after.drop(columns="income").equals(before.drop(columns="income"))
        apart.append(float((after["income"] - before["income"]).abs().mean()))
    assert 0 < 4 * apart[0] < apart[1]


def test_a_column_of_words_takes_no_noise(discreet: Callable, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    ran = discreet("perturb", "noise", people, "--columns", "sex", "-o", out, "--measured-only")
    assert ran.code == 2 and "sex" in ran.err and not out.exists()
