"""The commands of the table room, from file to file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
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


def test_from_table_to_verified_bounds(discreet: Callable, table: Path, tmp_path: Path) -> None:
    out, figures, report = tmp_path / "bounds.csv", tmp_path / "b.json", tmp_path / "b.html"
    ran = discreet("bounds", table, *RELEASES, "-o", out, "--json", figures, "--report", report, "--explain")
    assert ran.code == 0, ran.err
    assert "Theorem 2" in ran.err
    frame = pd.read_csv(out)
    assert list(frame.columns) == [*"ABCDEF", "lower", "upper", "sharp"]
    assert len(frame) == 64
    assert frame["sharp"].all()
    assert json.loads(figures.read_text())["sharp_cells"] == 64
    assert "<svg" in report.read_text(encoding="utf-8")
    checked = discreet("verify-bounds", out, table, *RELEASES, "--sample", 8)
    assert checked.code == 0, checked.err
    assert "proved again" in checked.out
    frame.loc[frame["upper"].idxmax(), "upper"] -= 1
    frame.to_csv(out, index=False)
    assert discreet("verify-bounds", out, table, *RELEASES).code == 1


def test_codes_with_leading_zeros_stay_as_they_are(discreet: Callable, tmp_path: Path) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "b.csv"
    path.write_text("area,sex,count\n01,f,3\n01,m,4\n002,f,5\n002,m,6\n")
    assert discreet("bounds", path, "-r", "area", "-r", "sex", "-o", out).code == 0
    assert set(pd.read_csv(out, dtype=str)["area"]) == {"01", "002"}


def test_records_are_counted_where_there_are_no_counts(discreet: Callable, tmp_path: Path) -> None:
    path, out = tmp_path / "people.csv", tmp_path / "b.csv"
    dc.datasets.survey(100, seed=1)[["sex", "dwelling"]].to_csv(path, index=False)
    assert discreet("bounds", path, "-r", "sex", "-r", "dwelling", "-o", out).code == 0
    assert len(pd.read_csv(out)) == 8


def test_simulated_tables_have_the_margins(discreet: Callable, table: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "synthetic.csv", tmp_path / "again.csv"
    assert discreet("simulate", table, *RELEASES, "-o", out, "--seed", 4).code == 0
    assert discreet("simulate", table, *RELEASES, "-o", again, "--seed", 4).code == 0
    assert out.read_bytes() == again.read_bytes()
    drawn = dc.Table.from_counts(pd.read_csv(out))
    truth = dc.Table.from_counts(dc.datasets.autoworkers())
    for release in ("AB", "BC", "AC", "CDEF"):
        assert np.array_equal(drawn.margin(tuple(release)).dense(), truth.margin(tuple(release)).dense())


def test_bad_input_exits_with_2_and_writes_nothing(discreet: Callable, table: Path, tmp_path: Path) -> None:
    out = tmp_path / "bounds.csv"
    ran = discreet("bounds", table, "-r", "A:Q", "-r", "B:", "-o", out)
    assert ran.code == 2
    assert "'Q'" in ran.err
    assert "joined by colons" in ran.err
    assert not out.exists()
    out.write_text("precious")
    assert discreet("bounds", table, "-r", "A:B", "-o", out).code == 2
    assert out.read_text() == "precious"
    assert discreet("bounds", table, "-r", "A:B", "--method", "magic").code == 2
