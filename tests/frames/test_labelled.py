"""SPSS, Stata and SAS files come back with their labels, formats and missing codes."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from discreet import frames
from discreet.errors import InputError

pyreadstat = pytest.importorskip("pyreadstat")

DAY = datetime.date(2020, 1, 31)
MOMENT = datetime.datetime(2020, 1, 31, 12, 30)


@pytest.fixture
def sav(tmp_path: Path) -> Path:
    frame = pd.DataFrame(
        {
            "id": ["007", "008", "009", ""],
            "age": [30.0, 41.0, 99.0, np.nan],
            "sex": [1.0, 2.0, 1.0, 9.0],
            "income": [1.5, -1.0, 3.25, -7.0],
            "visit": [DAY, None, DAY, DAY],
            "at": [MOMENT] * 4,
        }
    )
    pyreadstat.write_sav(
        frame,
        str(tmp_path / "in.sav"),
        file_label="Household survey",
        note="collected by hand",
        column_labels={"age": "Age in years", "income": "Monthly income"},
        variable_value_labels={"sex": {1: "male", 2: "female"}, "id": {"007": "James"}},
        missing_ranges={"age": [99], "income": [{"lo": -9, "hi": -1}]},
        variable_measure={"age": "scale", "sex": "nominal"},
        variable_display_width={"age": 12},
        variable_format={"age": "F3.0", "sex": "F1.0", "income": "F8.2"},
    )
    return tmp_path / "in.sav"


@pytest.fixture
def dta(tmp_path: Path) -> Path:
    frame = pd.DataFrame(
        {
            "code": pd.Series([1, 2, 3], dtype="int8"),
            "score": [1, 2, "a"],
            "name": ["x", "yy", ""],
            "visit": [DAY, DAY, None],
            "at": [MOMENT] * 3,
            "wage": [1.5, np.nan, 2.5],
        }
    )
    pyreadstat.write_dta(
        frame,
        str(tmp_path / "in.dta"),
        file_label="Panel",
        column_labels={"code": "Region"},
        variable_value_labels={"code": {1: "north", 2: "south"}},
        missing_user_values={"score": ["a"]},
    )
    return tmp_path / "in.dta"


@pytest.fixture
def xpt(tmp_path: Path) -> Path:
    frame = pd.DataFrame({"A": [1.0, np.nan, 3.0], "S": ["x", "yy", ""], "D": [DAY, DAY, None]})
    pyreadstat.write_xport(frame, str(tmp_path / "in.xpt"), column_labels={"A": "first"}, table_name="TAB")
    return tmp_path / "in.xpt"


def stored(path: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The file as it is stored, and all it says about its variables."""
    reader = {".dta": pyreadstat.read_dta, ".xpt": pyreadstat.read_xport}.get(path.suffix, pyreadstat.read_sav)
    codes = {} if path.suffix == ".xpt" else {"user_missing": True}
    frame, meta = reader(str(path), disable_datetime_conversion=True, **codes)
    keys = (
        "column_names_to_labels variable_value_labels original_variable_types missing_ranges missing_user_values "
        "variable_measure variable_display_width variable_storage_width readstat_variable_types file_label notes "
        "table_name"
    )
    return frame, {key: getattr(meta, key) for key in keys.split()}


@pytest.mark.parametrize("kind", ["sav", "dta", "xpt"])
def test_nothing_changed_nothing_differs(kind: str, request: pytest.FixtureRequest) -> None:
    path: Path = request.getfixturevalue(kind)
    document = frames.read(path)
    out = path.with_name(f"out.{kind}")
    frames.write(document, out)
    before, meta = stored(path)
    after, new_meta = stored(out)
    pd.testing.assert_frame_equal(before, after)
    assert meta == new_meta


def test_what_the_frame_shows(sav: Path) -> None:
    document = frames.read(sav)
    assert frames.numeric_columns(document) == ["age", "income"]  # the file says that sex is nominal
    points = document.numeric(["age", "sex", "income"])
    np.testing.assert_array_equal(points, [[30, 1, 1.5], [41, 2, np.nan], [np.nan, 1, 3.25], [np.nan, 9, np.nan]])
    assert str(document.frame["age"].dtype) == "Int64"
    assert str(document.frame["sex"].dtype) == "int64"
    assert document.text("visit").tolist() == ["2020-01-31", None, "2020-01-31", "2020-01-31"]
    assert document.variable_labels == {"age": "Age in years", "income": "Monthly income"}
    assert document.value_labels == {"sex": {1.0: "male", 2.0: "female"}, "id": {"007": "James"}}


def test_a_changed_column_keeps_its_labels_and_the_others_their_codes(sav: Path) -> None:
    document = frames.read(sav)
    new = frames.replace_columns(document.frame, {"age": np.array([35.5, 35.5, np.nan, np.nan])})
    out = sav.with_name("out.sav")
    frames.write(new, out, like=document)
    before, meta = stored(sav)
    after, new_meta = stored(out)
    pd.testing.assert_frame_equal(before.drop(columns="age"), after.drop(columns="age"))
    np.testing.assert_array_equal(after["age"], [35.5, 35.5, np.nan, np.nan])  # the code 99 would tell why
    assert new_meta["column_names_to_labels"] == meta["column_names_to_labels"]
    assert new_meta["missing_ranges"] == meta["missing_ranges"]
    assert new_meta["original_variable_types"] == {**meta["original_variable_types"], "age": "F8.2"}


def test_codes_for_missing_values_go_from_columns_a_method_worked_on(sav: Path) -> None:
    document = frames.read(sav)
    out = sav.with_name("out.sav")
    frames.write(document.frame, out, like=document, anew=["income"])
    after, _ = stored(out)
    np.testing.assert_array_equal(after["income"], [1.5, np.nan, 3.25, np.nan])
    np.testing.assert_array_equal(after["age"], [30, 41, 99, np.nan])


