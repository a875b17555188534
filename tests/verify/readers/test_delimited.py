"""Delimited text: fields as Python's csv module reads them, encodings and marks, and files that cannot be used."""

from __future__ import annotations

import csv
import gzip
import io
import random

import pytest

import discreet as dc
from discreet.verify import File, verify
from discreet.verify.readers import open_table
from discreet.verify.readers.delimited import bare_entries, read_delimited
from discreet.verify.values.meaning import numbers, texts


def columns(data: bytes, **more: str) -> dict[str, list[str]]:
    table = open_table(File(data=data, **more), "data")
    found = {}
    for name in table.names:
        column = table.column(name)
        found[name] = [texts(column)[code] for code in column.codes]
    return found


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_fields_as_pythons_csv_module_reads_them(delimiter: str) -> None:
    pieces = ["a", "b", " ", '"', '""', "\n", "\r\n", delimiter, "ü", "0", ".", "["]
    for seed in range(150):
        rng = random.Random(seed)
        width, n = rng.randint(2, 4), rng.randint(1, 5)
        rows = [["".join(rng.choices(pieces, k=rng.randint(0, 4))) for _ in range(width)] for _ in range(n)]
        sink = io.StringIO()
        writer = csv.writer(sink, delimiter=delimiter, lineterminator=rng.choice(["\n", "\r\n"]))
        writer.writerows([[f"c{j}" for j in range(width)], *rows])
        data = sink.getvalue().encode()
        found = columns(data if rng.random() < 0.5 else data.rstrip(b"\r\n") if rows[-1][-1] else data)
        assert list(map(list, zip(*found.values()))) == rows
        assert columns(data, delimiter=delimiter) == found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-32"])
def test_encodings_marks_and_hints(encoding: str) -> None:
    text = "sep=;\r\nname;x\r\nJosé;1,5\r\nß;2\r\n"
    assert columns(text.encode(encoding)) == {"name": ["José", "ß"], "x": ["1,5", "2"]}
    assert columns(gzip.compress(text.encode(encoding)), format="csv.gz")["x"] == ["1,5", "2"]
    column = open_table(File(data=text.encode(encoding)), "data").column("x")
    found = numbers(column)
    assert found.valid.all() and found.mantissa.tolist() == [15, 2] and found.exponent.tolist() == [-1, 0]


MALFORMED = {
    "ragged": b"a,b\n1,2\n3\n",
    "twice": b"a,a\n1,2\n",
    "NUL": b"a,b\n1,\x00\n",
    "open quote": b'a,b\n1,"2\n',
    "empty": b"",
    "header only": b"a,b\n",
    "only line ends": b"\n\n\r\n",
    "binary": bytes(range(256)),
    "half a mark": b"\xff\xfe\x41",
    "control characters": b"\x1b[31mred,b\n1\n",
}


@pytest.mark.parametrize("case", MALFORMED)
@pytest.mark.parametrize("which", ["original", "published"])
def test_malformed_text_is_an_error(case: str, which: str) -> None:
    good, bad = File(data=b"a,b\n1,2\n"), File(data=MALFORMED[case])
    with pytest.raises(dc.InputError) as caught:
        verify(*((bad, good) if which == "original" else (good, bad)), k=1)
    assert str(caught.value).replace("\n", "").isprintable()


@pytest.mark.parametrize("mark", [",", ";", "|", "\t"])
def test_the_delimiter_that_splits_most_lines_is_taken(mark: str) -> None:
    rows = [["a", "b", "c"], ["1,5", "x;y", "p|q"], ["2,5", "z", "r"]]
    quoted = [[f'"{field}"' if any(c in field for c in ";|,\t") else field for field in row] for row in rows]
    text = "\n".join(mark.join(row) for row in quoted).encode()
    table = read_delimited(text, "data", compressed=False, delimiter=None, encoding=None)
    assert table.delimiter == ord(mark) and table.names == rows[0]
    assert table.peek("b", [1, 0]) == ["z", "x;y"]


def test_entries_are_the_bytes_of_fields_and_bare_without_quotes() -> None:
    text = b'x,y\n"1",a\n1,b\n"a""b",c\n1,d\n'
    table = read_delimited(text, "data", compressed=False, delimiter=",", encoding=None)
    column = table.read("x")
    assert column.entries.to_pylist() == [b'"1"', b"1", b'"a""b"'] and column.codes.tolist() == [0, 1, 2, 1]
    assert bare_entries(column).to_pylist() == [b"1", b"1", b'a"b']
    assert table.read("y").entries.to_pylist() == [b"a", b"b", b"c", b"d"]


def test_equal_columns_are_seen_and_only_those() -> None:
    def read(text: bytes, mark: str = ";"):  # type: ignore[no-untyped-def]
        return read_delimited(text, "data", compressed=False, delimiter=mark, encoding=None)

    one = read(b"a;b;c\n1;2;3\n4;5;6\n")
    assert one.same(read(b"a;b;c\n1;2;9\n4;5;6\n"), ["a", "b", "c"]) == {"a", "b"}
    assert one.same(read(b'a;b;c\n"1";2;3\n4;5;6\n'), ["a", "b"]) == {"b"}
    assert one.same(read(b"a;b;c\n1;2;3\n"), ["a", "b"]) == set()
    # A comma is a point in the one file and not in the other.
    assert one.same(read(b"a,b,c\n1,2,3\n4,5,6\n", ","), ["a"]) == set()
    rows = one.left_rows(read(b"a;b;c\n4;5;0\n1;2;0\n"), ["a", "b"])
    assert rows is not None
    here, there = rows
    assert here.tolist() == there.tolist()[::-1] and here[0] != here[1]
    # Fields do not run into each other: "1", "23" is not "12", "3".
    rows = read(b"a;b\n1;23\n").left_rows(read(b"a;b\n12;3\n"), ["a", "b"])
    assert rows is not None and rows[0][0] != rows[1][0]


def test_what_stands_between_rows_is_told_where_it_differs() -> None:
    def seams(text: bytes) -> tuple[bytes, ...] | None:
        return read_delimited(text, "data", compressed=False, delimiter=",", encoding=None).seams()

    assert seams(b"a,b\n1,2\n3,4\n5,6\n") is None
    assert seams(b"a,b\n1,2\n3,4\r\n5,6\n") == (b"\n", b"\r\n")


def test_more_than_one_part_of_gzip_is_carried() -> None:
    text = b"a,b\n1,2\n"
    plain = read_delimited(gzip.compress(text), "data", compressed=True, delimiter=None, encoding=None)
    parts = read_delimited(
        gzip.compress(text[:4]) + gzip.compress(text[4:]), "data", compressed=True, delimiter=None, encoding=None
    )
    assert not plain.carried and parts.carried and parts.rows == plain.rows == 1
    with pytest.raises(dc.InputError, match="damaged or not compressed"):
        read_delimited(text, "data", compressed=True, delimiter=None, encoding=None)


@pytest.mark.parametrize("delimiter", ["", ",,", "a", "1", '"', "\n", "é"])
def test_what_cannot_separate_is_refused(delimiter: str) -> None:
    with pytest.raises(dc.InputError, match="must be one ASCII character"):
        read_delimited(b"a,b\n1,2\n", "data", compressed=False, delimiter=delimiter, encoding=None)
