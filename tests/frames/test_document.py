"""A file that was read: as many rows and names as it has, and its texts as they were spelled."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.errors import InputError
from discreet.frames import read


def test_a_text_file_keeps_its_spelling(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("code,x\n007,1.50\n,2\n")
    found = read(path)
    assert (found.names, found.n, len(found)) == (["code", "x"], 2, 2)
    assert found.text("code").tolist() == ["007", None] and found.text("x").tolist() == ["1.50", "2"]
    assert found.numeric_columns() == ["code", "x"] or found.numeric_columns() == ["x"]
    assert found.numeric(["x"]).tolist() == [[1.5], [2.0]]


def test_a_typed_file_shows_its_values(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": [1.5, 2.0], "t": ["a", None]}), path)
    found = read(path)
    assert found.text("x").tolist() == ["1.5", "2"] and found.text("t").tolist() == ["a", None]


def test_an_unknown_column_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\nplanted\n")
    with pytest.raises(InputError, match="'b'"):
        read(path).text("b")
    assert "planted" not in repr(read(path)), "no value of the file is shown"
