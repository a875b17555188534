"""What is detected in a delimited text, which columns are numbers, and what is refused."""

from __future__ import annotations

import io

import pyarrow as pa
import pytest

from discreet.errors import InputError
from discreet.frames.csv_text import read_csv
from discreet.frames.csv_write import write_csv
from discreet.frames.numbers import MISSING


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2\n", ";"),
        ("a\tb\n1,5\t2;3\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("alone\n1\n", ","),
        ('"a;b",c\n"1;2",3\n', ","),
        ("name;income, gross;x\nu;1;2\nv, w;3;4\n", ";"),
    ],
)
def test_the_delimiter_is_detected(text: str, delimiter: str) -> None:
    _, source = read_csv(text.encode(), "x")
    assert source.delimiter == delimiter


def test_a_hint_from_excel_is_followed_and_kept() -> None:
    data = b"sep=|\r\na;b|c\r\n1;2|3\r\n"
    table, source = read_csv(data, "x")
    assert table.to_pydict() == {"a;b": ["1;2"], "c": [3]}
    out = io.BytesIO()
    write_csv(table, out, read=table, source=source)
    assert out.getvalue() == data


def test_many_columns() -> None:
    names = [f"c{i}" for i in range(3000)]
    table, _ = read_csv(("\n".join([",".join(names)] + [",".join("1" * 3000)] * 20)).encode(), "x")
    assert table.column_names == names
    assert len(table) == 20


def test_a_ragged_row_does_not_mislead_the_detection() -> None:
    with pytest.raises(InputError, match=r"1 of 5 rows .* taken to be ','"):
        read_csv(b"a,b,c;d\n1,2,3\n4,5\n7,8,9\n1,2,3\n1,2,3\n", "x")


def test_the_delimiter_is_detected_from_the_beginning_of_a_long_text() -> None:
    data = b"a;b\n" + b'"x,y\nz";1,5\n' * 20_000
    table, source = read_csv(data, "x")
    assert source.delimiter == ";"
    assert len(table) == 20_000
    assert table.column("b").to_pylist() == [1.5] * 20_000


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("cp1252", b""),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\0\0"),
    ],
)
def test_the_encoding_is_detected(encoding: str, mark: bytes) -> None:
    table, source = read_csv(mark + "naïve,b\n€,1\n".encode(encoding), "x")
    assert (source.encoding, source.bom) == (encoding, mark)
    assert table.column_names == ["naïve", "b"]
    assert table.column("naïve").to_pylist() == ["€"]


