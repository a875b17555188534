"""`discreet compare`: the files hold what the library finds, by methods and by recipes; nothing is published."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.comparison.compare import compare_methods
from discreet.instruments.comparison.trials import Roles

RECIPE = 'k = {k}\nguarantee = "{guarantee}"\n[roles]\nkeys = ["age", "sex"]\nnumeric = ["income"]\n'


@pytest.fixture
def people(tmp_path: Path) -> Path:
    dc.datasets.survey(120, seed=1)[["age", "sex", "income"]].to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


def test_methods_and_k(discreet: Callable, people: Path, tmp_path: Path) -> None:
    table, figures, page = tmp_path / "t.csv", tmp_path / "c.json", tmp_path / "map.html"
    words = ["-k", "3,5", "--methods", "mdav,md", "--columns", "income,age", "--accept", "sex", "--no-bounds"]
    ran = discreet("compare", people, *words, "-o", table, "--json", figures, "--report", page)
    assert ran.code == 0, ran.err
    roles = Roles(numeric=("income", "age"), accept=("sex",))
    found = compare_methods(pd.read_csv(people), [3, 5], ["mdav", "md"], roles, bounds=False)
    written, told = pd.read_csv(table), json.loads(figures.read_text())
    assert list(written["name"]) == list(found.names) == ["mdav k=3", "mdav k=5", "md k=3", "md k=5"]
    for name in ("risk", "guaranteed", "loss", "information_loss"):
        assert list(written[name]) == pytest.approx([entry.row()[name] for entry in found.entries])
    assert told["efficient"] == list(found.efficient)
    assert "Risk and loss" in page.read_text() and "Loss over k" in page.read_text()
    assert "found, %" in ran.err


def test_recipes(discreet: Callable, people: Path, tmp_path: Path) -> None:
    recipes = []
    for name, k, guarantee in (("loose", 2, "matchings"), ("tight", 4, "classes")):
        recipes.append(tmp_path / f"{name}.toml")
        recipes[-1].write_text(RECIPE.format(k=k, guarantee=guarantee))
    figures = tmp_path / "c.json"
    ran = discreet("compare", people, *recipes, "--seed", "1", "--json", figures, "-q")
    assert ran.code == 0, ran.err
    told = json.loads(figures.read_text())
    assert [row["name"] for row in told["results"]] == ["loose", "tight"]
    assert [row["guaranteed"] for row in told["results"]] == [0.5, 0.25]
    assert all(row["lower_bound"] <= 1 for row in told["results"])
    assert told["columns"] == ["age", "sex", "income"]
    assert discreet("compare", people, recipes[0], recipes[0]).code == 2


def test_without_names_all_numbers(discreet: Callable, people: Path, tmp_path: Path) -> None:
    figures = tmp_path / "c.json"
    words = ["-k", "3", "--no-bounds", "--accept", "sex", "--json", figures, "-q"]
    assert discreet("compare", people, *words).code == 0
    told = json.loads(figures.read_text())
    assert [row["name"] for row in told["results"]] == ["mdav k=3", "auto k=3"]
    assert told["columns"] == ["age", "income"]


def test_bad_words_leave_files_as_they_were(discreet: Callable, people: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("before")
    for words in (["-k", "3"], ["-k", "3", "--methods", "hat", "--force"], ["--force"]):
        assert discreet("compare", people, *words, "-o", table).code == 2
        assert table.read_text() == "before"
