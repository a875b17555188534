"""Put new values into some columns of a frame and leave everything else as it was.

The rule for numbers, the same for every kind of frame:

* an integer column stays of its integer type when all its new values are whole (with `round`, after rounding
  to the nearest integer, half to even), else it becomes float64;
* a float column of less than 64 bits keeps its type if that holds every new value exactly, else it becomes
  float64: records published with equal values stay equal;
* a decimal column becomes float64;
* whole numbers given as a list of int (None where missing) stay what they are, in an integer column;
* NaN becomes null; where a pandas column of numpy integers has to hold it, the column becomes float64, as
  pandas itself does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames.dataframes import adopt, column_faults, kind_of
from discreet.frames.values.plain import plain_array


def replace_columns(
    frame: Any, columns: Mapping[str, NDArray[np.float64] | Sequence[int | None]], *, round: bool = False
) -> Any:
    """The frame with these numeric columns replaced: same kind, rows, order, index, metadata and other columns."""
    adopted = adopt(frame)
    _check(adopted, columns, numeric=True)
    fresh = {}
    schema = adopted.schema
    for name, values in columns.items():
        dtype = numpy_type(schema[name])
        if (
            isinstance(values, list)
            and dtype.kind in "iu"
            and all(type(value) in (int, type(None)) for value in values)
        ):
            gaps = np.array([value is None for value in values])
            whole = np.array([0 if value is None else value for value in values], dtype)
            fresh[name] = np.ma.MaskedArray(whole, mask=gaps)
        else:
            fresh[name] = settle(np.asarray(values, dtype=np.float64), dtype, round)
    return put_columns(adopted.to_native(), fresh)


def replace_text_columns(frame: Any, columns: Mapping[str, Sequence[str | None]]) -> Any:
    """The frame with these columns replaced by text; None is missing."""
    adopted = adopt(frame)
    _check(adopted, columns, numeric=False)
    fresh: dict[str, Any] = {name: list(values) for name, values in columns.items()}
    return put_columns(adopted.to_native(), fresh)


def exchange_columns(frame: Any, rows: Mapping[str, NDArray[np.int64]]) -> Any:
    """The frame with the values of these columns exchanged between rows: row i gets what row `rows[name][i]` had.

    Same kind, order, index, types and other columns. Dictionaries of categorical columns are set up anew: they list
    values by first appearance.
    """
    from discreet.frames.dictionaries import take, tidy, tidy_pandas

    adopted = adopt(frame)
    _check(adopted, rows, numeric=False)
    native = adopted.to_native()
    kind = kind_of(native)
    if kind == "pandas":
        out = native.copy(deep=False)
        for name, places in rows.items():
            taken = native[[name]].take(places).set_axis(native.index)
            out[name] = tidy_pandas(taken)[name]
        return out
    if kind == "polars":
        return native.with_columns([native[name].gather(places) for name, places in rows.items()])
    for name, places in rows.items():
        at = native.column_names.index(name)
        native = native.set_column(at, native.schema.field(at), tidy(take(native.column(at), places)))
    return native


def number_column(frame: Any, column: str, numbers: Sequence[int | None]) -> Any:
    """The frame with whole numbers in place of a column of any type; None is missing."""
    adopted = adopt(frame)
    _check(adopted, {column: numbers}, numeric=False)
    native = adopted.to_native()
    kind = kind_of(native)
    if kind == "pandas":
        import pandas as pd

        out = native.copy(deep=False)
        out[column] = pd.Series(list(numbers), index=native.index, dtype="Int64" if None in numbers else "int64")
        return out
    import pyarrow as pa

    array = pa.array(numbers, pa.int64())
    if kind == "polars":
        import polars as pl

        return native.with_columns(pl.Series(column, pl.from_arrow(array)))
    place = native.column_names.index(column)
    return native.set_column(place, pa.field(column, pa.int64()), array)


def _check(frame: Any, columns: Mapping[str, Any], *, numeric: bool) -> None:
    faults = Faults()
    for fault in column_faults(frame, list(columns), numeric=numeric) if columns else []:
        faults.add(fault)
    for name, values in columns.items():
        faults.check(
            len(values) == len(frame),
            f"column {name!r} would get {len(values)} values, and the data has {len(frame)} rows",
        )
    faults.raise_if_any()


def numpy_type(dtype: Any) -> np.dtype[Any]:
    """The numpy type of a narwhals numeric type; float64 for those numpy has not (decimals, 128 bits)."""
    name = str(dtype).split("(")[0].lower()
    try:
        return np.dtype(name)
    except TypeError:
        return np.dtype(np.int64 if name == "int128" else np.float64)


def settle(values: NDArray[np.float64], dtype: np.dtype[Any], round: bool) -> np.ma.MaskedArray[Any, Any]:
    """The values in the type the rule gives them, masked where missing."""
    missing = np.isnan(values)
    if dtype.kind in "iu":
        if round:
            values = np.rint(values)
        present = values[~missing]
        span = np.iinfo(dtype)
        # float(max) of 64 bits rounds up to a power of two that no longer fits, hence the strict comparison.
        fits = bool(np.all((present >= float(span.min)) & (present < float(span.max) + 1.0)))
        if fits and bool(np.all(present == np.rint(present))):
            whole = np.where(missing, 0.0, values)
            return np.ma.MaskedArray(whole.astype(dtype), mask=missing)
    elif dtype.itemsize < 8:
        with np.errstate(over="ignore"):
            narrow = values.astype(dtype)
        if bool(np.all((narrow.astype(np.float64) == values) | missing)):
            return np.ma.MaskedArray(narrow, mask=missing)
    return np.ma.MaskedArray(values, mask=missing)


def put_columns(native: Any, fresh: Mapping[str, Any]) -> Any:
    """The frame with these columns as they are given: masked arrays of numbers, or lists of text."""
    kind = kind_of(native)
    if kind == "pandas":
        return _put_pandas(native, fresh)
    if kind == "polars":
        import polars as pl

        series = []
        for name, values in fresh.items():
            new = pl.Series(name, pl.from_arrow(_arrow(values)))
            if new.dtype.is_integer():
                new = new.cast(native.schema[name])
            series.append(new)
        return native.with_columns(series)
    import pyarrow as pa

    columns, fields = [], []
    for field, column in zip(native.schema, native.columns):
        if field.name in fresh:
            column = _arrow(fresh[field.name])
            field = field.with_type(column.type)
            if column.null_count:
                field = field.with_nullable(True)
        columns.append(column)
        fields.append(field)
    return pa.table(columns, schema=pa.schema(fields, metadata=native.schema.metadata))


def _put_pandas(native: Any, fresh: Mapping[str, Any]) -> Any:
    import pandas as pd

    out = native.copy(deep=False)
    for name, values in fresh.items():
        dtype = native[name].dtype
        if not isinstance(values, np.ma.MaskedArray):
            text = "str" if int(pd.__version__.split(".")[0]) >= 3 else object
            out[name] = pd.Series(values, index=native.index, dtype=text)
            continue
        missing = np.ma.getmaskarray(values)
        new: Any
        if hasattr(dtype, "pyarrow_dtype"):
            new = pd.arrays.ArrowExtensionArray(_arrow(values))
        elif isinstance(dtype, np.dtype):
            holds_nan = values.dtype.kind == "f" or not missing.any()
            new = values.data if holds_nan else np.where(missing, np.nan, values.data.astype(np.float64))
        elif values.dtype.kind in "iu":
            new = pd.arrays.IntegerArray(values.data, missing)
        else:
            new = pd.arrays.FloatingArray(values.data, missing)
        out[name] = pd.Series(new, index=native.index, copy=False)
    return out


def _arrow(values: Any) -> Any:
    import pyarrow as pa

    if isinstance(values, np.ma.MaskedArray):
        return plain_array(values.data, np.ma.getmaskarray(values))
    try:
        return pa.array(values, pa.string())
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise InputError("a text column must hold text and None only") from None
