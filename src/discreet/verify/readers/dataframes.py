"""Dataframes for the checker: pandas, Polars and pyarrow tables, each through its own few lines."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

import numpy as np

from discreet.errors import InputError
from discreet.verify.readers.column import shown
from discreet.verify.readers.typed import ArrowTable, arrow_table, check_names, is_null


def from_dataframe(frame: Any, what: str) -> ArrowTable:
    """The checker's table of a dataframe; `what` is what messages call it."""
    native = frame.to_native() if type(frame).__module__.startswith("narwhals") else frame
    home = type(native).__module__.split(".")[0]
    kind = type(native).__name__
    if home == "numpy":
        raise InputError(f"{what} is a numpy array: give its columns names, as in pandas.DataFrame(array, columns=...)")
    if callable(getattr(native, "collect", None)) and not hasattr(native, "column_names"):
        raise InputError(f"{what} is a lazy frame: compute it first, as in frame.collect()")
    if home == "pandas" and kind == "DataFrame":
        return _pandas(native, what)
    if home == "polars" and kind == "DataFrame":
        return _polars(native, what)
    if home == "pyarrow" and kind == "Table":
        return arrow_table(native, what)
    raise InputError(f"{what} is a {kind}: pass a pandas or Polars DataFrame, a pyarrow Table, or a file")


def _pandas(frame: Any, what: str) -> ArrowTable:
    if frame.columns.nlevels > 1:
        raise InputError(f"{what} has columns with several levels of names: flatten them to one name each")
    names = list(frame.columns)
    check_names(names, what)
    odd = [name for name in names if not isinstance(name, str)]
    if odd:
        raise InputError(f"{what} has {len(odd)} columns whose names are not text: rename them")
    arrays = [pandas_column(frame.iloc[:, c], name) for c, name in enumerate(names)]
    index = []
    for level in range(frame.index.nlevels):
        values = frame.index.get_level_values(level)
        if frame.index.nlevels == 1 and _counts_rows(values):
            continue
        name = str(values.name) if values.name is not None else f"index {level}" if level else "index"
        while name in names:
            name = f"{name} of the index"
        index.append(name)
        names.append(name)
        arrays.append(pandas_column(values.to_series(), name))
    return ArrowTable(names, arrays, len(frame), index=index)


def _counts_rows(index: Any) -> bool:
    """Whether an index says no more than the order of rows does."""
    if type(index).__name__ == "RangeIndex":
        return True
    return bool(index.dtype == np.int64 and np.array_equal(index.to_numpy(), np.arange(len(index))))


def pandas_column(series: Any, name: str) -> Any:
    import pyarrow as pa

    dtype = series.dtype
    if isinstance(dtype, np.dtype) and dtype.kind == "c":
        raise InputError(f"column {shown(name)!r} holds complex numbers, which cannot be compared")
    try:
        if isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize <= 8:
            return pa.array(series.to_numpy(), from_pandas=False)
        if isinstance(dtype, np.dtype) and dtype.kind == "O":
            return _objects(series.tolist())
        return pa.array(series, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError, NotImplementedError):
        return series.tolist()


def _objects(values: list[Any]) -> Any:
    """Objects as an Arrow array where all are texts, dates or times (or missing), else as they are."""
    import pyarrow as pa

    moments = {date: pa.date32(), time: pa.time64("us"), datetime: pa.timestamp("us")}
    kinds = {type(value) for value in values if not _missing(value)}
    kind = kinds.pop() if len(kinds) == 1 else str
    if kind in moments and all(getattr(value, "tzinfo", None) is None for value in values):
        return pa.array([None if _missing(value) else value for value in values], moments[kind])

    texts = [value if type(value) is str else None for value in values]
    if all(text is not None or _missing(value) for text, value in zip(texts, values)):
        return pa.array(texts, pa.large_string())
    return [None if _missing(value) else value for value in values]


def _missing(value: Any) -> bool:
    return is_null(value) or (isinstance(value, float) and value != value)


def _polars(frame: Any, what: str) -> ArrowTable:
    arrays = []
    for series in frame.get_columns():
        try:
            arrays.append(series.to_arrow())
        except BaseException as error:  # what polars cannot convert it reports as a panic, which is no Exception
            if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
                raise
            arrays.append(series.to_list())
    return ArrowTable(frame.columns, arrays, frame.height)
