"""The machine of four states against texts whose fields are plain to see."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from discreet.verify.readers.scan import CLOSED, PLAIN, QUOTED, START, alike, bare, survey, walk


def fields(text: bytes, most: int = 100, room: int = 100) -> tuple[list[list[bytes]], int, int]:
    raw = np.frombuffer(text, np.uint8)
    starts, ends, first = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64)
    records, _, state, at = walk(raw, 0, ord(","), most, starts, ends, first)
    flat = [text[a:b] for a, b in zip(starts.tolist(), ends.tolist())]
    return [flat[first[r] : first[r + 1]] for r in range(records)], state, at


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a,b\nc,d\n", [[b"a", b"b"], [b"c", b"d"]]),
        (b"a,b\r\nc,d", [[b"a", b"b"], [b"c", b"d"]]),
        (b"a\r\rb\n\n\nc", [[b"a"], [b"b"], [b"c"]]),
        (b",\n,", [[b"", b""], [b"", b""]]),
        (b'"a,""\n",b\n', [[b'"a,""\n"', b"b"]]),
        (b'a"b,"c"d\n', [[b'a"b', b'"c"d']]),
        (b'""\n', [[b'""']]),
        (b"", []),
    ],
)
def test_fields_and_records(text: bytes, expected: list[list[bytes]]) -> None:
    assert fields(text)[0] == expected


@pytest.mark.parametrize(("text", "state"), [(b"a,", START), (b"a", PLAIN), (b'"a\n', QUOTED), (b'"a"', CLOSED)])
def test_the_state_at_the_end_tells_an_open_quote(text: bytes, state: int) -> None:
    assert fields(text)[1] == state


def test_it_stops_after_the_most_records_behind_their_line_end() -> None:
    found, _, at = fields(b"a\r\nb\r\nc\r\n", most=2)
    assert found == [[b"a"], [b"b"]] and at == 6


def test_quotes_are_taken_off_and_doubled_ones_become_one() -> None:
    entries = [b'"a""b"', b"", b'c"d', b'"e"f', b'""']
    data = np.frombuffer(b"".join(entries), np.uint8)
    offsets = np.append(0, np.cumsum([len(entry) for entry in entries]))
    out, bounds = np.empty(data.size, np.uint8), np.empty(6, np.int64)
    bare(data, offsets, out, bounds)
    assert [out[a:b].tobytes() for a, b in pairwise(bounds)] == [b'a"b', b"", b'c"d', b"ef", b""]


def grid(rows: list[list[bytes]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    lengths = np.array([[len(field) for field in row] for row in rows])
    ends = np.cumsum(lengths.ravel()).reshape(lengths.shape)
    return np.frombuffer(b"".join(field for row in rows for field in row), np.uint8), ends - lengths, ends


def test_columns_are_alike_only_byte_by_byte() -> None:
    one, two = [[b"1", b"ab", b"x"], [b"2", b"cd", b""]], [[b"ab", b"1", b"x"], [b"cd", b"2.", b""]]
    assert alike(*grid(one), *grid(two), np.array([0, 1, 2]), np.array([1, 0, 2])).tolist() == [False, True, True]


def test_numbers_zeros_in_front_and_empty_fields_are_counted() -> None:
    rows = [[b"-1.5", b"007", b""], [b"+3", b"0", b"1e5"], [b"1.2.3", b"0.5", b"-"], [b".", b"12", b"4 "]]
    plain, padded, empty = survey(*grid(rows), np.arange(3))
    assert (plain.tolist(), padded.tolist(), empty.tolist()) == ([2, 4, 0], [0, 1, 0], [0, 0, 1])
