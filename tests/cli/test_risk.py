from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discreet as dc

KEYS = ["age", "sex", "region"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    frame = dc.datasets.survey(200, seed=1)
    frame["w"] = 10 + np.arange(200) % 7
    frame.loc[::9, "region"] = None
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


def test_the_files_hold_what_the_library_finds(discreet: Callable, people: Path, tmp_path: Path) -> None:
    out, figures, page = tmp_path / "risk.csv", tmp_path / "r.json", tmp_path / "r.html"
    words = ["--keys", ",".join(KEYS), "--weight", "w", "--household", "household", "--exact"]
    ran = discreet("risk", people, *words, "-o", out, "--json", figures, "--report", page)
    assert ran.code == 0, ran.err
    found = dc.risk(pd.read_csv(people), KEYS, weight="w", household="household", exact=True)
    written = pd.read_csv(out)
    assert list(written.columns) == ["f", "F", "risk", "household_risk", "suda", "dis"]
    pd.testing.assert_frame_equal(written, found.to_frame(), check_dtype=False, rtol=1e-14)
    told = json.loads(figures.read_text())
    assert told == json.loads(json.dumps(found.to_dict()))
    assert {"n", "uniques", "below", "expected", "global_risk"} <= set(told)
    assert {"2", "3", "5"} <= set(told["below"])
    assert "estimated by the negative binomial model" in ran.out + ran.err
    assert "Three attackers" in page.read_text() and "this check does not cover" not in page.read_text()


def test_readings_of_missing_keys(discreet: Callable, people: Path, tmp_path: Path) -> None:
    uniques = {}
    for words in (("value",), ("wildcard",), ("wildcard", "--alpha", "0")):
        figures = tmp_path / "r.json"
        line = ["risk", people, "--keys", ",".join(KEYS), "--missing", *words, "--json", figures, "--force", "-q"]
        assert discreet(*line).code == 0
        uniques[words] = json.loads(figures.read_text())["uniques"]
    assert uniques["wildcard",] < uniques["wildcard", "--alpha", "0"] < uniques["value",]


def test_nothing_is_written_where_something_is_wrong(discreet: Callable, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "risk.csv"
    ran = discreet("risk", people, "--keys", "agee", "--weight", "region", "--household", "region", "-o", out)
    assert ran.code == 2
    for word in ("agee", "not numeric", "missing in 23 rows"):
        assert word in ran.err
    assert not out.exists()
    assert discreet("risk", people, "--keys", "age", "-o", people, "--force").code == 2
    assert discreet("risk", people, "--keys", "age", "-o", out).code == 0
    assert discreet("risk", people, "--keys", "age", "-o", out).code == 2, "an existing file is replaced with --force"


def test_figures_of_single_records_go_to_standard_output(discreet: Callable, people: Path) -> None:
    ran = discreet("risk", people, "--keys", "sex", "--suda", "none", "-o", "-", "-q")
    assert ran.code == 0
    assert ran.out.splitlines()[0] == "f,F,risk"
    assert len(ran.out.splitlines()) == 201


def test_boxes_are_values_or_sets(discreet: Callable, tmp_path: Path) -> None:
    data, figures = tmp_path / "boxes.csv", tmp_path / "r.json"
    data.write_text('age\n"[20, 30]"\n25\n40\n')
    for boxes, uniques in (("value", 3), ("set", 1)):
        line = ["risk", data, "--keys", "age", "--boxes", boxes, "--json", figures, "--force", "-q"]
        assert discreet(*line).code == 0
        assert json.loads(figures.read_text())["uniques"] == uniques
