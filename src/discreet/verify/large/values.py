"""One column of a batch: as it is published, and as numbers.

Published values are the same only if they are so by bits: floats become whole numbers of their width, decimals and
nested values become texts. Numbers are float64, NaN where missing, by the rules for columns that are held in memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.verify.groups import values_of
from discreet.verify.readers.column import DELIMITED, NESTED, TEMPORAL, Column, shown
from discreet.verify.readers.typed import as_bits, decoded, typed_column
from discreet.verify.values.exact import normal, parse_text
from discreet.verify.values.meaning import (
    NUMERIC,
    SAYING_NOTHING,
    fold,
    missing,
    numbers,
    stored_moments,
    texts,
)

Floats = NDArray[np.float64]

WRITTEN = "discreet.written"
"""The type of arrays that hold fields of delimited text as they stand there."""


def is_written(kind: Any) -> bool:
    return getattr(kind, "extension_name", None) == WRITTEN


def column_of(name: str, array: Any) -> Column:
    """An Arrow array as a column of distinct entries."""
    if not is_written(array.type):
        return typed_column(name, array)
    encoded = decoded(array).dictionary_encode()
    codes, entries = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64), encoded.dictionary
    return Column(name, DELIMITED, codes, entries, np.zeros(len(entries), bool), comma=array.type.comma)


def bits(name: str, array: Any) -> Any:
    """An Arrow array that is equal where, and only where, the values are the same as published."""
    import pyarrow as pa

    try:
        kind, _, found = as_bits(decoded(array))
        if kind == NESTED:
            return pa.array([None if value is None else repr(value) for value in found.to_pylist()], pa.large_string())
        return found
    except (pa.ArrowException, ValueError, TypeError, OverflowError, NotImplementedError):
        raise InputError(f"column {shown(name)!r} is of a type that cannot be compared: {shown(array.type)}") from None


def floats(name: str, array: Any) -> tuple[Floats, bool]:
    """The numbers of a column row by row, NaN where missing, and whether there is nothing but numbers."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_float64(kind):
        return _with_gaps(array, np.float64), True
    if pa.types.is_integer(kind) and not pa.types.is_uint64(kind):
        if not array.null_count:
            return array.to_numpy(zero_copy_only=False).astype(np.float64), True
        whole = array.fill_null(0).to_numpy(zero_copy_only=False).astype(np.float64)
        whole[np.asarray(array.is_null().to_numpy(zero_copy_only=False), bool)] = np.nan
        return whole, True
    column = column_of(name, array)
    only = numbers(column).valid | missing(column, numeric=True)
    return values_of(column), bool(only.all())


def _with_gaps(array: Any, kind: type) -> Floats:
    return np.asarray(array.to_numpy(zero_copy_only=False), kind)  # nulls become NaN


def said(name: str, array: Any) -> Any:
    """What each value says, as a text that is equal for values that differ in form only; null where it is missing.

    The rules are those of `folded_codes`.
    """
    import pyarrow as pa

    column = column_of(name, array)
    return pa.array(_keys(column), pa.large_string()).take(pa.array(column.codes))


def _keys(column: Column) -> list[str | None]:
    if column.kind in NUMERIC or column.kind in TEMPORAL:
        gone = missing(column, numeric=column.kind in NUMERIC)
        found = numbers(column) if column.kind in NUMERIC else stored_moments(column)
        if found.floats is not None:
            return [None if away else float(value + 0.0).hex() for away, value in zip(gone, found.floats)]
        exact = normal(found)
        pairs = [exact.long.get(i, (int(m), int(e))) for i, (m, e) in enumerate(zip(exact.mantissa, exact.exponent))]
        return [None if away else f"{m}e{e}" for away, (m, e) in zip(gone, pairs)]
    keys: list[str | None] = []
    for text, away in zip(texts(column), missing(column, numeric=False).tolist()):
        folded = fold(text)
        number = parse_text(folded)
        if away or folded in SAYING_NOTHING:
            keys.append(None)
        elif number is None:
            keys.append("=" + folded)
        else:
            m, e = number
            while m and m % 10 == 0:
                m, e = m // 10, e + 1
            keys.append(f"{m}e{e if m else 0}")
    return keys
