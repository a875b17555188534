"""Text that is read as a stream is what it is in memory, wherever it is cut, and is written back to the byte."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.frames.csv_text import read_csv
from discreet.frames.datasets import dataset, delimited
from discreet.frames.datasets.dataset import read_pieces
from discreet.frames.datasets.text_copy import TextCopy

CELLS = st.sampled_from(
    [
        "",
        "1",
        "2.5",
        "1,5",
        "-3",
        "007",
        '"4"',
        '"a;b"',
        '"say ""so"""',
        '"two\nlines"',
        "NA",
        "word",
        " 8 ",
        "é",
        "1e3",
    ]
)


@st.composite
def texts(draw: st.DrawFn) -> tuple[bytes, str, str]:
    """Columns that keep to some few kinds of cells, in some dialect and encoding."""
    mark, end = draw(st.sampled_from([",", ";", "\t"])), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    rows, width = draw(st.integers(1, 30)), draw(st.integers(1, 4))
    kinds = [draw(st.lists(CELLS, min_size=1, max_size=4)) for _ in range(width)]
    cells = [[draw(st.sampled_from(kind)) for kind in kinds] for _ in range(rows)]
    quoted = [[f'"{cell}"' if mark in cell and cell[:1] != '"' else cell for cell in row] for row in cells]
    lines = [mark.join(row) for row in quoted]
    if width == 1:
        lines = [line or '""' for line in lines]
    lines[draw(st.integers(0, rows - 1))] += draw(st.sampled_from(["", "", end]))  # an empty line is no record
    head = mark.join(f"c{j}" for j in range(width))
    text = end.join([head, *lines]) + draw(st.sampled_from(["", end]))
    encoding = draw(st.sampled_from(["utf-8", "cp1252", "utf-8-sig", "utf-16", "utf-32"]))
    return text.encode(encoding), mark, encoding


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts(), st.integers(60, 200), st.booleans())
@example((b'c0\n1\n""', ",", "utf-8"), 60, False)
def test_a_stream_is_what_is_read_in_memory(
    tmp_path: Path, made: tuple[bytes, str, str], chunk: int, packed: bool
) -> None:
    data, mark, encoding = made
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(data) if packed else data)
    table, source = read_csv(data, "t", delimiter=mark)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "CHUNK", chunk)
        found = dataset(path, delimiter=mark)
        assert found.text is not None
        assert (found.n, found.columns) == (table.num_rows, table.column_names)
        assert [field.type for field in found.schema] == [field.type for field in table.schema]
        assert found.read().equals(table.replace_schema_metadata(None).cast(found.schema))
        text = found.text
        assert text.encoding == source.encoding and text.commas == source.decimal_commas
        assert text.quoted == {name for name in table.column_names if source.all_quoted(name)}
        written = io.BytesIO()
        copy = TextCopy(written, text, found.columns)
        for part in found.parts(7):
            for piece in read_pieces(part, raw=found.columns):
                copy.write(piece)
        copy.close()
    plain, again = data.decode(encoding), written.getvalue().decode(encoding)
    for twice in ("\r\n\r\n", "\n\n", "\r\r"):
        plain = plain.replace(twice, twice[: len(twice) // 2])
    assert again.rstrip("\r\n") == plain.rstrip("\r\n")
    assert written.getvalue()[: len(text.bom)] == data[: len(text.bom)] == text.bom


def test_parts_of_any_size_hold_all_rows_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "CHUNK", 100)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join(f"{i},{i / 4}\n" for i in range(500)))
    data = dataset(path)
    for most in (1, 10, 97, 10_000):
        parts = data.parts(most)
        pieces = [piece for part in parts for piece in read_pieces(part, ["a"])]
        assert max(map(len, pieces)) <= max(most, 30)
        assert pa.concat_tables(pieces).column("a").to_pylist() == list(range(500))
        assert [part.first for part in parts] == np.cumsum([0, *(sum(part.cuts) for part in parts)])[:-1].tolist()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"a,b\n", "no rows"),
        (b"a,b", "no rows"),
        (b"a,a\n1,2\n", "2 columns named 'a'"),
        (b"a,b\n1,2\n3\n" + b"4,5\n" * 50 + b"6,7,8\n", "2 of 53 rows do not have the 2 fields"),
        (b"a,b\n" + b"1,2\n" * 60 + b'3,"4\n' + b"5,6\n" * 60, "line 62 is never closed"),
        (b"a,b\n" + b"1,2\n" * 60 + b"3,\0\n", "NUL"),
        ("a,b\n1,2\n".encode("utf-16")[2:], "NUL"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, said: str) -> None:
    monkeypatch.setattr(delimited, "CHUNK", 100)
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(InputError, match=said):
        dataset(path)


@pytest.mark.parametrize(
    ("encoding", "said"),
    [("undefined", "is not text in"), ("utf-7", "cannot be written as"), ("utf-16", "no rows"), ("cp037", "no rows")],
)
def test_an_encoding_that_is_not_that_of_the_text_is_refused(tmp_path: Path, encoding: str, said: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"+AGE-,b\n1,2\n")
    with pytest.raises(InputError, match=said):
        dataset(path, encoding=encoding)


def test_a_quote_that_is_never_closed_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "CHUNK", 100)
    monkeypatch.setattr(delimited, "LONGEST", 1000)
    path = tmp_path / "t.csv"
    path.write_bytes(b'a,b\n1,"2\n' + b"3,4\n" * 1000)
    with pytest.raises(InputError, match="a row is longer than"):
        dataset(path)


def test_a_text_that_changes_on_the_way_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    data = dataset(path)
    for other in ("a,b\n1,x\n3,4\n", "a,b\n1,2,3\n4\n", "a,b\n1,2\n"):
        path.write_text(other)
        with pytest.raises(InputError, match="was changed"):
            data.read()
