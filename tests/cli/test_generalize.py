"""`discreet generalize`: from file to verified file, and fed broken on purpose."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

QI = "age,sex,town"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    path = tmp_path / "people.csv"
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 30, 90),
            "sex": rng.choice(["f", "m"], 90),
            "town": rng.choice(["Rome", "Pisa", "Lyon"], 90),
            "income": rng.integers(0, 9, 90),
        }
    )
    frame.to_csv(path, index=False)
    return path


def test_from_file_to_verified_file(discreet: Callable, data: Path, tmp_path: Path) -> None:
    out, secret, figures = tmp_path / "out.csv", tmp_path / "secret.csv", tmp_path / "r.json"
    words = ("-k", 4, "--qi", QI, "-o", out, "--keep-secret", secret, "--json", figures, "--rounds", 5)
    ran = discreet("generalize", data, *words)
    assert ran.code == 0, ran.err
    assert "secret" in ran.err
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert len(secret.read_text().splitlines()) == 91
    run = json.loads(figures.read_text())
    assert run["n"] == 90
    assert run["gcp"] > 0
    published = pd.read_csv(out, dtype=str)
    assert sorted(published["income"]) == sorted(pd.read_csv(data, dtype=str)["income"])
    assert "match" not in out.read_text()
    assert discreet("verify", data, out, "-k", 4, "--qi", QI).code == 0
    assert discreet("verify", data, out, "-k", 9, "--qi", QI).code == 1
    assert discreet("generalize", data, *words).code == 2  # the outputs exist
    dropped = tmp_path / "dropped.csv"
    published.iloc[1:].to_csv(dropped, index=False)
    assert discreet("verify", data, dropped, "-k", 4, "--qi", QI).code == 1
    shrunk = tmp_path / "shrunk.csv"
    wide = published.index[published["age"].str.startswith("[")][0]
    high = published["age"][wide].strip("[]").split(", ")[1]
    published.assign(age=published["age"].where(published.index != wide, f"[{int(high) + 1}, {int(high) + 1}]")).to_csv(
        shrunk, index=False
    )
    assert discreet("verify", data, shrunk, "-k", 4, "--qi", QI).code == 1


@pytest.mark.parametrize(
    "words",
    [
        ("-k", 4, "--qi", "age,nobody"),
        ("-k", 400, "--qi", QI),
        ("-k", 1, "--qi", QI),
        ("-k", 4, "--qi", QI, "--method", "magic"),
        ("-k", 4, "--qi", QI, "--l", 2),
        ("-k", 4, "--qi", QI, "--importance", "age=much"),
        ("-k", 4, "--qi", QI, "--method", "ring", "--rounds", 3),
        ("-k", 4, "--qi", QI, "--hierarchy", "town"),
    ],
)
def test_bad_input_writes_nothing(discreet: Callable, data: Path, tmp_path: Path, words: tuple[object, ...]) -> None:
    out, secret = tmp_path / "out.csv", tmp_path / "secret.csv"
    ran = discreet("generalize", data, *words, "-o", out, "--keep-secret", secret)
    assert ran.code == 2
    assert "error" in ran.err
    assert not out.exists()
    assert not secret.exists()


def test_an_order_of_categories(discreet: Callable, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    words = ("-k", 4, "--qi", QI, "-o", out, "--rounds", 5)
    assert discreet("generalize", data, *words, "--ordered", "town=Rome,Pisa,Lyon").code == 0
    widened = {text for text in pd.read_csv(out)["town"] if text.startswith("{")}
    assert widened <= {"{Pisa, Rome}", "{Lyon, Pisa}", "{Lyon, Pisa, Rome}"}  # never the ends without the middle
    assert discreet("verify", data, out, "-k", 4, "--qi", QI).code == 0
    for wrong, message in (("town", "column=first"), ("town=Rome,Pisa", "misses 1"), ("hat=a,b", "hat")):
        ran = discreet("generalize", data, *words, "--force", "--ordered", wrong)
        assert ran.code == 2
        assert message in ran.err


def test_what_singles_people_out_is_named_and_can_be_dropped(discreet: Callable, data: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(data)
    named = tmp_path / "named.csv"
    frame.assign(passport=[f"P{i}" for i in range(90)]).to_csv(named, index=False)
    out = tmp_path / "out.csv"
    words = ("-k", 3, "--qi", QI, "--rounds", 5, "-o", out)
    ran = discreet("generalize", named, *words)
    assert ran.code == 1 and "column passport has a value of its own" in ran.err and not out.exists()
    assert discreet("generalize", named, *words, "--accept", "passport").code == 0
    ran = discreet("generalize", named, *words, "--drop", "passport", "--force")
    assert ran.code == 0
    assert "different in every row" not in ran.err
    assert list(pd.read_csv(out).columns) == list(frame.columns)
    assert discreet("verify", named, out, "-k", 3, "--qi", QI).code == 0
    for wrong, message in (("passport,hat", "'hat'"), ("age", "both dropped and used")):
        ran = discreet("generalize", named, *words, "--force", "--drop", wrong)
        assert ran.code == 2
        assert message in ran.err
