"""Read and write files of records: delimited text, Parquet, Excel, SPSS, Stata, SAS.

`write(..., like=document)` writes back what was read: what did not change stays as it was in the file, to the
byte in delimited text. Between formats values are converted, with the types that were inferred, and what the
other format has no place for is dropped (value labels in CSV and Parquet); a column that was read from text
with leading zeros and not changed is written as text.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames.atomic import atomic, explain, is_standard, staged, standard_input
from discreet.frames.dataframes import check_columns
from discreet.frames.document import Document
from discreet.frames.formats import Format, format_of, writable_format


def read(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    columns: Sequence[str] | None = None,
    text: Collection[str] = (),
    exact: Collection[str] = (),
    verbatim: Collection[str] = (),
    data: bytes | None = None,
) -> Document:
    """Read a file; its extension says the format, and `-` is CSV on standard input.

    `delimiter` and `encoding` are for delimited text and detected by default; `columns` restricts the frame
    to some columns; those in `text` stay text, as written, even if they look like numbers (codes,
    identifiers). In delimited text so do those in `exact`, where a number may have more digits than a float64 (numbers
    with decimal commas get points), and those in `verbatim`, categories to the letter; neither need exist, and columns
    that have a type in the file keep it. `data` is the content of delimited text that was read already: a stream can be
    read but once.
    """
    found = format_of(path)
    if delimiter is not None and found.family != "text":
        raise InputError(f"{found.name} files have no delimiter: leave it out")
    if encoding is not None and found.family in ("parquet", "xlsx"):
        raise InputError(f"{found.name} files have no encoding to choose: leave it out")
    name = "standard input" if is_standard(path) else os.fspath(path)
    try:
        if not is_standard(path) and Path(path).is_dir():
            raise InputError(f"cannot read {name}: it is a folder, and a file is wanted")
        if found.family == "text":
            from discreet.frames.csv_text import read_csv

            table, source = read_csv(
                _bytes_of(path, name, found, data),
                name,
                delimiter=delimiter or found.delimiter,
                encoding=encoding,
                columns=columns,
                text=text,
                exact=exact,
                verbatim=verbatim,
            )
            return Document(name, found.name, table, source)
        with open(path, "rb") as probe:
            if not probe.read(1):
                raise InputError(f"{name} is empty")
        if found.family == "parquet":
            document = _read_parquet(path, name, columns)
        elif found.family == "xlsx":
            from discreet.frames.spreadsheets.read import read_sheet

            document = Document(name, found.name, read_sheet(path, name, columns))
        else:
            document = _read_labelled(path, name, found, columns, encoding)
    except OSError as error:
        raise explain(error, path, "read") from error
    if not document.n:
        raise InputError(f"{name} has column names but no rows")
    return _with_text(document, text)


def write(
    data: Any,
    path: str | os.PathLike[str],
    *,
    like: Document | None = None,
    order: NDArray[np.integer[Any]] | Sequence[int] | None = None,
    anew: Collection[str] = (),
    force: bool = False,
    encoding: str | None = None,
    format: str | None = None,
) -> None:
    """Write a frame, whole or not at all; `-` is CSV on standard output.

    `like` is the document the frame was made from: what is unchanged is written as it was read there. Without
    `order` the rows must be those of `like` in their order; rows that were shuffled need `order`, where
    `order[i]` is the row of `like` that row i of the frame was. The columns in `anew`, those a method worked on, are
    written anew even if no value in them changed: else `1.5` and `1.50`, or different codes for a missing value, could
    tell records apart that are published as equal. `format` is an extension, such as "csv.gz", for a path whose name
    does not tell.
    """
    found = writable_format(path, format)
    if isinstance(data, Document):
        like = data if like is None else like
        data = data.frame
    rows = None if order is None else np.asarray(order, dtype=np.int64)
    if found.family == "text":
        _write_text(data, path, found, like, rows, anew, force, encoding)
    elif encoding is not None:
        raise InputError("an encoding can be chosen for delimited text only")
    elif found.family == "parquet":
        _write_parquet(data, path, like, rows, anew, force)
    elif found.family == "xlsx":
        _write_sheet(data, path, like, rows, anew, force)
    else:
        _write_labelled(data, path, found, like, rows, anew, force)


def _bytes_of(path: str | os.PathLike[str], name: str, found: Format, data: bytes | None) -> bytes:
    """What a delimited text consists of, decompressed."""
    if data is None:
        data = standard_input() if is_standard(path) else Path(path).read_bytes()
    if not found.compressed:
        return data
    try:
        return gzip.decompress(data) if data else b""
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InputError(f"cannot read {name}: it is damaged or not compressed with gzip") from None


def _write_text(
    data: Any,
    path: str | os.PathLike[str],
    found: Format,
    like: Document | None,
    order: NDArray[np.int64] | None,
    anew: Collection[str],
    force: bool,
    encoding: str | None,
) -> None:
    from discreet.frames.csv_text import CsvText
    from discreet.frames.csv_write import write_csv
    from discreet.frames.dataframes import to_arrow

    source = like.source if like is not None and isinstance(like.source, CsvText) else None
    read = like.frame if like is not None and source is not None else None
    table = to_arrow(data)
    with atomic(path, force) as handle, ExitStack() as stack:
        sink: Any = handle
        if found.compressed:
            sink = stack.enter_context(gzip.GzipFile(filename="", mode="wb", fileobj=handle, mtime=0))
        write_csv(
            table,
            sink,
            read=read,
            source=source,
            order=order,
            anew=anew,
            delimiter=found.delimiter,
            encoding=encoding,
        )


def _read_parquet(path: str | os.PathLike[str], name: str, columns: Sequence[str] | None) -> Document:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            check_columns(name, columns, file.schema_arrow.names)
            table = file.read(columns=None if columns is None else list(columns))
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno):
            raise
        raise InputError(f"cannot read {name}: the file is damaged or not Parquet") from None
    _check_distinct_names(name, table.column_names)
    _check_zones(name, table.schema)
    return Document(name, "Parquet", table)


def _check_zones(name: str, schema: Any) -> None:
    """A time of a zone that nobody here knows can be neither shown nor compared."""
    import pyarrow as pa

    unknown: dict[Any, bool] = {}
    faults = Faults()
    for field in schema:
        if pa.types.is_timestamp(field.type) and field.type.tz is not None:
            if field.type not in unknown:
                try:
                    pa.array([0], field.type).cast(pa.string())
                    unknown[field.type] = False
                except (pa.ArrowException, ValueError):
                    unknown[field.type] = True
            faults.check(
                not unknown[field.type], f"column {field.name!r} of {name} is in a time zone that is not known"
            )
    faults.raise_if_any()


def _write_parquet(
    data: Any,
    path: str | os.PathLike[str],
    like: Document | None,
    order: NDArray[np.int64] | None,
    anew: Collection[str],
    force: bool,
) -> None:
    import pyarrow.parquet as pq

    from discreet.frames.dataframes import kind_of, to_arrow

    if kind_of(data) == "pandas":
        import pyarrow as pa

        to_arrow(data)  # names the column that Arrow cannot hold
        bare = data.copy(deep=False)
        bare.attrs = {}  # what it says beside its rows would go along
        table = pa.Table.from_pandas(bare)
    else:
        table = to_arrow(data)
    table = publishable(_zeros_kept(table, like, order, anew))
    with atomic(path, force) as handle:
        pq.write_table(table, handle)


def _write_sheet(
    data: Any,
    path: str | os.PathLike[str],
    like: Document | None,
    order: NDArray[np.int64] | None,
    anew: Collection[str],
    force: bool,
) -> None:
    from discreet.frames.dataframes import to_arrow
    from discreet.frames.spreadsheets.write import write_sheet

    table = _zeros_kept(to_arrow(data), like, order, anew)
    with atomic(path, force) as handle:
        write_sheet(table, handle)


def _read_labelled(
    path: str | os.PathLike[str],
    name: str,
    found: Format,
    columns: Sequence[str] | None,
    encoding: str | None,
) -> Document:
    from discreet.frames.labelled import read_labelled, value_labels, variable_labels

    frame, source = read_labelled(path, found.family, columns, encoding)
    return Document(name, found.name, frame, source, variable_labels(source), value_labels(source))


def _write_labelled(
    data: Any,
    path: str | os.PathLike[str],
    found: Format,
    like: Document | None,
    order: NDArray[np.int64] | None,
    anew: Collection[str],
    force: bool,
) -> None:
    from discreet.frames.dataframes import kind_of, to_arrow
    from discreet.frames.labelled import Labelled, write_labelled

    frame = data if kind_of(data) == "pandas" else _as_pandas(_zeros_kept(to_arrow(data), like, order, anew), found)
    source = like.source if like is not None and isinstance(like.source, Labelled) else None
    read = like.frame if like is not None and source is not None else None
    with staged(path, force) as temporary:
        write_labelled(frame, temporary, found.family, read=read, source=source, order=order, anew=anew)


def _as_pandas(table: Any, found: Format) -> Any:
    """The table as pandas has it; one error for all columns with values that it has no type for."""
    import pyarrow as pa

    refusals = (pa.ArrowException, ValueError, OverflowError, NotImplementedError)
    try:
        return table.to_pandas()
    except refusals:
        faults = Faults()
        for field, column in zip(table.schema, table.columns):
            try:
                column.to_pandas()
            except refusals:
                faults.add(f"column {field.name!r} has values that {found.name} files cannot hold: leave it out")
        faults.raise_if_any()
        raise


def _zeros_kept(table: Any, like: Document | None, order: NDArray[np.int64] | None, anew: Collection[str]) -> Any:
    """The table with unchanged numeric columns that have leading zeros in their text as that text."""
    import pyarrow as pa

    from discreet.frames.csv_text import CsvText
    from discreet.frames.csv_write import same_column
    from discreet.frames.numbers import looks_like_codes

    if like is None or not isinstance(like.source, CsvText) or (order is None and len(table) != like.n):
        return table
    afresh = set(anew)
    old = dict(zip(like.frame.column_names, like.frame.columns))
    columns, fields = [], []
    for field, column in zip(table.schema, table.columns):
        name = field.name
        if (
            name in old
            and name not in afresh
            and not pa.types.is_string(field.type)
            and same_column(column, old[name], order)
            and looks_like_codes(text := like.source.text(name))
        ):
            column = text if order is None else text.take(pa.array(order))
            field = field.with_type(column.type)
        columns.append(column)
        fields.append(field)
    return pa.table(columns, schema=pa.schema(fields, metadata=table.schema.metadata))


def publishable(table: Any) -> Any:
    """The table without what a file would say beside its rows.

    Dictionaries list no more than the values that occur; the marks of our reader go, and the description that pandas
    left if it speaks of columns that are gone.
    """
    import pyarrow as pa

    from discreet.frames.dictionaries import tidy_table

    fields = []
    for field in table.schema:
        kept = {key: value for key, value in (field.metadata or {}).items() if not key.startswith(b"discreet")}
        fields.append(field.with_metadata(kept or None) if field.metadata else field)
    metadata = dict(table.schema.metadata or {})
    if not _described(metadata.get(b"pandas", b"{}")) <= set(table.column_names):
        del metadata[b"pandas"]
    return tidy_table(pa.table(table.columns, schema=pa.schema(fields, metadata=metadata or None)))


def _described(text: bytes) -> set[str | None]:
    """The columns that pandas' description of a table speaks of; None among them if it cannot be read."""
    import json

    try:
        return {column.get("field_name") for column in json.loads(text).get("columns", [])}
    except (ValueError, AttributeError, TypeError):
        return {None}


def _with_text(document: Document, text: Collection[str]) -> Document:
    """The document with some columns as text."""
    if not text:
        return document
    from discreet.frames.dataframes import text_array
    from discreet.frames.replace import replace_text_columns

    check_columns(document.name, list(text), document.names)
    shown = {name: list(text_array(document.frame, name)) for name in text}
    return replace(document, frame=replace_text_columns(document.frame, shown))


def _check_distinct_names(name: str, names: Sequence[str]) -> None:
    repeated = [column for column, count in Counter(names).items() if count > 1]
    if repeated:
        raise InputError(f"{name} has several columns named {column!r}: rename them" for column in repeated)
