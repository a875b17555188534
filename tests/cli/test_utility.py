from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discreet as dc


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    frame = dc.datasets.survey(200, seed=1)[["region", "sex", "age", "income", "spending"]]
    frame["w"] = 10 + np.arange(200) % 7
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    frame.to_csv(before, index=False)
    dc.microaggregate(frame, k=3, columns=["income", "spending"], method="mdav").data.to_csv(after, index=False)
    return before, after


def test_the_files_hold_what_the_library_finds(discreet: Callable, files: tuple[Path, Path], tmp_path: Path) -> None:
    out, figures, page = tmp_path / "columns.csv", tmp_path / "u.json", tmp_path / "u.html"
    words = ["--weight", "w", "--by", "region,sex", "--regression", "income ~ age + C(sex)", "--seed", "3"]
    ran = discreet("utility", *files, *words, "-o", out, "--json", figures, "--report", page)
    assert ran.code == 0, ran.err
    before, after = (pd.read_csv(path) for path in files)
    how = {"weight": "w", "by": ["region", "sex"], "regression": "income ~ age + C(sex)", "random_state": 3}
    found = dc.utility(before, after, **how)
    told = json.loads(figures.read_text())
    assert told == json.loads(json.dumps(found.to_dict()))
    assert {"overall_loss", "information_loss", "gcp", "queries", "propensity", "columns"} <= set(told)
    written = pd.read_csv(out)
    pd.testing.assert_frame_equal(written, found.to_frame(), check_dtype=False, rtol=1e-14)
    assert "in the same order" in ran.out + ran.err and "Totals by domain" in page.read_text()


def test_a_generalized_file_with_its_hierarchy(discreet: Callable, files: tuple[Path, Path], tmp_path: Path) -> None:
    tree = tmp_path / "regions.csv"
    regions = sorted(pd.read_csv(files[0])["region"].unique())
    tree.write_text("".join(f"{name},{'one' if i < 4 else 'two'},*\n" for i, name in enumerate(regions)))
    keys, published, figures = "age,sex,region", tmp_path / "g.csv", tmp_path / "u.json"
    drop = ["--drop", "income,spending,w", "--seed", "1", "-q"]
    words = [
        "-k",
        "5",
        "--qi",
        keys,
        "--hierarchy",
        f"region={tree}",
        *drop,
        "-o",
        published,
        "--json",
        tmp_path / "g.json",
    ]
    assert discreet("generalize", files[0], *words).code == 0
    line = ["utility", files[0], published, "--columns", keys, "--hierarchy", f"region={tree}", "--json", figures, "-q"]
    assert discreet(*line).code == 0
    told = json.loads(figures.read_text())
    assert told["gcp"] == pytest.approx(json.loads((tmp_path / "g.json").read_text())["gcp"])
    assert not told["pairing"]["same"] and told["columns"]["region"]["unread"] == 0
    without = [*line[:5], "--json", figures, "-q", "--force"]
    assert discreet(*without).code == 0
    assert json.loads(figures.read_text())["columns"]["region"]["unread"] > 0


def test_nothing_is_written_where_something_is_wrong(
    discreet: Callable, files: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "columns.csv"
    ran = discreet("utility", *files, "--columns", "agee", "--by", "regoin", "-o", out)
    assert ran.code == 2 and "did you mean 'age'" in ran.err and "did you mean 'region'" in ran.err
    assert not out.exists()
    held = files[1].read_bytes()
    assert discreet("utility", *files, "-o", files[1], "--force").code == 2
    assert files[1].read_bytes() == held
    assert discreet("utility", *files, "-o", out, "-q").code == 0
    assert discreet("utility", *files, "-o", out, "-q").code == 2  # it exists