def test_a_published_value_is_not_taken_for_a_missing_code(sav: Path) -> None:
    document = frames.read(sav)
    new = frames.replace_columns(document.frame, {"income": np.array([-1.5, np.nan, -1.5, np.nan])})
    out = sav.with_name("out.sav")
    frames.write(new, out, like=document)
    np.testing.assert_array_equal(frames.read(out).frame["income"], [-1.5, np.nan, -1.5, np.nan])


def test_generalized_and_shuffled(sav: Path) -> None:
    document = frames.read(sav)
    order = [2, 0, 3, 1]
    new = frames.replace_text_columns(document.frame, {"age": ["[30, 41]", "[30, 41]", None, None]})
    out = sav.with_name("out.sav")
    frames.write(frames.take_rows(new, order), out, like=document, order=order)
    before, meta = stored(sav)
    after, new_meta = stored(out)
    expected = before.iloc[order].reset_index(drop=True).drop(columns="age")
    pd.testing.assert_frame_equal(after.drop(columns="age"), expected)
    assert after["age"].tolist() == ["", "[30, 41]", "", "[30, 41]"]
    assert new_meta["column_names_to_labels"] == meta["column_names_to_labels"]
    assert new_meta["variable_value_labels"] == meta["variable_value_labels"]


def test_stata_integers_stay_integers(dta: Path) -> None:
    document = frames.read(dta)
    np.testing.assert_array_equal(document.numeric(["score"])[:, 0], [1, 2, np.nan])
    new = frames.replace_columns(document.frame, {"code": np.array([2.0, 2.0, 2.0])})
    out = dta.with_name("out.dta")
    frames.write(new, out, like=document)
    after, meta = stored(out)
    assert after["code"].tolist() == [2, 2, 2]
    assert meta["readstat_variable_types"]["code"] == "int32"
    assert after["score"].tolist() == [1, 2, "a"]


def test_between_formats(sav: Path) -> None:
    document = frames.read(sav)
    folder = sav.parent
    frames.write(document, folder / "out.dta")
    stata = frames.read(folder / "out.dta")
    assert stata.value_labels == {"sex": {1: "male", 2: "female"}}
    assert stata.variable_labels == document.variable_labels
    assert stata.source.meta.original_variable_types["visit"] == "%td"
    assert stata.frame["visit"].tolist() == document.frame["visit"].tolist()
    frames.write(document, folder / "out.csv")
    assert (folder / "out.csv").read_text() == (
        "id,age,sex,income,visit,at\n"
        "007,30,1,1.5,2020-01-31,2020-01-31 12:30:00\n"
        "008,41,2,,,2020-01-31 12:30:00\n"
        "009,,1,3.25,2020-01-31,2020-01-31 12:30:00\n"
        ",,9,,2020-01-31,2020-01-31 12:30:00\n"
    )
    frames.write(document, folder / "out.parquet")
    assert frames.read(folder / "out.parquet").frame.column("sex").to_pylist() == [1, 2, 1, 9]
    frames.write(document, folder / "out.zsav")
    assert frames.read(folder / "out.zsav").frame.equals(document.frame)


@pytest.mark.parametrize("extension", ["sav", "zsav", "dta", "xpt"])
def test_from_text(tmp_path: Path, extension: str) -> None:
    (tmp_path / "in.csv").write_text("id,n,x,s\n007,1,1.5,a\n008,2,,\n")
    document = frames.read(tmp_path / "in.csv")
    frames.write(document, tmp_path / f"out.{extension}", like=document)
    again = frames.read(tmp_path / f"out.{extension}").frame
    assert again["id"].tolist() == ["007", "008"]
    assert again["n"].tolist() == [1, 2]
    np.testing.assert_array_equal(again["x"], [1.5, np.nan])
    assert again["s"].tolist() == ["a", ""]


def test_columns_can_be_chosen_and_kept_as_text(sav: Path) -> None:
    document = frames.read(sav, columns=["visit", "sex"], text=["sex"])
    assert document.names == ["visit", "sex"]
    assert document.text("sex").tolist() == ["1", "2", "1", "9"]
    with pytest.raises(InputError, match="no column 'agee': did you mean 'age'"):
        frames.read(sav, columns=["agee"])


@pytest.mark.parametrize("extension", ["sav", "zsav", "dta", "xpt", "sas7bdat", "por"])
def test_damaged_files(tmp_path: Path, sav: Path, extension: str) -> None:
    path = tmp_path / f"bad.{extension}"
    for data, message in (
        (b"", "is empty"),
        (b"secret" * 99, "damaged"),
        (sav.read_bytes()[:150], "damaged"),
        (sav.read_bytes()[:-40] if extension.endswith("sav") else b"\0" * 999, "damaged"),
    ):
        path.write_bytes(data)
        with pytest.raises(InputError, match=message) as caught:
            frames.read(path)
        assert "secret" not in str(caught.value)


def test_names_a_format_does_not_allow(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be written as \.dta: it may be the names 'my age'"):
        frames.write(pd.DataFrame({"my age": [1], "x": [2]}), tmp_path / "out.dta")
    assert list(tmp_path.iterdir()) == []


def test_formats_that_cannot_be_written(tmp_path: Path) -> None:
    for name, instead in (("out.sas7bdat", r"\.xpt"), ("out.por", r"\.sav")):
        with pytest.raises(InputError, match=f"can only be read; write {instead}"):
            frames.write(pd.DataFrame({"x": [1]}), tmp_path / name)
    with pytest.raises(InputError, match="for delimited text only"):
        frames.write(pd.DataFrame({"x": [1]}), tmp_path / "out.sav", encoding="cp1252")
