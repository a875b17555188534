"""The checker's own thin readers: delimited text, Parquet, Excel, SPSS, Stata and SAS files, and dataframes.

They share no line with what reads and writes data for the methods. `open_table` gives a `Table` of `Column`s.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePath
from typing import Any

from discreet.errors import InputError
from discreet.verify.file import File
from discreet.verify.readers.column import Column, Table, shown, shown_list

TEXTS = {"csv": None, "tsv": "\t", "tab": "\t", "txt": None}
KNOWN = ".csv, .tsv, .txt (each also .gz), .parquet, .xlsx, .sav, .zsav, .por, .dta, .xpt, .sas7bdat"


def open_table(source: Any, what: str) -> Table:
    """The table behind a dataframe, a path or a `File`; `what` is what messages call a dataframe."""
    if isinstance(source, str | os.PathLike):
        source = File(source)
    if isinstance(source, File):
        return _open_file(source, what)
    if isinstance(source, Table):
        return source
    from discreet.verify.readers.dataframes import from_dataframe

    return from_dataframe(source, what)


def _open_file(file: File, what: str) -> Table:
    if (file.path is None) == (file.data is None):
        raise InputError("a file is given by its path or by its bytes: one of the two")
    standard = file.path is not None and os.fspath(file.path) == "-"
    name = "standard input" if standard else what if file.path is None else shown(os.fspath(file.path))
    kind, delimiter, compressed = _kind(file, name, standard)
    text = kind in TEXTS
    if file.delimiter is not None and not text:
        raise InputError(f"{name} is no delimited text and has no delimiter: leave it out")
    if file.encoding is not None and kind in ("parquet", "xlsx"):
        names = {"parquet": "Parquet", "xlsx": "Excel"}
        raise InputError(f"{names[kind]} files have no encoding to choose: leave it out")
    try:
        if standard and sys.stdin is None:
            raise InputError("cannot read standard input: it is closed")
        source: Any = file.data if file.data is not None else sys.stdin.buffer.read() if standard else None
        if source is None:
            assert file.path is not None
            path = Path(file.path)
            if path.is_dir():
                raise InputError(f"cannot read {name}: it is a folder, and a file is wanted")
            with path.open("rb") as handle:
                source = handle.read() if text else handle.read(1) and path
        if not source:
            raise InputError(f"{name} is empty")
        return _read(source, kind, name, file.delimiter or delimiter, file.encoding, compressed)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "it is damaged"
        raise InputError(f"cannot read {name}: {reason}") from None


def _read(source: Any, kind: str, name: str, delimiter: str | None, encoding: str | None, compressed: bool) -> Table:
    if kind in TEXTS:
        from discreet.verify.readers.delimited import read_delimited

        return read_delimited(source, name, compressed=compressed, delimiter=delimiter, encoding=encoding)
    if kind == "parquet":
        from discreet.verify.readers.typed import read_parquet

        table = read_parquet(source, name)
        if not table.rows:
            raise InputError(f"{name} has column names but no rows")
        return table
    if kind == "xlsx":
        from discreet.verify.readers.spreadsheet import read_spreadsheet

        return read_spreadsheet(source, name)
    from discreet.verify.readers.labelled import read_labelled

    return read_labelled(source, kind, name, encoding)


def _kind(file: File, name: str, standard: bool) -> tuple[str, str | None, bool]:
    """The format, its own delimiter, and whether it is compressed."""
    from discreet.verify.readers.labelled import READERS

    if file.format is not None:
        parts = ["", *file.format.lower().lstrip(".").split(".")]
    elif standard or file.path is None:
        parts = ["", "csv"]
    else:
        parts = PurePath(file.path).name.lower().split(".")
        path = Path(file.path)
        if len(parts) == 1 and path.exists() and not path.is_file() and not path.is_dir():
            parts = ["", "csv"]  # a pipe
    compressed = len(parts) > 2 and parts[-1] == "gz"
    last = parts[-2] if compressed else parts[-1]
    if len(parts) > 1 and last in TEXTS:
        return last, TEXTS[last], compressed
    last = parts[-1] if len(parts) > 1 else ""
    last = {"pq": "parquet"}.get(last, last)
    if last in ("parquet", "xlsx") or last in READERS:
        return last, None, False
    raise InputError(f"cannot tell the format of {name} by its name: the extension must be one of {KNOWN}")


__all__ = ["Column", "File", "Table", "open_table", "shown", "shown_list"]
