"""`discreet simulate`: a synthetic table never carries the truth without saying so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discreet as dc

RELEASES = ("-r", "A:B", "-r", "B:C", "-r", "A:C", "-r", "C:D:E:F")


def written(path: Path, counts: np.ndarray) -> Path:
    dc.Table.from_array(counts, names=list("ABCDEF")[: counts.ndim]).to_frame().to_csv(path, index=False)
    return path


@pytest.fixture
def workers(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    dc.datasets.autoworkers().to_csv(path, index=False)
    return path


def test_margins_that_determine_the_table_are_refused_always(discreet: Callable, tmp_path: Path) -> None:
    table, out = written(tmp_path / "t.csv", np.array([[5, 0], [0, 7]])), tmp_path / "out.csv"
    for policy in ("refuse", "say"):
        for release in (("-r", "A:B"), ("-r", "A", "-r", "A:B")):
            ran = discreet("simulate", table, *release, "-o", out, "--pinned", policy)
            assert ran.code == 1
            assert "determine every cell" in ran.err
            assert not out.exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv"]


def test_pinned_small_counts_are_refused_or_said(discreet: Callable, tmp_path: Path) -> None:
    counts = np.array([[1, 0, 0], [0, 30, 40], [0, 50, 60]])
    table, out, figures = written(tmp_path / "t.csv", counts), tmp_path / "out.csv", tmp_path / "f.json"
    ran = discreet("simulate", table, "-r", "A", "-r", "B", "-o", out, "--seed", 1)
    assert ran.code == 0, "nothing is pinned here: the person could be in another column"
    out.unlink()
    counts = np.array([[[1, 0], [0, 0]], [[0, 0], [30, 40]], [[0, 0], [50, 60]]])
    table = written(tmp_path / "u.csv", counts)
    release = ("-r", "A:B", "-r", "B:C")
    ran = discreet("simulate", table, *release, "-o", out, "--seed", 1)
    assert ran.code == 1
    assert "1 counts of 1 to 2 are fixed" in ran.err
    assert not out.exists()
    ran = discreet("simulate", table, *release, "-o", out, "--seed", 1, "--pinned", "say", "--json", figures, "-q")
    assert ran.code == 0, ran.err
    assert "could not be changed" in ran.err
    found = json.loads(figures.read_text())
    assert {"A": "0", "B": "0", "C": "0", "count": 1} in found["unchanged"]
    assert found["pinned_cells"] == 8
    assert found["undecided_cells"] == 0
    out.unlink()
    assert discreet("simulate", table, *release, "-o", out, "--seed", 1, "--sensitive", 0).code == 0


def test_few_tables_are_refused_whatever_is_drawn(discreet: Callable, tmp_path: Path) -> None:
    table, out = written(tmp_path / "t.csv", np.array([[3, 1], [2, 4]])), tmp_path / "out.csv"
    for seed in range(6):
        ran = discreet("simulate", table, "-r", "A", "-r", "B", "-o", out, "--seed", seed)
        assert ran.code == 1
        assert "only 5 tables" in ran.err
    assert not out.exists()


def test_the_original_drawn_by_chance_is_refused_or_said(discreet: Callable, tmp_path: Path) -> None:
    table, out, figures = (
        written(tmp_path / "t.csv", np.array([[9, 6], [7, 8]])),
        tmp_path / "o.csv",
        tmp_path / "f.json",
    )
    hits = 0
    for seed in range(60):
        ran = discreet("simulate", table, "-r", "A", "-r", "B", "-o", out, "--seed", seed, "--force")
        if ran.code == 1:
            hits += 1
            assert "is the original itself" in ran.err
            if hits == 1:
                asked = ("simulate", table, "-r", "A", "-r", "B", "-o", tmp_path / "said.csv", "--seed", seed, "-q")
                said = discreet(*asked, "--pinned", "say", "--json", figures)
                assert said.code == 0
                assert "happens to be the original" in said.err
                assert json.loads(figures.read_text())["original"] is True
        else:
            assert ran.code == 0
            assert pd.read_csv(out)["count"].tolist() != [9, 6, 7, 8]
    assert 0 < hits < 20


def test_without_a_seed_draws_differ(discreet: Callable, workers: Path, tmp_path: Path) -> None:
    drawn = set()
    for i in range(2):
        assert discreet("simulate", workers, *RELEASES, "-o", tmp_path / f"{i}.csv").code == 0
        drawn.add((tmp_path / f"{i}.csv").read_bytes())
    assert len(drawn) == 2


def test_a_table_without_the_margins_is_not_written(
    discreet: Callable, workers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.instruments import tables

    true = tables.simulate

    def broken(*arguments: object, **options: object) -> object:
        drawn = true(*arguments, **options)
        drawn.counts.reshape(-1)[0] += 1
        return drawn

    monkeypatch.setattr(tables, "simulate", broken)
    out = tmp_path / "out.csv"
    ran = discreet("simulate", workers, *RELEASES, "-o", out, "--seed", 1)
    assert ran.code == 1
    assert "does not have the released margins" in ran.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["table.csv"]


@pytest.mark.parametrize(
    "words",
    [
        ("--seed", "-1"),
        ("--seed", "9" * 23),
        ("--pinned", "perhaps"),
        ("--sensitive", "-1"),
        ("--distribution", "magic"),
        ("--time-limit", "-1"),
        ("--time-limit", "nan"),
    ],
)
def test_bad_options_exit_with_2(discreet: Callable, workers: Path, tmp_path: Path, words: tuple[str, str]) -> None:
    out = tmp_path / "out.csv"
    assert discreet("simulate", workers, *RELEASES, "-o", out, *words).code == 2
    assert not out.exists()
