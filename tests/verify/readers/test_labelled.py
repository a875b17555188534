"""SPSS, Stata and SAS files as they are stored: codes, what a file declares missing, days."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from discreet.errors import InputError
from discreet.verify import verify
from discreet.verify.readers import open_table
from discreet.verify.readers.labelled import read_labelled
from discreet.verify.values.meaning import missing


def test_labelled_files_by_their_codes(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"x": [1.0, 2.0, 98.0, 99.0, np.nan], "t": list("abcde")})
    path = tmp_path / "data.sav"
    pyreadstat.write_sav(frame, path, missing_ranges={"x": [98.0, 99.0]}, variable_value_labels={"x": {1.0: "one"}})
    table = open_table(path, "data")
    column = table.column("x")
    assert column.size == 5 and column.absent.tolist() == [False, False, True, True, False]
    assert missing(column, numeric=True).tolist() == [False, False, True, True, True]
    assert "value labels" in table.carried
    assert any("value labels" in w for w in verify(path, path, k=1, quasi_identifiers=["t"]).limits)


@pytest.mark.parametrize("kind", ["sav", "dta", "xpt"])
def test_dates_of_labelled_files_are_those_of_other_formats(kind: str, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    days = pd.to_datetime(["1950-01-03", "1980-12-31", "2020-02-29", "2020-03-01"])
    frame = pd.DataFrame({"x": [1.0, 1.0, 2.0, 2.0], "day": days})
    path = tmp_path / f"data.{kind}"
    {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}[kind](frame, str(path))
    same = frame.assign(day=days.strftime("%Y-%m-%d"))
    assert verify(path, same, k=2, quasi_identifiers=["x"])
    assert not verify(path, same.assign(day=same["day"].iloc[::-1].to_numpy()), k=2, quasi_identifiers=["x"])
    wide = same.assign(day="[1950-01-03, 2020-03-01]")
    assert verify(path, wide, k=2, quasi_identifiers=["day"], guarantee="matchings")


def test_only_what_a_file_declares_is_missing(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"x": [1.0, 8.0, 9.0, 97.0, 98.0, 99.0], "t": ["a", "b", "no", "c", "d", "e"]})
    ranges = {"x": [9.0, {"lo": 98.0, "hi": 99.0}], "t": ["no"]}
    pyreadstat.write_sav(frame, tmp_path / "data.sav", missing_ranges=ranges)
    for source in (str(tmp_path / "data.sav"), (tmp_path / "data.sav").read_bytes()):
        table = read_labelled(source, "sav", "data", None)
        x, t = table.read("x"), table.read("t")
        assert x.absent[x.codes].tolist() == [False, False, True, False, True, True]
        assert t.absent[t.codes].tolist() == [False, False, True, False, False, False]


def test_numbers_that_a_format_calls_dates_stay_apart(tmp_path: Path) -> None:
    """Two moments within one of the days that pyreadstat makes of them are two entries still."""
    pyreadstat = pytest.importorskip("pyreadstat")
    day = 86400.0
    frame = pd.DataFrame({"x": [0.25 * day, 0.5 * day, 3 * day]})
    pyreadstat.write_sav(frame, tmp_path / "data.sav", variable_format={"x": "DATE11"})
    column = read_labelled(str(tmp_path / "data.sav"), "sav", "data", None).read("x")
    assert len(set(column.codes.tolist())) == 3


@pytest.mark.parametrize("kind", ["sav", "dta", "xpt", "por", "sas7bdat"])
def test_what_is_no_such_file_is_an_error_that_quotes_nothing(kind: str) -> None:
    pytest.importorskip("pyreadstat")
    with pytest.raises(InputError, match="damaged or not of this format") as caught:
        read_labelled(b"salary;name\n1;Smith\n" * 40, kind, "the original", None)
    assert "Smith" not in str(caught.value)
