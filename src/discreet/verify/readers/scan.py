"""The fields of a delimited text, found by a machine of four states that looks at every byte once.

States: at the START of a field, in a PLAIN field, in a QUOTED one, after a quote within it (CLOSED). A field is quoted
when its first byte is a quote; then delimiters and line ends in it are text and two quotes stand for one. Whatever
follows the closing quote belongs to the field as it is. A line ends at LF, CR or both; a line without any byte is no
record. Fields are stored one after another, with the number of fields that stood before each record.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]

START, PLAIN, QUOTED, CLOSED = 0, 1, 2, 3


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def walk(raw: Bytes, begin: int, delimiter: int, most: int, starts: Integers, ends: Integers, first: Integers) -> Any:
    """Fields and records from byte `begin` on, at most `most` records; stored as far as the arrays have room.

    Returns the number of records and of fields, the state at the end, and the byte after the last record. `first[r]` is
    the number of fields before record r.
    """
    size = raw.size
    records = fields = 0
    state = START
    start = begin
    line_begin = True
    at = begin
    while at < size and records < most:
        byte = raw[at]
        if state == QUOTED:
            if byte == 34:
                state = CLOSED
            at += 1
            continue
        if state == START and byte == 34:
            start, state, line_begin = at, QUOTED, False
            at += 1
            continue
        if state == CLOSED and byte == 34:
            state = QUOTED
            at += 1
            continue
        ends_line = byte == 10 or byte == 13
        if byte != delimiter and not ends_line:
            if state == START:
                start = at
            state, line_begin = PLAIN, False
            at += 1
            continue
        if state == START:
            start = at
        if not (ends_line and line_begin):
            if fields < starts.size:
                starts[fields], ends[fields] = start, at
            fields += 1
        if ends_line:
            if not line_begin:
                records += 1
                if records < first.size:
                    first[records] = fields
            if byte == 13 and at + 1 < size and raw[at + 1] == 10:
                at += 1
            line_begin = True
        else:
            line_begin = False
        state = START
        at += 1
    if at >= size and records < most and not line_begin:  # the last line has no end
        if state == START:
            start = at
        if fields < starts.size:
            starts[fields], ends[fields] = start, at
        fields += 1
        records += 1
        if records < first.size:
            first[records] = fields
    return records, fields, state, at


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def gather(raw: Bytes, starts: Integers, ends: Integers, offsets: Integers, out: Bytes) -> None:
    """The bytes of some fields, one after another."""
    for i in range(starts.size):
        to = offsets[i]
        for at in range(starts[i], ends[i]):
            out[to] = raw[at]
            to += 1


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def bare(data: Bytes, offsets: Integers, out: Bytes, bounds: Integers) -> None:
    """The fields without their quotes: `bounds[i]` to `bounds[i + 1]` of `out`."""
    to = 0
    bounds[0] = 0
    for i in range(offsets.size - 1):
        at, end = offsets[i], offsets[i + 1]
        if at < end and data[at] == 34:
            at += 1
            while at < end:
                if data[at] == 34:
                    if at + 1 < end and data[at + 1] == 34:
                        at += 1
                    else:
                        at += 1
                        break
                out[to] = data[at]
                to += 1
                at += 1
        while at < end:
            out[to] = data[at]
            to += 1
            at += 1
        bounds[i + 1] = to


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def alike(
    raw: Bytes,
    starts: Any,
    ends: Any,
    raw2: Bytes,
    starts2: Any,
    ends2: Any,
    columns: Integers,
    columns2: Integers,
) -> NDArray[np.bool_]:
    """For pairs of columns of two texts, whether all their fields have the same bytes."""
    same = np.ones(columns.size, np.bool_)
    for r in range(starts.shape[0]):
        for j in range(columns.size):
            if not same[j]:
                continue
            a, b = starts[r, columns[j]], starts2[r, columns2[j]]
            length = ends[r, columns[j]] - a
            if length != ends2[r, columns2[j]] - b:
                same[j] = False
                continue
            for q in range(length):
                if raw[a + q] != raw2[b + q]:
                    same[j] = False
                    break
    return same


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def survey(raw: Bytes, starts: Any, ends: Any, columns: Integers) -> Any:
    """Per column how many fields are plain numbers (sign, digits, a point), how many of them begin with a zero and
    another digit, and how many are empty."""
    plain = np.zeros(columns.size, np.int64)
    padded = np.zeros(columns.size, np.int64)
    empty = np.zeros(columns.size, np.int64)
    for r in range(starts.shape[0]):
        for j in range(columns.size):
            at, end = starts[r, columns[j]], ends[r, columns[j]]
            if at == end:
                empty[j] += 1
                continue
            if end - at > 300:
                continue
            if raw[at] == 45 or raw[at] == 43:
                at += 1
            zero = end - at > 1 and raw[at] == 48 and 48 <= raw[at + 1] <= 57
            figures = points = 0
            while at < end:
                if 48 <= raw[at] <= 57:
                    figures += 1
                elif raw[at] == 46:
                    points += 1
                else:
                    points = 2
                at += 1
            if figures > 0 and points < 2:
                plain[j] += 1
                padded[j] += zero
    return plain, padded, empty


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def pack(raw: Bytes, starts: Any, ends: Any, columns: Integers, offsets: Integers, out: Bytes) -> None:
    """Some fields of every record, each after eight bytes of its length; without room only `offsets` are set."""
    to = 0
    for r in range(starts.shape[0]):
        offsets[r] = to
        for j in range(columns.size):
            at, end = starts[r, columns[j]], ends[r, columns[j]]
            if out.size:
                length = end - at
                for q in range(8):
                    out[to + q] = (length >> (8 * q)) & 255
                for q in range(end - at):
                    out[to + 8 + q] = raw[at + q]
            to += 8 + end - at
    offsets[starts.shape[0]] = to
