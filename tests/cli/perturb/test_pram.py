"""`discreet perturb pram`: matrices from files, and draws that leave frequencies as they are on average."""

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


def test_a_matrix_file_is_checked_and_used(discreet: Callable, people: Path, tmp_path: Path) -> None:
    matrix, out = tmp_path / "m.csv", tmp_path / "o.csv"
    matrix.write_text("sex,f,m\nf,1,0\nm,0.5,0.5\n")
    line = ["perturb", "pram", people, "--columns", "sex", "--matrix", f"sex={matrix}", "-o", out, "--measured-only"]
    ran = discreet(*line)
    assert ran.code == 2 and "invariant" in ran.err and not out.exists()
    assert discreet(*line, "--repair", "--seed", "1").code == 0
    assert set(pd.read_csv(out)["sex"]) == {"f", "m"}
    assert discreet(*line, "--repair", "--json", matrix, "--force").code == 2  # the matrix is an input


def test_only_the_columns_named_change(discreet: Callable, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    line = ["perturb", "pram", people, "--columns", "region", "-o", out, "--measured-only", "--seed", "3", "-q"]
    assert discreet(*line).code == 0
    before, after = pd.read_csv(people), pd.read_csv(out)
    assert after.drop(columns="region").equals(before.drop(columns="region"))
    assert set(after["region"]) <= set(before["region"]) and (after["region"] != before["region"]).any()
