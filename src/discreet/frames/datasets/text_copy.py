"""Delimited text that is written piece by piece in the manner of another.

What is binary in a piece stands as it is. Numbers and text are new fields, written and quoted as in memory
(`discreet.frames.csv_write`). Pieces may also be written one by one, in UTF-8 without a header, and be put together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from discreet.frames.csv_text import DELIMITERS
from discreet.frames.datasets.streams import STEP, packed
from discreet.frames.datasets.writing import flush

if TYPE_CHECKING:
    from discreet.frames.datasets.delimited import Delimited

ROWS = 1 << 16


class TextCopy:
    """A text in the manner of another, of these of its columns; rows stand in their order unless it is `mixed`."""

    def __init__(self, handle: BinaryIO, how: Delimited, columns: Collection[str], *, mixed: bool = False) -> None:
        from discreet.frames.csv_write import Encoder

        self._how, self._target = how, Encoder(handle, how, None)
        fields = [one for name, one in zip(how.names, how.header) if name in columns]
        whole = len(fields) == len(how.names) and not mixed
        self._target.write(how.head if whole else how.hint + how.delimiter.encode().join(fields) + how.terminator)
        self._end = b""

    def write(self, table: Any) -> None:
        """Add a piece."""
        for text in rows_as_text(table, self._how, self._how.commas):
            self._target.write(self._end + text)
            self._end = self._how.terminator

    def add(self, path: Path) -> None:
        """Add rows that are in a file of their own."""
        self._target.write(self._end)
        self._end = self._how.terminator
        with path.open("rb") as piece:
            while data := piece.read(STEP):
                self._target.write(data)

    def close(self) -> None:
        """The last line ends as that of the other text does."""
        if self._how.ends_with_newline:
            self._target.write(self._end)


@contextmanager
def text_copy(
    path: Path, like: Delimited, columns: Collection[str], *, compressed: bool, mixed: bool = False
) -> Iterator[TextCopy]:
    """A text to be written in the manner of another; it is flushed to the disk at the end."""
    with path.open("wb") as handle, packed(handle, compressed=compressed) as target:
        copy = TextCopy(target, like, columns, mixed=mixed)
        yield copy
        copy.close()
    flush(path)


def write_piece(path: Path, table: Any, how: Delimited, commas: Collection[str]) -> None:
    """Rows as text into a file of their own, in UTF-8."""
    end = b""
    with path.open("wb") as handle:
        for text in rows_as_text(table, how, commas):
            handle.write(end + text)
            end = how.terminator


def rows_as_text(table: Any, how: Delimited, commas: Collection[str]) -> Iterator[bytes]:
    """Rows as they stand in a text, some thousand at a time, but for the end of the last line.

    New fields of the columns in `commas` get decimal commas.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    binary = pa.large_binary()
    delimiter, end = (pa.scalar(one, binary) for one in (how.delimiter.encode(), how.terminator))
    for batch in table.to_batches(max_chunksize=ROWS):
        alone = batch.num_columns == 1
        fields = [_fields(batch.column(name), how, name, name in commas, alone) for name in batch.schema.names]
        rows = pc.binary_join_element_wise(*fields, delimiter) if len(fields) > 1 else fields[0]
        block = pc.binary_join_element_wise(rows, pa.scalar(b"", binary), end)
        offsets = np.frombuffer(block.buffers()[1], np.int64)[block.offset : block.offset + len(block) + 1]
        text = block.buffers()[2].slice(int(offsets[0]), int(offsets[-1] - offsets[0])).to_pybytes()
        yield text.removesuffix(how.terminator)


def _fields(column: Any, how: Delimited, name: str, comma: bool, alone: bool) -> Any:
    """The fields of a column as bytes: what is binary as it is, anything else as in memory."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from discreet.frames.csv_write import quoted
    from discreet.frames.text import as_text

    if pa.types.is_large_binary(column.type):  # alone in its row, an empty field would be an empty line
        return pc.if_else(pc.equal(column, b""), pa.scalar(b'""', column.type), column) if alone else column
    text = pa.concat_arrays(as_text(column).chunks)
    if comma:
        text = pc.replace_substring(text, ".", ",")
    text = pc.fill_null(text.cast(pa.large_string()), "")
    always = name in how.quoted
    number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    if always or alone or not number or how.delimiter not in DELIMITERS:
        text = quoted(text, how.delimiter, always=always, alone=alone)
    return text.cast(pa.large_binary())
