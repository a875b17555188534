"""New fields of a text are written as in memory, and pieces are put together to one text."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.frames.csv_text import read_csv
from discreet.frames.csv_write import write_csv
from discreet.frames.datasets import text_copy as text_copies
from discreet.frames.datasets.delimited import open_delimited
from discreet.frames.datasets.text_copy import TextCopy, text_copy, write_piece


def _fresh(how: Any, columns: dict[str, Any]) -> bytes:
    written = io.BytesIO()
    copy = TextCopy(written, how, list(columns))
    copy.write(pa.table(columns))
    copy.close()
    return written.getvalue()


def test_new_numbers_are_written_as_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('name;x;y;z\r\na;1,5;"2";3\r\nb;2,5;"4";5\r\n')
    how = open_delimited(path)
    raw = pa.array([b"a", b"b"], pa.large_binary())
    fresh = {"name": raw, "x": [2.0, 2.25], "y": [3, 3], "z": [None, 0.1]}
    assert _fresh(how, fresh) == b'name;x;y;z\r\na;2;"3";\r\nb;2,25;"3";0.1\r\n'
    assert _fresh(how, {"x": [2.0, None]}) == b'x\r\n2\r\n""\r\n'  # an empty line would be no record


@pytest.mark.parametrize(
    "text", ['x,y\r\n"a",1\r\n"b",2', "sep=|\nx|y\na|1\nb|2\n", 'x\n"a"\n"b"\n', "x!y\na!1\nb!2\n"]
)
def test_new_text_is_quoted_as_in_memory(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, newline="")
    mark = "!" if "!" in text else None
    how = open_delimited(path, delimiter=mark)
    table, source = read_csv(text.encode(), "t", delimiter=mark, text=["x"])
    fresh = table.set_column(0, "x", pa.array(['{a, "b, c"}', None]))
    expected, written = io.BytesIO(), io.BytesIO()
    write_csv(fresh.take([1, 0]), expected, read=table, source=source, order=[1, 0], anew=["x", "y"])  # type: ignore[arg-type]
    copy = TextCopy(written, how, fresh.column_names, mixed=True)
    copy.write(fresh.take([1, 0]))
    copy.close()
    assert written.getvalue() == expected.getvalue()


def test_pieces_are_put_together_wherever_letters_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_copies, "STEP", 3)
    path = tmp_path / "t.csv"
    path.write_bytes("sep=;\r\na;b\r\né;1\r\nソ;2".encode("utf-16"))
    how = open_delimited(path)
    for number, rows in enumerate((["ソソ", None], ["é"])):
        write_piece(tmp_path / f"piece-{number}", pa.table({"a": rows, "b": ["1.5"] * len(rows)}), how, ["b"])
    with text_copy(tmp_path / "out", how, ["a", "b"], compressed=False, mixed=True) as target:
        for number in range(2):
            target.add(tmp_path / f"piece-{number}")
    assert (tmp_path / "out").read_bytes() == "sep=;\r\na;b\r\nソソ;1,5\r\n;1,5\r\né;1,5".encode("utf-16")
