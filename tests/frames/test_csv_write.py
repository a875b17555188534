"""What was not changed goes back byte for byte; what was changed reads back as what it is."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.frames import csv_write
from discreet.frames.csv_text import CsvText, read_csv
from discreet.frames.csv_write import write_csv
from discreet.frames.dataframes import to_arrow
from discreet.frames.replace import replace_columns, replace_text_columns

ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": b"\xef\xbb\xbf",
    "cp1252": b"",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "latin-1": b"",
}


@dataclass
class Sheet:
    """A delimited text as bytes, and the cells in it."""

    data: bytes
    encoding: str
    delimiter: str
    names: list[str]
    rows: list[list[str]]


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    width = draw(st.integers(1, 4))
    delimiter = draw(st.sampled_from(",;\t|"))
    encoding = draw(st.sampled_from(sorted(ENCODINGS)))
    cell = st.one_of(
        st.text(alphabet="ab07. \"',;\t|\r\né€" if encoding != "latin-1" else 'ab07. ",;\n\ré', max_size=6),
        st.sampled_from(["", "007", "1.50", "-3", "1e3", "NA", " 7 ", "1,5", "+2"]),
    )
    names = draw(st.lists(cell.filter(bool), min_size=width, max_size=width, unique=True))
    rows = draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=6))
    terminator = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    quote_all = draw(st.booleans())

    def field(value: str) -> str:
        must = any(mark in value for mark in (delimiter, '"', "\r", "\n")) or (width == 1 and not value)
        if must or quote_all or draw(st.integers(0, 4)) == 0:
            return '"' + value.replace('"', '""') + '"'
        return value

    lines = [delimiter.join(field(value) for value in row) for row in [names, *rows]]
    text = ""
    for line in lines:
        text += line + terminator + terminator * (draw(st.integers(0, 9)) == 0)
    if draw(st.booleans()):
        text = text.rstrip("\r\n") if not lines[-1].endswith(("\r", "\n")) else text
    plain = "utf-8" if encoding == "utf-8-sig" else encoding
    return Sheet(ENCODINGS[encoding] + text.encode(plain), encoding, delimiter, names, rows)


def rewrite(table: pa.Table, read: pa.Table, source: CsvText, **options: object) -> bytes:
    out = io.BytesIO()
    write_csv(table, out, read=read, source=source, **options)  # type: ignore[arg-type]
    return out.getvalue()


def cells(data: bytes, source: CsvText, delimiter: str | None = None) -> list[list[str]]:
    text = data[len(source.bom) :].decode(source.encoding)
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or source.delimiter) if row]


@given(sheets())
def test_nothing_changed_is_bytes_in_bytes_out(sheet: Sheet) -> None:
    table, source = read_csv(sheet.data, "x", delimiter=sheet.delimiter, encoding=sheet.encoding)
    assert list(source.names) == sheet.names
    for c, name in enumerate(sheet.names):
        assert source.text(name).to_pylist() == [row[c] or None for row in sheet.rows]
    assert rewrite(table, table, source) == sheet.data


@given(sheets(), st.randoms(use_true_random=False))
def test_shuffled_rows_keep_their_text(sheet: Sheet, random: object) -> None:
    table, source = read_csv(sheet.data, "x", delimiter=sheet.delimiter, encoding=sheet.encoding)
    order = np.arange(len(table))
    random.shuffle(order)  # type: ignore[attr-defined]
    data = rewrite(table.take(pa.array(order)), table, source, order=order)
    assert cells(data, source) == [sheet.names, *(sheet.rows[i] for i in order)]


@given(sheets(), st.data())
def test_a_changed_column_leaves_the_others_alone(sheet: Sheet, data: st.DataObject) -> None:
    table, source = read_csv(sheet.data, "x", delimiter=sheet.delimiter, encoding=sheet.encoding)
    at = data.draw(st.integers(0, len(sheet.names) - 1))
    new = data.draw(st.lists(st.text('ab",;\t|\r\n', min_size=1), min_size=len(table), max_size=len(table)))
    changed = replace_text_columns(table, {sheet.names[at]: new})
    found = cells(rewrite(changed, table, source), source)
    assert found == [sheet.names, *([*row[:at], value, *row[at + 1 :]] for row, value in zip(sheet.rows, new))]


@given(sheets(), st.sampled_from(",;\t|"))
def test_another_delimiter_keeps_the_cells(sheet: Sheet, delimiter: str) -> None:
    table, source = read_csv(sheet.data, "x", delimiter=sheet.delimiter, encoding=sheet.encoding)
    found = cells(rewrite(table, table, source, delimiter=delimiter), source, delimiter)
    assert found == [sheet.names, *sheet.rows]


@given(
    st.lists(
        st.one_of(st.floats(allow_infinity=False), st.integers(-(10**12), 10**12).map(float)), min_size=1, max_size=8
    )
)
def test_numbers_read_back_to_the_last_bit(values: list[float]) -> None:
    new = np.array(values)
    table = pa.table({"x": pa.array(new, from_pandas=True), "y": ["a"] * len(new)})
    out = io.BytesIO()
    write_csv(table, out)
    again, _ = read_csv(out.getvalue(), "x")
    if np.isnan(new).all():
        assert again.column("x").null_count == len(new)
    else:
        found = again.column("x").cast(pa.float64()).to_numpy()
        np.testing.assert_array_equal(found, new)


def test_blocks_join_without_a_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_write, "_BLOCK", 3)
    data = b"id,v,w\r\n" + b"".join(b'00%d,%d.50,"q"\r\n\r\n' % (i, i) for i in range(8))
    table, source = read_csv(data, "x")
    assert rewrite(table, table, source) == data
    changed = replace_columns(table, {"v": np.arange(8.0)})
    assert rewrite(changed, table, source) == data.replace(b".50", b"")
    order = np.arange(8)[::-1]
    back = rewrite(table.take(pa.array(order)), table, source, order=order)
    assert back.split(b"\r\n")[1:-1] == [b'00%d,%d.50,"q"' % (i, i) for i in order]


def test_a_changed_column_is_written_anew_throughout() -> None:
    # 1.50 and 1.5 are published as equal: their spelling must not tell them apart.
    table, source = read_csv(b"a,b\n1.50,1\n1.5,2\n9,3\n", "x")
    changed = replace_columns(table, {"a": np.array([1.5, 1.5, 8.0])})
    assert rewrite(changed, table, source) == b"a,b\n1.5,1\n1.5,2\n8,3\n"


def test_a_column_a_method_worked_on_is_written_anew_even_if_nothing_changed() -> None:
    table, source = read_csv(b"a,b\n1.50,01\n1.5,2\n", "x")
    assert rewrite(table, table, source, anew=["a"]) == b"a,b\n1.5,01\n1.5,2\n"


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_another_kind_of_frame_with_the_same_values_is_unchanged(kind: str) -> None:
    data = b'a,b,c,d\n01,1.50,x,\n,2,"y",7\n'
    table, source = read_csv(data, "x")
    frame = table.to_pandas() if kind == "pandas" else pl.from_arrow(table)
    assert rewrite(to_arrow(frame), table, source) == data
    text = replace_text_columns(table, {"a": ["1", None]})
    assert rewrite(text, table, source) == data.replace(b"01", b"1")


def test_columns_keep_their_manner_of_quoting_and_decimal_comma() -> None:
    data = b'"a";b;"c"\n"1,50";"x";"z"\n"2,0";y;"w"\n'
    table, source = read_csv(data, "x")
    assert table.column("a").to_pylist() == [1.5, 2.0]
    changed = replace_columns(table, {"a": np.array([1.75, 1e-7])})
    changed = replace_text_columns(changed, {"b": ["{x, y}", "u"], "c": ["s", None]})
    assert rewrite(changed, table, source) == b'"a";b;"c"\n"1,75";{x, y};"s"\n"1e-7";u;\n'


def test_an_empty_value_of_a_single_column_is_still_a_row() -> None:
    table, source = read_csv(b"a,b\n1,\n2,x\n", "x")
    assert rewrite(table.select(["b"]), table, source) == b'b\n""\nx\n'
    out = io.BytesIO()
    write_csv(pa.table({"b": [None, 1.5]}), out)
    assert out.getvalue() == b'b\n""\n1.5\n'


def test_other_columns_and_row_counts_follow_the_dialect_only() -> None:
    table, source = read_csv(b"a;b\r\n01;x\r\n02;y\r\n", "x")
    fewer = table.slice(0, 1).append_column("c", pa.array(["u;v"]))
    assert rewrite(fewer, table, source) == b'a;b;c\r\n1;x;"u;v"\r\n'


def test_an_order_that_does_not_fit_is_refused() -> None:
    table, source = read_csv(b"a,b\n1,2\n3,4\n", "x")
    for order in ([0], [0, 2], [-1, 0]):
        with pytest.raises(InputError, match="order must give"):
            rewrite(table, table, source, order=np.array(order))


def test_characters_the_encoding_has_not_are_refused() -> None:
    table, source = read_csv("a,b\né,1\n".encode("cp1252"), "x")
    changed = replace_text_columns(table, {"a": ["Ω"]})
    with pytest.raises(InputError, match="cp1252 cannot write") as caught:
        rewrite(changed, table, source)
    assert "Ω" not in str(caught.value)
    assert rewrite(changed, table, source, encoding="utf-8") == "a,b\nΩ,1\n".encode()
    assert rewrite(changed, table, source, encoding="utf-16").decode("utf-16") == "a,b\nΩ,1\n"


def test_times_are_shown_in_all_rows_or_in_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_write, "_BLOCK", 1)
    day = 86_400_000_000
    out = io.BytesIO()
    write_csv(
        pa.table(
            {"t": pa.array([0, day], pa.timestamp("us")), "u": pa.array([0, day + 1_500_000], pa.timestamp("us"))}
        ),
        out,
    )
    assert out.getvalue().decode() == ("t,u\n1970-01-01,1970-01-01 00:00:00\n1970-01-02,1970-01-02 00:00:01.500000\n")
