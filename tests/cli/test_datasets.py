"""`discreet datasets`: what is written is what the library draws, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from discreet import datasets
from discreet.cli import app
from discreet.cli.console import run


def _run(*words: str) -> int:
    return run(app, ["datasets", *words])


def test_a_survey_is_the_librarys(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    assert _run("survey", "-n", "30", "--seed", "4", "-o", str(path)) == 0
    expected = datasets.survey(30, 4)
    found = pd.read_csv(path, dtype={"person": expected["person"].dtype})
    assert list(found.columns) == list(expected.columns)
    assert found["income"].tolist() == expected["income"].tolist()
    before = path.read_bytes()
    assert _run("survey", "-n", "40", "-o", str(path)) == 2  # nothing is replaced without --force
    assert path.read_bytes() == before


def test_the_autoworkers_have_all_their_cells(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    assert _run("autoworkers", "-o", str(path)) == 0
    found = pd.read_csv(path)
    assert (len(found), int(found["count"].sum())) == (64, 1841)


@pytest.mark.parametrize("words", [("survey", "-n", "x", "-o", "a.csv"), ("survey", "-o", ""), ("nothing",)])
def test_wrong_words_write_nothing(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert _run(*words) == 2
    assert list(tmp_path.iterdir()) == []
