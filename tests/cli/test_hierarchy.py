"""`discreet hierarchy`: trees made from values and checked against them, and used by `generalize`."""

from __future__ import annotations

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


def test_hierarchies_from_files(discreet: Callable, data: Path, tmp_path: Path) -> None:
    towns, ages, out = tmp_path / "towns.csv", tmp_path / "ages.csv", tmp_path / "out.csv"
    towns.write_text("Rome;Italy;*\nPisa;Italy;*\nLyon;France;*\n")
    assert discreet("hierarchy", "make", data, "--column", "age", "--widths", "3,6", "-o", ages).code == 0
    for path, column in ((towns, "town"), (ages, "age")):
        ran = discreet("hierarchy", "check", path, "--data", data, "--column", column)
        assert ran.code == 0, ran.err
        assert ran.out.startswith("good")
    both = ("--hierarchy", f"town={towns}", "--hierarchy", f"age={ages}")
    ran = discreet("generalize", data, "-k", 4, "--qi", QI, "-o", out, *both, "--rounds", 5)
    assert ran.code == 0, ran.err
    assert discreet("verify", data, out, "-k", 4, "--qi", QI, *both, "--guarantee", "matchings").code == 0


@pytest.mark.parametrize(
    ("text", "word"),
    [("Rome;Italy\nPisa\n", "levels"), ("Rome;Italy;*\nPisa;Italy;!\n", "not a tree"), ("Rome;*\n", "misses")],
)
def test_bad_hierarchies(discreet: Callable, data: Path, tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "h.csv"
    path.write_text(text)
    ran = discreet("hierarchy", "check", path, "--data", data, "--column", "town")
    assert ran.code == 2
    assert word in ran.err
    out = tmp_path / "out.csv"
    assert discreet("generalize", data, "-k", 3, "--qi", QI, "--hierarchy", f"town={path}", "-o", out).code == 2
    assert not out.exists()


def test_hierarchies_keep_the_text_of_values(discreet: Callable, tmp_path: Path) -> None:
    data = tmp_path / "zips.csv"
    data.write_text("zip,age\n" + "".join(f"{i % 9:03d},{20 + i}\n" for i in range(60)))
    tree, out = tmp_path / "zip.csv", tmp_path / "out.csv"
    assert discreet("hierarchy", "make", data, "--column", "zip", "--widths", "2,4", "-o", tree).code == 0
    assert tree.read_text().startswith("000;")
    words = ("--qi", "zip,age", "--hierarchy", f"zip={tree}")
    assert discreet("generalize", data, "-k", 3, *words, "-o", out, "-q").code == 0
    (tmp_path / "commas.csv").write_text("x;y\n1,5;1\n2,25;1\n")
    made = ("hierarchy", "make", tmp_path / "commas.csv", "--column", "x", "--widths", "1", "-o", tree, "--force")
    assert discreet(*made).code == 0
    assert tree.read_text() == "1,5;[1, 2);*\n2,25;[2, 3);*\n"


def test_intervals_hold_the_values_below_them(discreet: Callable, data: Path, tmp_path: Path) -> None:
    tree = tmp_path / "ages.csv"
    assert discreet("hierarchy", "make", data, "--column", "age", "--widths", "3,6", "-o", tree).code == 0
    rows = [line.split(";") for line in tree.read_text().splitlines()]
    assert sorted(int(row[0]) for row in rows) == sorted(set(pd.read_csv(data)["age"]))
    for row in rows:
        for width, label in zip((3, 6), row[1:]):
            low, high = map(int, label.strip("[]").split(", "))  # both ends are within
            assert low <= int(row[0]) <= high and high - low == width - 1 and low % width == 0
    missing = tmp_path / "missing.csv"
    missing.write_text("\n".join(";".join(row) for row in rows[1:]) + "\n")
    assert discreet("hierarchy", "check", missing, "--data", data, "--column", "age").code == 2
    assert discreet("hierarchy", "make", data, "--column", "age", "--widths", "3,4", "-o", tree, "--force").code == 2
