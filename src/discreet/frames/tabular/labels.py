"""Columns of records as a table counts them: distinct labels with their codes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.frames.dataframes import adopt, arrow_column, column_faults
from discreet.frames.document import Document
from discreet.frames.text import as_text


def named_column(frame: Any, name: str) -> Any:
    """A column of a frame or a file as an Arrow array; delimited text as the file spells it."""
    import pyarrow as pa

    from discreet.frames.csv_text import CsvText

    faults = column_faults(frame, [name])
    if faults:
        raise InputError(faults)
    if isinstance(frame, Document) and isinstance(frame.source, CsvText):
        stays_text = pa.types.is_string(frame.frame.schema.field(name).type)
        return arrow_column(adopt(frame).get_column(name)) if stays_text else frame.source.text(name)
    return arrow_column(adopt(frame).get_column(name))


def encoded(column: Any, name: str, *, gaps: bool = False) -> tuple[list[str], NDArray[np.int64]]:
    """The distinct texts of a column and the number of each entry's; -1 where it is missing, if `gaps` may be."""
    import pyarrow as pa

    text = as_text(column)
    text = text.combine_chunks() if isinstance(text, pa.ChunkedArray) else text
    found = (text.chunk(0) if isinstance(text, pa.ChunkedArray) else text).dictionary_encode()
    missing = found.null_count
    if missing and not gaps:
        raise InputError(f"column {name!r} is empty in {missing} rows: fill them in or drop the rows")
    codes = found.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return found.dictionary.to_pylist(), codes.astype(np.int64)
