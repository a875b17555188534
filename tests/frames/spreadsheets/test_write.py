from __future__ import annotations

import datetime
import zipfile
from pathlib import Path

import openpyxl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import frames
from discreet.errors import InputError
from discreet.verify.readers import open_table
from discreet.verify.values.meaning import texts

LETTERS = st.text(st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="\ufffe\uffff"), max_size=6)
CELLS = {
    "i": st.integers(-(2**53), 2**53),
    "f": st.floats(allow_nan=False, allow_infinity=False),
    "t": LETTERS.filter(bool) | st.sampled_from(["=1+1", "+1", "-1", "@a", " a ", "a\nb", "_x0041_", "<&>"]),
    "d": st.dates(datetime.date(1900, 3, 1)),
    "m": st.datetimes(datetime.datetime(1900, 3, 1)).map(lambda value: value.replace(microsecond=0)),
    "c": st.times().map(lambda value: value.replace(microsecond=0)),
    "b": st.booleans(),
}
TYPES = {
    "i": pa.int64(), "f": pa.float64(), "t": pa.string(), "d": pa.date32(), "m": pa.timestamp("us"),
    "c": pa.time64("us"), "b": pa.bool_(),
}  # fmt: skip


@settings(max_examples=60)
@given(st.lists(st.fixed_dictionaries({name: st.none() | cell for name, cell in CELLS.items()}), min_size=1))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, rows: list[dict]) -> None:
    path = tmp_path_factory.mktemp("x") / "x.xlsx"
    rows = [{**dict.fromkeys(TYPES), "i": 0, **row} for row in rows]
    rows[-1] |= {"b": True}  # a last row without any value is no row of a sheet
    rows[0] = {**rows[0], "f": 0.5, "t": "t", "i": 1}
    rows[0] |= {"d": datetime.date(2000, 1, 1), "m": datetime.datetime(2000, 1, 1, 1), "c": datetime.time(1), "b": True}
    table = pa.Table.from_pylist(rows, pa.schema(list(TYPES.items())))
    frames.write(table, path)
    back = frames.read(path).frame
    assert back.schema.types == list(TYPES.values())
    assert back.to_pylist() == rows
    checked = open_table(path, "the file")
    assert list(checked.names) == table.column_names
    assert checked.carried == []
    stored = open_table(table, "the table")
    for name in checked.names:
        a, b = checked.column(name), stored.column(name)
        assert a.kind == b.kind
        assert [texts(a)[code] for code in a.codes] == [texts(b)[code] for code in b.codes]


def test_text_is_never_a_formula(tmp_path: Path) -> None:
    words = ["=1+1", '=HYPERLINK("x")', "+1", "-1", "@a", "plain"]
    frames.write(pa.table({"=name": words}), tmp_path / "x.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx").active
    assert [cell.data_type for cell in sheet["A"]] == ["s"] * 7
    assert [cell.quotePrefix for cell in sheet["A"]] == [True] * 6 + [False]
    assert [cell.value for cell in sheet["A"]] == ["=name", *words]
    assert b"<f" not in zipfile.ZipFile(tmp_path / "x.xlsx").read("xl/worksheets/sheet1.xml")


def test_what_a_cell_cannot_hold_is_text(tmp_path: Path) -> None:
    table = pa.table(
        {
            "big": [2**60, 1],
            "old": [datetime.date(1850, 1, 2), datetime.date(1950, 1, 2)],
            "fine": pa.array([1, 2], pa.timestamp("ms")),
            "zoned": pa.array([0, 86_400_000], pa.timestamp("ms", "UTC")),
            "words": pa.array(["b", "a"]).dictionary_encode(),
        }
    )
    frames.write(table, tmp_path / "x.xlsx")
    back = frames.read(tmp_path / "x.xlsx").frame
    assert {str(kind) for kind in back.schema.types} == {"string"}
    assert back["big"].to_pylist() == [str(2**60), "1"]
    assert back["old"].to_pylist() == ["1850-01-02", "1950-01-02"]


def test_files_say_nothing_about_when_and_by_whom(tmp_path: Path) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        frames.write(pa.table({"x": [1, 2]}), tmp_path / name)
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    assert not [part for part in zipfile.ZipFile(tmp_path / "a.xlsx").namelist() if "docProps" in part]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pa.table({"x": ["a\x01"]}), "control characters"),
        (pa.table({"x": ["a" * 40_000]}), "letters"),
        (pa.table({"x\x02": ["a"]}), "control characters"),
    ],
)
def test_what_excel_has_no_place_for_is_told(tmp_path: Path, table: pa.Table, words: str) -> None:
    with pytest.raises(InputError, match=words):
        frames.write(table, tmp_path / "x.xlsx")
    assert not (tmp_path / "x.xlsx").exists()
