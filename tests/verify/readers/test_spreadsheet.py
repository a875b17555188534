from __future__ import annotations

import datetime
from pathlib import Path

import openpyxl
import pytest
from openpyxl.comments import Comment

from discreet.errors import InputError
from discreet.verify.readers import File, open_table


def saved(path: Path, change: object = None) -> Path:
    book = openpyxl.Workbook()
    book.active.append(["a", "day", "shown", "half"])
    book.active.append([1, datetime.date(2020, 2, 29), 43_890, datetime.datetime(2020, 2, 29, 12)])
    book.active.append(["x", datetime.date(1950, 1, 3), 1.25, None])
    book.active["C2"].number_format = '0 "days"'
    if callable(change):
        change(book)
    book.save(path)
    return path


def test_cells_by_their_stored_type(tmp_path: Path) -> None:
    table = open_table(saved(tmp_path / "x.xlsx"), "x")
    assert {name: table.column(name).kind for name in table.names} == {
        "a": "text",
        "day": "date",
        "shown": "float64",  # a format with words in quotes is no date
        "half": "timestamp",
    }
    assert table.column("day").entries.to_pylist() == [18_321, -7_303]
    assert table.column("a").entries.to_pylist() == ["1", "x"]
    assert open_table(File(data=(tmp_path / "x.xlsx").read_bytes(), format="xlsx"), "x").rows == 2


def test_days_may_count_from_1904(tmp_path: Path) -> None:
    def change(book: openpyxl.Workbook) -> None:
        book.epoch = datetime.datetime(1904, 1, 1)

    table = open_table(saved(tmp_path / "x.xlsx", change), "x")
    assert table.column("day").entries.to_pylist() == [18_321, -7_303]


def test_what_else_a_workbook_holds_is_named(tmp_path: Path) -> None:
    def sheet(book: openpyxl.Workbook) -> None:
        book.create_sheet("names").append(["Ann"])

    def comment(book: openpyxl.Workbook) -> None:
        book.active["A2"].comment = Comment("this is Ann", "me")

    def formula(book: openpyxl.Workbook) -> None:
        book.active["A2"] = "=1+1"

    assert open_table(saved(tmp_path / "f.xlsx", formula), "x").carried == ["formulas"]
    assert open_table(saved(tmp_path / "x.xlsx"), "x").carried == []
    assert open_table(saved(tmp_path / "y.xlsx", sheet), "x").carried == ["other sheets"]
    assert open_table(saved(tmp_path / "z.xlsx", comment), "x").carried == ["other parts of the workbook"]


def test_damaged_files_and_errors_are_told(tmp_path: Path) -> None:
    (tmp_path / "x.xlsx").write_bytes(b"PK nothing")
    with pytest.raises(InputError, match="damaged or not an Excel"):
        open_table(tmp_path / "x.xlsx", "x")

    def wrong(book: openpyxl.Workbook) -> None:
        book.active["A2"] = "#N/A"

    with pytest.raises(InputError, match="column a holds errors"):
        open_table(saved(tmp_path / "x.xlsx", wrong), "x")