def test_bytes_that_windows_1252_has_not_are_latin_1() -> None:
    table, source = read_csv(b"a,b\n\x81\xe9,1\n", "x")
    assert source.encoding == "latin-1"
    assert table.column("a").to_pylist() == ["\x81é"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1", "utf8"])
def test_a_given_encoding_is_used(encoding: str) -> None:
    table, _ = read_csv("a,b\né,1\n".encode(encoding), "x", encoding=encoding)
    assert table.to_pydict() == {"a": ["é"], "b": [1]}


def test_numbers() -> None:
    columns = {
        "int": (["1", "-2", "007"], pa.int64()),
        "zero": (["0", "-0", "00"], pa.int64()),
        "float": (["1", "-2.5", "1e3"], pa.float64()),
        "spaces": ([" 1", "2 ", "+3"], pa.float64()),
        "huge": (["9223372036854775808", "1", "2"], pa.float64()),
        "infinite": (["inf", "-Infinity", "1e999"], pa.float64()),
        "missing": (["NA", "5", ""], pa.int64()),
        "nan": (["nan", "5", "NaN"], pa.int64()),
        "text": (["1", "x", "2"], pa.string()),
        "hex": (["0x10", "1", "2"], pa.string()),
        "underscore": (["1_0", "1", "2"], pa.string()),
        "comma": (['"1,5"', "1", "2"], pa.string()),
        "empty": (["", "", ""], pa.string()),
        "marks": (["NA", "", "NaN"], pa.string()),
        "truth": (["true", "false", "true"], pa.string()),
        "date": (["2020-01-01", "2020-01-02", "2020-01-03"], pa.string()),
        "payload": (["nan(1)", "1", "2"], pa.string()),
    }
    lines = [",".join(columns), *(",".join(values[i] for values, _ in columns.values()) for i in range(3))]
    table, _ = read_csv("\n".join(lines).encode(), "x")
    assert {name: table.schema.field(name).type for name in columns} == {
        name: kind for name, (_, kind) in columns.items()
    }
    assert table.column("int").to_pylist() == [1, -2, 7]
    assert table.column("spaces").to_pylist() == [1.0, 2.0, 3.0]
    assert table.column("missing").to_pylist() == [None, 5, None]
    assert table.column("marks").to_pylist() == ["NA", None, "NaN"]


@pytest.mark.parametrize("mark", MISSING)
def test_missing_marks_do_not_make_a_column_text(mark: str) -> None:
    table, _ = read_csv(f"a,b\n{mark},1\n2.5,2\n".encode(), "x")
    assert table.column("a").to_pylist() == [None, 2.5]


@pytest.mark.parametrize("late", ["x", "1.5", "NA", "", "nan(2)"])
def test_a_late_value_decides_too(late: str) -> None:
    table, _ = read_csv(b"a,b\n" + b"1,1\n" * 5000 + f"{late},1\n".encode(), "x")
    kind = {"x": pa.string(), "nan(2)": pa.string(), "1.5": pa.float64()}.get(late, pa.int64())
    assert table.schema.field("a").type == kind


def test_decimal_commas() -> None:
    table, source = read_csv(b"a;b;c;d\n1,5;1.5;1,5;1,2,3\n2;2,5;1.000,5;4\n", "x")
    assert table.column("a").to_pylist() == [1.5, 2.0]
    assert source.decimal_commas == {"a"}
    assert [table.schema.field(name).type for name in "bcd"] == [pa.string()] * 3


def test_columns_can_be_kept_as_text_and_chosen() -> None:
    table, _ = read_csv(b"zip,a,b\n010,1,2\n020,3,4\n", "x", columns=["zip", "b"], text=["zip"])
    assert table.to_pydict() == {"zip": ["010", "020"], "b": [2, 4]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "x is empty"),
        (b"\xef\xbb\xbf", "x has no text"),
        (b"\n\r\n", "x has no text"),
        (b"a,b\n", "x has column names but no rows"),
        (b"a,b\n\n\r\n", "x has column names but no rows"),
        (b"a,b\n1,2\n3\n4,5,6\n7,8\n", r"2 of 4 rows do not have the 2 fields of the header \(line 3, 4\)"),
        (b"a,b\n" + b"secret\n" * 9, r"9 of 9 rows .* \(line 2, 3, 4, 5, 6, \.\.\.\)"),
        (b'a,b\n1,2\n"secret,4\n5,6\n', "opens a field on line 3 is never closed"),
        (b"a,b,a\n1,2,3\n", "2 columns named 'a'"),
        (b"a,b\n1,\x002\n", "NUL"),
        ("a,b\n1,2\n".encode("utf-16-le"), "NUL"),
        (b"\xff\xfea\0,\0\x00\xd8,\0", "not text in utf-16-le"),
    ],
)
def test_faults(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_csv(data, "x")
    assert "secret" not in str(caught.value)


def test_all_faults_at_once() -> None:
    with pytest.raises(InputError) as caught:
        read_csv(b"a,b,a,b\n1,2\n", "x")
    assert len(caught.value.faults) == 3


def test_faults_of_arguments() -> None:
    data = b"apple,b\n\xe9,2\n"
    with pytest.raises(InputError, match="not text in utf-8"):
        read_csv(data, "x", encoding="utf-8")
    with pytest.raises(InputError, match="unknown encoding 'klingon'"):
        read_csv(data, "x", encoding="klingon")
    with pytest.raises(InputError, match="not text in rot-13"):
        read_csv(data, "x", encoding="rot13")
    for delimiter in ("", "ab", "\n", '"', "é", "7"):
        with pytest.raises(InputError, match="the delimiter must be one ASCII character"):
            read_csv(data, "x", delimiter=delimiter)
    with pytest.raises(InputError, match="no column 'aple': did you mean 'apple'") as caught:
        read_csv(data, "x", columns=["aple", "b"], text=["zip"])
    assert len(caught.value.faults) == 2
