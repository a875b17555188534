"""`discreet round`: files, figures and exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

TABLE = "sex,age,count\nTotal,Total,26\nf,Total,13\nm,Total,13\nTotal,a,13\nTotal,b,13\nf,a,6\nf,b,7\nm,a,7\nm,b,6\n"


def test_a_table_is_rounded(discreet: Callable, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    out, figures, proof = (tmp_path / name for name in ("r.csv", "j.json", "c.json"))
    ran = discreet("round", tmp_path / "t.csv", "--base", "5", "-o", out, "--json", figures, "--certificate", proof)
    assert ran.code == 0, ran.err
    told = json.loads(figures.read_text())
    assert told["distance"] == told["lower_bound"]
    assert told["status"] == "optimal"
    assert told["outside"] == []
    rows = [line.split(",") for line in out.read_text().splitlines()]
    assert rows[0][:3] == ["sex", "age", "count"]
    assert all(int(row[2]) % 5 == 0 for row in rows[1:])
    assert json.loads(proof.read_text())["lower_bound"] == str(told["lower_bound"])


@pytest.mark.parametrize("name", ["t.jj", "t.parquet"])
def test_only_text_is_read(discreet: Callable, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")
    ran = discreet("round", tmp_path / name, "--base", "5", "-o", tmp_path / "r.csv")
    assert ran.code == 2
    assert not (tmp_path / "r.csv").exists()


def test_a_table_that_does_not_add_up(discreet: Callable, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE.replace("m,b,6", "m,b,5"))
    ran = discreet("round", tmp_path / "t.csv", "--base", "5", "-o", tmp_path / "r.csv")
    assert ran.code == 2
    assert "add up" in ran.err
    assert not (tmp_path / "r.csv").exists()


def test_a_table_that_tells_too_much_is_not_written(discreet: Callable, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    words = ("--rule", "frequency=9", "--rule", "range=90", "--audit")
    ran = discreet("round", tmp_path / "t.csv", "--base", "2", *words, "-o", tmp_path / "r.csv")
    assert ran.code == 1, ran
    assert not (tmp_path / "r.csv").exists()
