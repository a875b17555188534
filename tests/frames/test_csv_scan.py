"""The scanner against Python's own csv module."""

from __future__ import annotations

import csv
import io
from itertools import pairwise

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from discreet.frames import csv_scan

TEXT = st.text(alphabet='ab",;\n\r é', max_size=60)


def scan(text: str, delimiter: str, width: int) -> tuple[list[list[str]], np.ndarray, np.ndarray]:
    raw = np.frombuffer(text.encode(), dtype=np.uint8)
    starts = np.zeros((raw.size + 1, width), dtype=np.int32)
    ends = np.zeros_like(starts)
    lines = np.zeros(3, dtype=np.int64)
    found = csv_scan.scan(raw, 0, ord(delimiter), width, starts, ends, lines)
    n = int(found[csv_scan.RECORDS])
    columns = []
    for c in range(width):
        offsets = np.empty(n + 1, dtype=np.int64)
        csv_scan.lengths(raw, starts[:n, c], ends[:n, c], offsets)
        out = np.empty(offsets[-1], dtype=np.uint8)
        csv_scan.unquote(raw, starts[:n, c], ends[:n, c], out)
        columns.append([out[a:b].tobytes().decode() for a, b in pairwise(offsets)])
    return [list(row) for row in zip(*columns)], found, lines


def expected(text: str, delimiter: str) -> list[list[str]]:
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]


@given(TEXT, st.sampled_from(",;"))
@example('"a""b",c\r\n,""\r\n', ",")
@example('"a"b"c,d\n', ",")
@example('a"b,"c\nd"\n', ",")
@example("a\r\rb,c\n\r\n", ",")
@example('""', ",")
def test_scan_agrees_with_the_csv_module(text: str, delimiter: str) -> None:
    rows = expected(text, delimiter)
    for width in {1, 2, 3} | {len(row) for row in rows}:
        found_rows, found, _ = scan(text, delimiter, width)
        if found[csv_scan.OPEN_QUOTE]:
            return  # the csv module lets an open quote pass
        assert found_rows == [row for row in rows if len(row) == width]
        assert found[csv_scan.RAGGED] == sum(len(row) != width for row in rows)


@given(TEXT)
def test_an_open_quote_is_told(text: str) -> None:
    _, found, _ = scan(text, ",", 2)
    try:
        list(csv.reader(io.StringIO(text, newline=""), strict=True))
        closed = True
    except csv.Error as error:
        closed = "unexpected end of data" not in str(error)
        if closed:
            return  # strict mode also refuses text after a closing quote, which is let through here
    assert (found[csv_scan.OPEN_QUOTE] == 0) == closed


def test_lines_of_ragged_records_count_line_ends_in_quotes() -> None:
    _, found, lines = scan('a,b\n"x\r\ny\nz",2\n\nragged\n1,2\r3,4,5\n', ",", 2)
    assert found[csv_scan.RECORDS] == 3
    assert found[csv_scan.RAGGED] == 2
    assert lines.tolist() == [6, 8, 0]
