"""Every example runs, writes the files it says it writes, and what it publishes holds."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.totals.additive import read_problem
from discreet.verify.cells.files import verify_bounds

FOLDER = Path(__file__).resolve().parents[1] / "examples"
BROWSER = {"release_screenshots"}  # drives a browser
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in BROWSER)
MONEY = ["income", "spending", "savings"]
KNOWN = ["region", "sex", "age", "education"]


def promised(name: str) -> set[str]:
    """The files that the first lines of an example name."""
    found = re.search(r"writes (.+) there$", (FOLDER / f"{name}.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return set(re.findall(r"\w+\.\w+", found[1]))


def run(name: str, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("sys.argv", [f"{name}.py", *words])
    code = None
    try:
        runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    except SystemExit as end:
        code = end.code
    assert not code


def check(name: str, folder: Path) -> None:
    """What an example has published, judged from its files."""
    if name == "microaggregation":
        assert dc.verify(folder / "survey.csv", folder / "protected.csv", k=5, quasi_identifiers=MONEY)
    elif name == "generalization":
        files = folder / "people.csv", folder / "generalized.csv"
        assert dc.verify(*files, k=5, quasi_identifiers=KNOWN, secret=folder / "secret.csv")
    elif name == "whole_file":
        recipe = dc.Recipe.load(folder / "recipe.toml")
        assert dc.verify(
            folder / "everyone.csv",
            folder / "whole.csv",
            k=recipe.k,
            quasi_identifiers=recipe.keys,
            guarantee="matchings",
            numeric=recipe.numeric,
            weight=recipe.weight,
            household=recipe.household,
            rare=recipe.rare,
            identifiers=recipe.identifiers,
            secret=folder / "who.csv",
        )
    elif name == "table_bounds":
        releases = [("B", "F"), ("A", "B", "C", "E"), ("A", "D", "E")]
        assert verify_bounds(str(folder / "bounds.csv"), str(folder / "table.csv"), releases)
    elif name == "tables_with_totals":
        table = read_problem(folder / "table.csv", hierarchies={"region": folder / "regions.csv"})
        assert table.variables == ("region", "employment", "education")
        assert table.problem.cells.value[0] == pd.read_csv(folder / "people.csv")["income"].sum()
        assert (table.problem.cells.status == 0).any()


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)
    run(name, monkeypatch, str(there))
    assert {path.name for path in there.iterdir()} == promised(name)
    assert not list(here.iterdir())
    assert len(capsys.readouterr().out.splitlines()) > 3
    check(name, there)


def test_an_example_writes_into_the_current_folder_and_runs_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        run("generalization", monkeypatch)
    assert {path.name for path in tmp_path.iterdir()} == promised("generalization")
    assert (tmp_path / "secret.csv").stat().st_mode & 0o077 == 0


def test_every_instrument_has_an_example() -> None:
    assert {
        "microaggregation",
        "generalization",
        "table_bounds",
        "tables_with_totals",
        "check_a_release",
        "whole_file",
    } <= set(EXAMPLES)
