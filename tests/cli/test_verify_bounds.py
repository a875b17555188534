"""`discreet verify-bounds`: bounds are proved again from the files alone; wrong ones are 1, and nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc

RELEASES = ("-r", "A:B", "-r", "B:C", "-r", "A:C", "-r", "C:D:E:F")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    frame = dc.datasets.autoworkers()
    frame[frame["count"] > 0].to_csv(path, index=False)
    return path


@pytest.mark.parametrize("words", [("--sample", "0"), ("--sample", "-1"), ("--seed", "-1"), ("--time-limit", "-1")])
def test_verify_bounds_refuses_options_that_prove_nothing(
    discreet: Callable, table: Path, tmp_path: Path, words: tuple[str, str]
) -> None:
    out = tmp_path / "bounds.csv"
    assert discreet("bounds", table, *RELEASES, "-o", out).code == 0
    assert discreet("verify-bounds", out, table, *RELEASES, *words).code == 2


@pytest.fixture
def bounds(discreet: Callable, table: Path, tmp_path: Path) -> Path:
    out = tmp_path / "bounds.csv"
    assert discreet("bounds", table, *RELEASES, "-o", out).code == 0
    return out


def test_right_bounds_are_proved_and_counted(discreet: Callable, table: Path, bounds: Path, tmp_path: Path) -> None:
    figures = tmp_path / "v.json"
    ran = discreet("verify-bounds", bounds, table, *RELEASES, "--json", figures)
    assert ran.code == 0 and ran.out.startswith("safe")
    told = json.loads(figures.read_text())
    assert told["outcome"] == "safe" and told["proved"] == told["sides"] == 128


@pytest.mark.parametrize(("column", "step"), [("lower", 1), ("upper", 1), ("upper", -1)])
def test_a_side_that_is_off_by_one_is_wrong(
    discreet: Callable, table: Path, bounds: Path, column: str, step: int
) -> None:
    frame = pd.read_csv(bounds)
    row = frame.index[frame["upper"] - frame["lower"] > 2][0]
    frame.loc[row, column] += step
    frame.to_csv(bounds, index=False)
    ran = discreet("verify-bounds", bounds, table, *RELEASES)
    assert ran.code == 1, ran.out + ran.err


def test_other_margins_than_were_released_are_noticed(discreet: Callable, table: Path, bounds: Path) -> None:
    assert discreet("verify-bounds", bounds, table, "-r", "A:B", "-r", "C:D:E:F").code == 1
    assert discreet("verify-bounds", bounds, table, "-r", "A:Z").code == 2
