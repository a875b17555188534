from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from discreet import frames
from discreet.errors import InputError


def book(path: Path, rows: list[list[Any]], *, more: list[list[Any]] | None = None) -> Path:
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    if more is not None:
        sheet = made.create_sheet("more")
        for row in more:
            sheet.append(row)
    made.save(path)
    return path


def test_a_column_has_the_type_of_its_cells(tmp_path: Path) -> None:
    day = datetime.datetime(1950, 1, 3)
    rows = [
        ["whole", "number", "truth", "day", "moment", "clock", "text", "digits", "mixed"],
        [1, 1.5, True, day, day.replace(hour=4), datetime.time(4, 5), "a", "007", 1],
        [None, 2, None, day, day, None, None, "10", "x"],
    ]
    table = frames.read(book(tmp_path / "x.xlsx", rows)).frame
    assert [str(field.type) for field in table.schema] == [
        "int64", "double", "bool", "date32[day]", "timestamp[us]", "time64[us]", "string", "string", "string",
    ]  # fmt: skip
    assert table["digits"].to_pylist() == ["007", "10"]
    assert table["mixed"].to_pylist() == ["1", "x"]
    assert table["whole"].to_pylist() == [1, None]


def test_columns_and_empty_margins(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", [["a", None, "b"], [1, None, 2], [3, None, None], [None, None, None]])
    assert frames.read(path).frame.to_pydict() == {"a": [1, 3], "b": [2, None]}
    assert frames.read(path, columns=["b"]).names == ["b"]
    assert frames.read(path, text=["a"]).frame["a"].to_pylist() == ["1", "3"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "is empty"),
        ([["a", "b"]], "no rows"),
        ([["a", "a"], [1, 2]], "several columns named 'a'"),
        ([["a", None], [1, 2]], "have no name"),
        ([["a"], ["#N/A"]], "hold errors"),
        ([["a", "b"], [1, "=A2+1"]], "1 cells hold formulas without a result"),
    ],
)
def test_sheets_that_are_no_tables_are_told(tmp_path: Path, rows: list[list[Any]], words: str) -> None:
    with pytest.raises(InputError, match=words):
        frames.read(book(tmp_path / "x.xlsx", rows))


def test_a_second_sheet_is_not_left_out_unnoticed(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", [["a"], [1]], more=[["name"], ["Ann"]])
    with pytest.raises(InputError, match="2 sheets with data"):
        frames.read(path)
    assert frames.read(book(path, [["a"], [1]], more=[])).n == 1


def test_options_of_text_are_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", [["a"], [1]])
    with pytest.raises(InputError, match="no delimiter"):
        frames.read(path, delimiter=";")
    with pytest.raises(InputError, match="no encoding"):
        frames.read(path, encoding="utf-8")
