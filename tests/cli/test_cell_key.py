"""`discreet cell-key`: tables with the same noise for the same records, checked before anything is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.totals import cell_key as instrument

KEYS = 16


@pytest.fixture
def base(tmp_path: Path) -> tuple[object, ...]:
    frame = dc.datasets.survey(60, seed=2)[["person", "sex", "region", "age"]]
    frame.assign(key=dc.record_keys(frame["person"], "a secret of ours", KEYS)).to_csv(
        tmp_path / "people.csv", index=False
    )
    rows = [(c, k, max(-c, (k % 5) - 2)) for c in range(1, 12) for k in range(KEYS)]
    pd.DataFrame(rows, columns=["pcv", "ckey", "pvalue"]).to_csv(tmp_path / "noise.csv", index=False)
    return (
        *("cell-key", tmp_path / "people.csv", "--record-key", "key", "--perturbation", tmp_path / "noise.csv"),
        *("-o", tmp_path / "out.csv"),
    )


def test_the_same_count_stands_in_every_file(base: tuple[object, ...], tmp_path: Path, discreet: Callable) -> None:
    out = tmp_path / "out.csv"
    assert (
        discreet(*base, "--by", "sex,region", "--json", tmp_path / "j.json", "--report", tmp_path / "r.html").code == 0
    )
    wide = pd.read_csv(out)
    assert discreet(*base, "--by", "region", "--force").code == 0
    narrow = pd.read_csv(out)
    margins = wide[wide["sex"] == "Total"].drop(columns="sex").reset_index(drop=True)
    assert margins.sort_values("region").values.tolist() == narrow.sort_values("region").values.tolist()
    true = pd.read_csv(tmp_path / "people.csv")["region"].value_counts()
    told = narrow.set_index("region")["count"]
    assert any(told[region] != true[region] for region in true.index), "there is noise"
    figures = json.loads((tmp_path / "j.json").read_text())
    assert figures["cells"] == len(wide)
    assert "<html" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_what_is_said_and_what_quiet_hides(base: tuple[object, ...], discreet: Callable) -> None:
    ran = discreet(*base, "--by", "sex")
    assert ran.code == 0 and "support" in ran.err and "checked: " in ran.err
    assert discreet(*base, "--by", "sex", "--force", "--quiet").err == ""


def test_noise_that_the_check_does_not_confirm_is_not_written(
    base: tuple[object, ...], tmp_path: Path, discreet: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = instrument.cell_key

    def broken(*given: Any, **options: Any) -> Any:
        made = true(*given, **options)
        problem = made.table.problem
        wrong = problem.cells.value.copy()
        wrong[0] += 9
        problem = problem._replace(cells=problem.cells._replace(value=wrong))
        return replace(made, table=replace(made.table, problem=problem))

    monkeypatch.setattr(instrument, "cell_key", broken)
    ran = discreet(*base, "--by", "sex", "--json", tmp_path / "j.json")
    assert ran.code == 1 and "does not confirm" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["noise.csv", "people.csv"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--by", "hat"), "hat"),
        (("--by", "key"), "key"),
        (("--by", "sex", "--record-key", "age"), "given 2 times"),
        (("--by", "sex", "--hierarchy", "sex"), "variable=file.csv"),
        (("--by", ","), "separated by commas"),
        ((), "--by"),
    ],
)
def test_bad_words_write_nothing(
    base: tuple[object, ...], tmp_path: Path, discreet: Callable, more: tuple[str, ...], said: str
) -> None:
    ran = discreet(*base, *more)
    assert ran.code == 2 and said in ran.err, ran.err
    assert not (tmp_path / "out.csv").exists()


def test_the_output_is_no_input(base: tuple[object, ...], tmp_path: Path, discreet: Callable) -> None:
    for name in ("people.csv", "noise.csv"):
        kept = (tmp_path / name).read_bytes()
        assert discreet(*base[:-1], tmp_path / name, "--by", "sex", "--force").code == 2
        assert (tmp_path / name).read_bytes() == kept
