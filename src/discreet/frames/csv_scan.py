"""Where the fields of a delimited text are: one pass over its bytes, after RFC 4180.

A field that begins with a quote ends at the next quote that is not doubled; any other quote is an ordinary
character. A record ends at LF, CR LF or CR outside quotes; empty lines are no records. The text is UTF-8 and
the delimiter ASCII, so that bytes can be compared without decoding. `tests/frames` compares these loops with
Python's own `csv` module.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

QUOTE = 34
_CR = 13
_LF = 10

Bytes = NDArray[np.uint8]
Spans = NDArray[Any]  # int32 or, for texts of 2 GB and more, int64

# What `scan` reports: how many records it found, how many of them have the wrong number of fields, the line
# on which a quoted field begins that never ends (0 if none), and the byte after the last record that was
# read.
RECORDS, RAGGED, OPEN_QUOTE, STOP = 0, 1, 2, 3


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def scan(
    raw: Bytes,
    begin: int,
    delimiter: int,
    width: int,
    starts: Spans,
    ends: Spans,
    ragged_lines: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Fill `starts[r, c]`, `ends[r, c]` for the records from byte `begin` on, up to as many as there is room
    for.

    `width` is the number of fields a record must have. Records with another number are counted and the lines
    of the first of them noted in `ragged_lines`; they take no room. With `width` 0 the first record decides,
    and only it is read; `starts` then has one row, and its columns bound the number of fields.
    """
    found = np.empty(4, np.int64)
    found[:] = 0
    size = raw.size
    room = starts.shape[0]
    columns = starts.shape[1]
    line = 1
    for i in range(begin):
        if raw[i] == _LF or (raw[i] == _CR and not (i + 1 < size and raw[i + 1] == _LF)):
            line += 1
    at = begin
    row = 0
    while at < size and row < room:
        first_line = line
        field = 0
        empty = False
        while True:
            start = at
            if at < size and raw[at] == QUOTE:
                opened = line
                at += 1
                closed = False
                while at < size:
                    byte = raw[at]
                    if byte == QUOTE:
                        if at + 1 < size and raw[at + 1] == QUOTE:
                            at += 2
                            continue
                        closed = True
                        at += 1
                        break
                    if byte == _LF or (byte == _CR and not (at + 1 < size and raw[at + 1] == _LF)):
                        line += 1
                    at += 1
                if not closed and found[OPEN_QUOTE] == 0:
                    found[OPEN_QUOTE] = opened
            while at < size and raw[at] != delimiter and raw[at] != _LF and raw[at] != _CR:
                at += 1
            if field < columns:
                starts[row, field] = start
                ends[row, field] = at
            field += 1
            if at < size and raw[at] == delimiter:
                at += 1
                continue
            empty = field == 1 and at == start
            if at < size:
                at += 2 if raw[at] == _CR and at + 1 < size and raw[at + 1] == _LF else 1
                line += 1
            break
        if empty:
            continue
        if width == 0:
            found[RECORDS] = field
            found[STOP] = at
            return found
        if field == width:
            row += 1
        else:
            if found[RAGGED] < ragged_lines.size:
                ragged_lines[found[RAGGED]] = first_line
            found[RAGGED] += 1
    found[RECORDS] = row
    found[STOP] = at
    return found


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def last_record(raw: Bytes, delimiter: int) -> int:
    """The byte where the last record begins, whether or not it ends: what stands before it are whole records."""
    size = raw.size
    at = 0
    found = 0
    while at < size:
        begin = at
        while True:
            if at < size and raw[at] == QUOTE:
                at += 1
                while at < size:
                    if raw[at] == QUOTE:
                        at += 1
                        if not (at < size and raw[at] == QUOTE):
                            break
                    at += 1
            while at < size and raw[at] != delimiter and raw[at] != _LF and raw[at] != _CR:
                at += 1
            if at < size and raw[at] == delimiter:
                at += 1
                continue
            break
        if at > begin:
            found = begin
        if at < size:
            at += 2 if raw[at] == _CR and at + 1 < size and raw[at + 1] == _LF else 1
    return found


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def lengths(raw: Bytes, starts: Spans, ends: Spans, offsets: NDArray[np.int64]) -> int:
    """Offsets of the unquoted fields in a buffer that holds them one after another; returns how many are quoted."""
    quoted = 0
    offsets[0] = 0
    for row in range(starts.shape[0]):
        at = starts[row]
        end = ends[row]
        length = end - at
        if length > 0 and raw[at] == QUOTE:
            quoted += 1
            at += 1
            length -= 1
            while at < end:
                if raw[at] == QUOTE:
                    length -= 1
                    if at + 1 < end and raw[at + 1] == QUOTE:
                        at += 1
                    else:
                        break
                at += 1
        offsets[row + 1] = offsets[row] + length
    return quoted


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def unquote(raw: Bytes, starts: Spans, ends: Spans, out: Bytes) -> None:
    """Copy the unquoted fields one after another, as `lengths` measured them."""
    to = 0
    for row in range(starts.shape[0]):
        at = starts[row]
        end = ends[row]
        if at < end and raw[at] == QUOTE:
            at += 1
            while at < end:
                if raw[at] == QUOTE:
                    at += 1
                    if not (at < end and raw[at] == QUOTE):
                        break
                out[to] = raw[at]
                to += 1
                at += 1
        while at < end:
            out[to] = raw[at]
            to += 1
            at += 1


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def copy_fields(raw: Bytes, starts: Spans, ends: Spans, out: Bytes) -> None:
    """Copy fields as they are written, one after another."""
    to = 0
    for row in range(starts.shape[0]):
        for at in range(starts[row], ends[row]):
            out[to] = raw[at]
            to += 1


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def weave(
    raw: Bytes,
    starts: Spans,
    ends: Spans,
    rows: NDArray[np.int64],
    taken: NDArray[np.int64],
    fresh: Bytes,
    offsets: NDArray[np.int64],
    delimiter: int,
    terminator: Bytes,
    verbatim: bool,
    begin: int,
    out: Bytes,
) -> int:
    """Write records into `out`, each field either as it stands in `raw` or from `fresh`; returns the bytes
    written.

    Record i is record `rows[i]` of the text. Field c is field `taken[c]` of that record, or for `taken[c]` =
    -1 - f the bytes `offsets[f, i]` to `offsets[f, i + 1]` of `fresh`. With `verbatim` the fields are those
    of the text in their order, and what stands between them is copied too, from byte `begin` on, whatever it
    is.
    """
    to = 0
    last = taken.size - 1
    for i in range(rows.size):
        row = rows[i]
        for c in range(taken.size):
            if verbatim:
                for at in range(begin, starts[row, c]):
                    out[to] = raw[at]
                    to += 1
                begin = ends[row, c]
            source = taken[c]
            if source >= 0:
                for at in range(starts[row, source], ends[row, source]):
                    out[to] = raw[at]
                    to += 1
            else:
                for at in range(offsets[-1 - source, i], offsets[-1 - source, i + 1]):
                    out[to] = fresh[at]
                    to += 1
            if not verbatim:
                if c < last:
                    out[to] = delimiter
                    to += 1
                else:
                    for at in range(terminator.size):
                        out[to] = terminator[at]
                        to += 1
    return to
