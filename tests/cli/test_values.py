"""Values as people mean them, from file to verified file: dates, codes, caps, levels, ages, Excel, SPSS and Stata."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

QI = "born,age,zip"
N = 60


@pytest.fixture
def people() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    born = pd.Timestamp("1930-01-01") + pd.to_timedelta(rng.integers(0, 25_000, N), unit="D")
    return pd.DataFrame(
        {
            "born": born,
            "age": rng.integers(10, 99, N),
            "zip": [f"{code:03d}" for code in rng.integers(0, 9, N)],
            "sick": rng.choice(["flu", "cold", "@none"], N),
        }
    )


@pytest.fixture
def data(people: pd.DataFrame, tmp_path: Path) -> Path:
    people.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


def test_dates_and_codes_of_a_text_file(discreet: Callable, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert discreet("generalize", data, "-k", 3, "--qi", QI, "-o", out, "-q").code == 0
    published = pd.read_csv(out, dtype=str)
    assert published["born"].str.fullmatch(r"\[\d{4}-\d\d-\d\d, \d{4}-\d\d-\d\d\]|\d{4}-\d\d-\d\d").all()
    assert published["zip"].str.fullmatch(r"\{\d{3}(, \d{3})*\}|\d{3}").all()
    assert discreet("verify", data, out, "-k", 3, "--qi", QI).code == 0
    assert discreet("verify", data, out, "-k", 5, "--qi", QI).code == 1
    one = published["born"].str.startswith("[").idxmax()
    published.loc[one, "born"] = published["born"][one].split(", ")[0].strip("[")
    published.to_csv(tmp_path / "forged.csv", index=False)
    assert discreet("verify", data, tmp_path / "forged.csv", "-k", 3, "--qi", QI).code == 1


def test_codes_are_numbers_where_they_are_named_so(discreet: Callable, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert discreet("generalize", data, "-k", 3, "--qi", "zip,age", "--numeric", "zip", "-o", out, "-q").code == 0
    assert "[" in out.read_text()
    assert "{" not in out.read_text()


@pytest.mark.parametrize("cap", ["age=85", "age=20:85", "age=20:", "born=1950-01-01:", "born=1950-01-01:1980-01-01"])
def test_caps_are_kept_and_checked(discreet: Callable, data: Path, tmp_path: Path, cap: str) -> None:
    out = tmp_path / "out.csv"
    assert discreet("generalize", data, "-k", 3, "--qi", QI, "--cap", cap, "-o", out, "-q").code == 0
    assert discreet("verify", data, out, "-k", 3, "--qi", QI, "--cap", cap).code == 0
    assert discreet("verify", data, out, "-k", 3, "--qi", QI).code == 1
    plain = tmp_path / "plain.csv"
    assert discreet("generalize", data, "-k", 3, "--qi", QI, "-o", plain, "-q").code == 0
    assert discreet("verify", data, plain, "-k", 3, "--qi", QI, "--cap", cap).code == 2  # entries beyond the cap


def test_times_of_day_have_caps_too(discreet: Callable, tmp_path: Path) -> None:
    data, out = tmp_path / "x.csv", tmp_path / "out.csv"
    data.write_text("at\n" + "".join(f"{hour:02d}:30\n" for hour in range(24)))
    assert discreet("generalize", data, "-k", 3, "--qi", "at", "--cap", "at=06:00::20:00", "-o", out, "-q").code == 0
    found = sorted(set("".join(c if c.isdigit() or c == ":" else " " for c in out.read_text()).split()))
    assert (found[0], found[-1]) == ("06:00", "20:00")


def test_a_hierarchy_of_dates_and_a_least_level(discreet: Callable, data: Path, tmp_path: Path) -> None:
    steps, out = tmp_path / "steps.csv", tmp_path / "out.csv"
    made = ("hierarchy", "make", data, "--column", "born", "--dates", "month,quarter,year,10", "-o", steps)
    assert discreet(*made).code == 0
    assert all(len(line.split(";")) == 6 for line in steps.read_text().splitlines())
    assert discreet("hierarchy", "check", steps, "--data", data, "--column", "born").code == 0
    words = ("--qi", QI, "--hierarchy", f"born={steps}")
    assert discreet("generalize", data, "-k", 3, *words, "--level", "born=3", "-o", out, "-q").code == 0
    published = pd.read_csv(out, dtype=str)
    assert published["born"].str.fullmatch(r"\d{4}|\[\d{4}, \d{4}\]|\*").all()
    assert discreet("verify", data, out, "-k", 3, *words).code == 0


def test_ages_from_birth_dates(discreet: Callable, data: Path, tmp_path: Path, people: pd.DataFrame) -> None:
    ages, out = tmp_path / "ages.csv", tmp_path / "out.csv"
    made = ("hierarchy", "make", data, "--column", "born", "--ages", "2024-12-31", "--widths", "5,10,20", "-o", ages)
    assert discreet(*made).code == 0
    rows = dict(line.split(";")[:2] for line in ages.read_text().splitlines())
    assert rows == {str(day.date()): str(2024 - day.year) for day in people["born"]}  # on the last day of a year
    words = ("--qi", "born,zip", "--hierarchy", f"born={ages}")
    assert discreet("generalize", data, "-k", 3, *words, "--level", "born=1", "-o", out, "-q").code == 0
    assert pd.read_csv(out, dtype=str)["born"].str.fullmatch(r"\d+|\[\d+, \d+\]|\*").all()


@pytest.mark.parametrize(
    ("source", "target"), [("xlsx", "xlsx"), ("csv", "xlsx"), ("xlsx", "csv"), ("xlsx", "parquet")]
)
def test_excel_in_and_out(
    discreet: Callable, data: Path, people: pd.DataFrame, tmp_path: Path, source: str, target: str
) -> None:
    given, out = tmp_path / f"people.{source}", tmp_path / f"out.{target}"
    if source == "xlsx":
        people.to_excel(given, index=False)
    assert discreet("generalize", given, "-k", 3, "--qi", QI, "-o", out, "-q").code == 0
    assert discreet("verify", given, out, "-k", 3, "--qi", QI).code == 0
    assert discreet("verify", given, out, "-k", 6, "--qi", QI).code == 1
    if target == "xlsx":
        assert set(pd.read_excel(out)["sick"]) == {"flu", "cold", "@none"}
    assert discreet("microaggregate", given, "-k", 3, "--columns", "age", "-o", out, "--force", "-q").code == 0


@pytest.mark.parametrize("kind", ["sav", "dta"])
def test_measures_and_labels_decide_and_survive(discreet: Callable, tmp_path: Path, kind: str) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    rng = np.random.default_rng(5)
    columns = {"sex": 3, "school": 6, "region": 9, "age": 90}
    frame = pd.DataFrame({name: rng.integers(1, size, N).astype(np.int32) for name, size in columns.items()})
    labels = {"sex": {1: "f", 2: "m"}, "region": {i: f"region {i}" for i in range(1, 9)}}
    given, out = tmp_path / f"people.{kind}", tmp_path / f"out.{kind}"
    more: dict[str, Any] = {}
    if kind == "sav":
        more = {"variable_measure": {"sex": "nominal", "school": "ordinal", "region": "nominal", "age": "scale"}}
    getattr(pyreadstat, f"write_{kind}")(frame, given, variable_value_labels=labels, **more)
    assert discreet("generalize", given, "-k", 3, "--qi", "sex,school,region,age", "-o", out, "-q").code == 0
    published, meta = getattr(pyreadstat, f"read_{kind}")(out)
    assert published["region"].str.startswith("{").any()
    assert published["age"].str.startswith("[").any()
    assert meta.variable_value_labels["sex"] == labels["sex"]
    if kind == "sav":
        assert not published["school"].astype(str).str.startswith("[").any()
        text = next(text for text in published["region"] if text.count(",") == 1)
        codes = [int(code) for code in text.strip("{}").split(", ")]
        assert meta.variable_value_labels["region"][text] == f"{{region {codes[0]}, region {codes[1]}}}"
        assert meta.variable_measure["region"] == "nominal"
