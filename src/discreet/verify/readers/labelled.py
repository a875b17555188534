"""SPSS, Stata and SAS files for the checker, as they are stored: codes without formats, user-defined missing values.

A value that the file itself declares to be missing is an entry like any other, and means that the value is missing.
Dates are stored as numbers, and each house counts from another day: they are taken as the moments pyreadstat makes of
them, if these tell apart all that the numbers do.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import InputError
from discreet.verify.readers.column import MIXED, Column, Mask
from discreet.verify.readers.dataframes import pandas_column
from discreet.verify.readers.typed import ArrowTable, check_names, is_null

READERS = {
    "sav": "read_sav",
    "zsav": "read_sav",
    "por": "read_por",
    "dta": "read_dta",
    "xpt": "read_xport",
    "sas7bdat": "read_sas7bdat",
}
MAYBE_DATE = re.compile(r"DATE|TIME|YMD|YR|MO|WK|DAY|MM|DD|YY|JUL|TOD|HH|%-?[td]", re.IGNORECASE)


class LabelledTable(ArrowTable):
    """The stored columns, and for each the values that stand for "missing"."""

    missing: dict[str, list[Any]]

    def read(self, name: str) -> Column:
        found = super().read(name)
        declared = self.missing.get(name, [])
        if not declared and found.kind != MIXED:
            return found
        absent = found.absent | _declared(found, declared)
        return Column(name, found.kind, found.codes, found.entries, absent, unit=found.unit)


def read_labelled(source: str | os.PathLike[str] | bytes, kind: str, name: str, encoding: str | None) -> LabelledTable:
    """The table in a labelled file or its bytes."""
    try:
        import pyreadstat
    except ImportError:
        raise InputError(f"{name}: files of this kind need another package: pip install 'discreet[spss]'") from None
    options: dict[str, Any] = {} if encoding is None or kind == "por" else {"encoding": encoding}
    if kind in ("sav", "zsav", "dta", "sas7bdat"):
        options["user_missing"] = True
    own: Any = getattr(pyreadstat, "PyreadstatError", None) or pyreadstat._readstat_parser.PyreadstatError
    refusals = (pyreadstat.ReadstatError, own, ValueError, TypeError, OverflowError, LookupError, RuntimeError)
    reader = getattr(pyreadstat, READERS[kind])
    try:
        if isinstance(source, bytes):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"data.{kind}"
                path.write_bytes(source)
                frame, meta, dated = _stored_and_dated(reader, path, options)
        else:
            frame, meta, dated = _stored_and_dated(reader, source, options)
    except refusals:
        raise InputError(f"cannot read {name}: the file is damaged or not of this format") from None
    return _table(frame, meta, dated, name)


def _stored_and_dated(reader: Any, path: Any, options: dict[str, Any]) -> tuple[Any, Any, Any]:
    """The stored frame, what is known about it, and the columns that may hold dates as dates (None where none may)."""
    frame, meta = reader(path, disable_datetime_conversion=True, **options)
    formats = meta.original_variable_types
    dates = [c for c in meta.column_names if frame[c].dtype.kind in "if" and MAYBE_DATE.search(formats.get(c) or "")]
    if not dates:
        return frame, meta, None
    dated, _ = reader(path, dates_as_pandas_datetime=True, usecols=dates, **options)
    return frame, meta, dated


def _moments(stored: Any, dated: Any) -> Any | None:
    """A column of dates or times as an Arrow array, None where it says less than the stored numbers."""
    import pyarrow as pa

    if stored.dtype == dated.dtype:
        return None
    try:
        array = pa.array(dated, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        return None
    temporal = pa.types.is_timestamp(array.type) or pa.types.is_time(array.type) or pa.types.is_date(array.type)
    bits = stored.to_numpy(dtype=np.float64)
    kept = array.null_count == int(np.isnan(bits).sum())
    distinct = len(np.unique(bits[~np.isnan(bits)].view(np.int64)))
    return array if temporal and kept and len(array.drop_null().unique()) == distinct else None


def _table(frame: Any, meta: Any, dated: Any, name: str) -> LabelledTable:
    names = [str(column) for column in frame.columns]
    check_names(names, name)
    if not len(frame):
        raise InputError(f"{name} has column names but no rows")
    arrays = [pandas_column(frame.iloc[:, c], column) for c, column in enumerate(names)]
    for column in () if dated is None else dated.columns:
        moments = _moments(frame[column], dated[column])
        if moments is not None:
            arrays[names.index(str(column))] = moments
    carried = []
    if meta.variable_value_labels:
        carried.append("value labels")
    if meta.notes or meta.file_label:
        carried.append("notes")
    table = LabelledTable(names, arrays, len(frame), carried=carried)
    table.missing = {}
    for column in names:
        declared = [*(meta.missing_ranges or {}).get(column, ()), *(meta.missing_user_values or {}).get(column, ())]
        if declared:
            table.missing[column] = declared
    return table


def _declared(column: Column, declared: list[Any]) -> Mask:
    """Which entries the file declares missing; a letter among numbers (Stata's .a) always is."""
    entries = column.entries if isinstance(column.entries, list) else _values(column)
    numeric = any(isinstance(value, int | float) for value in entries)
    out = np.zeros(column.size, bool)
    for code, value in enumerate(entries):
        if value is None or is_null(value):
            continue
        if numeric and isinstance(value, str):
            out[code] = True
        for item in declared:
            low, high = (item["lo"], item["hi"]) if isinstance(item, dict) else (item, item)
            if isinstance(value, str) == isinstance(low, str) == isinstance(high, str):
                out[code] |= bool(low <= value <= high)
    return out


def _values(column: Column) -> list[Any]:
    if column.kind == "float64":
        bits = column.entries.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        return list(bits.view(np.float64).tolist())
    return list(column.entries.to_pylist())
