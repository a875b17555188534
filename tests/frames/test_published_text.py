"""From file to file through the commands: what a method did not work on is spelled as it was."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ZIPS = ("007", "012", "100", "020")


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    spelled = ("1.50", "1.5", "2")
    left = [f'{spelled[i % 3]},"n{i * 7 % 13:03}",0{i * i % 41}.{i * 37 % 1000:03}7' for i in range(40)]
    rows = [f"{ZIPS[i % 4]},{20 + (i * 7) % 31},{left[i]}" for i in range(40)]
    (tmp_path / "in.csv").write_bytes("\r\n".join(["zip,age,weight,note,id", *rows]).encode())
    return tmp_path / "in.csv"


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as handle:
        return list(csv.DictReader(handle))


def test_generalized_rows_keep_the_spelling_of_their_other_columns(survey: Path, discreet: Callable[..., Any]) -> None:
    out = survey.with_name("out.csv")
    words = ("-k", 3, "--qi", "zip,age", "--categorical", "zip")
    assert discreet("generalize", survey, *words, "-o", out, "--seed", 1).code == 0
    before, after = rows_of(survey), rows_of(out)
    kept = ("weight", "note", "id")
    assert [row["id"] for row in after] != [row["id"] for row in before]
    assert Counter(tuple(row[name] for name in kept) for row in after) == Counter(
        tuple(row[name] for name in kept) for row in before
    )
    assert all(row["zip"].startswith("{") or row["zip"] in ZIPS for row in after)
    assert out.read_bytes().count(b"\r\n") == 40
    assert discreet("verify", survey, out, *words).code == 0


def test_columns_worked_on_are_spelled_alike(survey: Path, discreet: Callable[..., Any]) -> None:
    out = survey.with_name("out.csv")
    assert (
        discreet("generalize", survey, "-k", 3, "--qi", "weight", "-o", out, "--seed", 1, "--accept", "note").code == 0
    )
    assert {row["weight"] for row in rows_of(out)} == {"1.5", "2"}
    words = ("-k", 3, "--columns", "weight", "--accept", "note", "-o", out, "--force")
    assert discreet("microaggregate", survey, *words).code == 0
    assert "1.50" not in {row["weight"] for row in rows_of(out)}
    assert [row["id"] for row in rows_of(out)] == [row["id"] for row in rows_of(survey)]
