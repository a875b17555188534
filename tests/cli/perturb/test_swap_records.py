"""`discreet perturb swap-records`: values go to records with the same keys, within strata."""

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


def test_each_combination_of_keys_keeps_its_values(discreet: Callable, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    line = ["perturb", "swap-records", people, "--columns", "region", "--keys", "sex,education", "-o", out]
    assert discreet(*line, "--measured-only", "--seed", "2", "-q").code == 0
    before, after = pd.read_csv(people), pd.read_csv(out)
    assert after.drop(columns="region").equals(before.drop(columns="region"))
    assert (after["region"] != before["region"]).any()
    assert sorted(after["region"]) == sorted(before["region"]), "a swap makes no value and loses none"


def test_columns_and_keys_are_not_the_same(discreet: Callable, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    line = ["perturb", "swap-records", people, "--columns", "region", "--keys", "region,sex", "-o", out]
    assert discreet(*line, "--measured-only").code == 2 and not out.exists()
