"""`discreet plan`: one margin a line, safe together, most informative first."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc

pytest.importorskip("sqlalchemy", reason="needs the extra `server`")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(
        "a,b,c,count\n"
        + "".join(f"{i},{j},{k},{9 + (5 * i + 3 * j + k) % 7}\n" for i in range(2) for j in range(2) for k in range(2))
    )
    return path


def test_margins_are_named_and_keep_to_the_policy(discreet: Callable, table: Path, tmp_path: Path) -> None:
    figures, policy = tmp_path / "p.json", tmp_path / "policy.toml"
    policy.write_text("c = 12\nw = 8\n")
    ran = discreet("plan", table, "--policy", policy, "--json", figures)
    assert ran.code == 0, ran.err
    lines = ran.out.split()
    told = json.loads(figures.read_text())
    assert lines == [":".join(names) for names in told["margins"]]
    true = dc.Table.from_counts(pd.read_csv(table))
    found = dc.bounds(true.margins([line.split(":") for line in lines]))
    assert found.risk({"c": 12, "w": 8}, true).safe
    assert not dc.bounds(true.margins([("a", "b", "c")])).risk({"c": 12, "w": 8}, true).safe


def test_where_nothing_is_small_everything_is_told(discreet: Callable, table: Path) -> None:
    ran = discreet("plan", table, "-q")
    assert ran.code == 0 and ran.out.split() == ["a:b:c"]
    assert discreet("plan", table, "--variables", "a:b", "-q").out.split() == ["a:b"]


def test_what_cannot_be_read_is_2(discreet: Callable, table: Path, tmp_path: Path) -> None:
    assert discreet("plan", table, "--variables", "a:z").code == 2
    assert discreet("plan", tmp_path / "none.csv").code == 2
    policy = tmp_path / "policy.toml"
    policy.write_text("hat = 1\n")
    assert discreet("plan", table, "--policy", policy).code == 2
