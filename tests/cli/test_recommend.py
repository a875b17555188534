"""`discreet recommend`: the words, the figures and the table of what was tried."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd

import discreet as dc


def test_a_proposal_with_reasons(discreet: Callable, tmp_path: Path) -> None:
    people, table, figures, page = (tmp_path / name for name in ("p.csv", "t.csv", "r.json", "r.html"))
    dc.datasets.survey(120, seed=1)[["income", "savings"]].to_csv(people, index=False)
    words = ["--numeric", "income,savings", "--most-risk", "0.25", "-o", table, "--json", figures, "--report", page]
    ran = discreet("recommend", people, *words)
    assert ran.code == 0, ran.err
    told = json.loads(figures.read_text())
    assert told["met"] and told["recommended"]["k"] == 4
    assert "Recommended: microaggregate" in ran.out and told["recommended"]["call"] in ran.out
    assert list(pd.read_csv(table)["k"]) == [4, 4]
    assert "Why" in page.read_text()


def test_households(discreet: Callable, tmp_path: Path) -> None:
    people, figures = tmp_path / "p.csv", tmp_path / "r.json"
    dc.datasets.survey(120, seed=1)[["household", "age", "sex"]].to_csv(people, index=False)
    words = ["--keys", "age,sex", "--household", "household", "--most-risk", "0.5", "--json", figures, "-q"]
    ran = discreet("recommend", people, *words)
    assert ran.code == 0, ran.err
    told = json.loads(figures.read_text())
    assert told["recommended"]["instrument"] == "protect" and "household='household'" in told["recommended"]["call"]
