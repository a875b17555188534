"""Typed columns for the checker: Arrow arrays, from Parquet files and dataframes, by value and type to the bit."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.errors import InputError
from discreet.verify.readers.column import (
    BOOL,
    BYTES,
    DATE,
    DECIMAL,
    DURATION,
    INT,
    MIXED,
    NESTED,
    TEXT,
    TIME,
    TIMESTAMP,
    Column,
    Table,
    shown,
)


class ArrowTable(Table):
    """Columns as Arrow arrays or, where Arrow has no type for them, lists of objects."""

    def __init__(
        self,
        names: Sequence[str],
        arrays: Sequence[Any],
        rows: int,
        *,
        carried: Sequence[str] = (),
        index: Sequence[str] = (),
    ) -> None:
        import pyarrow as pa

        self.names, self.rows, self.carried, self.index = list(names), rows, carried, index
        whole = [pa.chunked_array([array]) if isinstance(array, pa.Array) else array for array in arrays]
        self._arrays = dict(zip(names, whole))

    def read(self, name: str) -> Column:
        return typed_column(name, self._arrays[name])

    def peek(self, name: str, rows: Sequence[int]) -> list[str]:
        array = self._arrays[name]
        try:
            return [str(array[r] if isinstance(array, list) else array[r].as_py()) for r in rows]
        except (ValueError, OverflowError, NotImplementedError):  # a moment that Python has no date for
            return [""] * len(rows)

    def listing(self, name: str) -> Column | None:
        import pyarrow as pa

        array = self._arrays[name]
        if isinstance(array, list) or not pa.types.is_dictionary(array.type) or array.type.ordered:
            return None
        words = array.unify_dictionaries().chunk(0).dictionary if array.num_chunks else None
        try:
            values = [] if words is None else words.to_pylist()
            return None if values == sorted(values) else typed_column(name, words)
        except (TypeError, ValueError, OverflowError):  # nothing that has an order, or that Python has a value for
            return None

    def idle(self, name: str) -> Sequence[str]:
        import pyarrow as pa

        array = self._arrays[name]
        if isinstance(array, list) or not pa.types.is_dictionary(array.type):
            return ()
        found: dict[str, bool] = {}
        for chunk in array.chunks:
            used = np.zeros(len(chunk.dictionary), np.bool_)
            used[chunk.indices.drop_null().to_numpy(zero_copy_only=False)] = True
            for value, taken in zip(chunk.dictionary, used.tolist()):
                text = str(value)
                found[text] = taken or found.get(text, False)
        return [text for text, taken in found.items() if not taken]

    def same(self, other: Table, names: Sequence[str]) -> set[str]:
        if not isinstance(other, ArrowTable) or other.rows != self.rows:
            return set()
        found = set()
        for name in names:
            a, b = self._arrays[name], other._arrays[name]
            if isinstance(a, list) or isinstance(b, list) or a.type != b.type:
                continue
            if not _bitwise(a.type) and a.equals(b):
                found.add(name)
        return found


def _bitwise(kind: Any) -> bool:
    """Whether `equals` of Arrow may equate what differs by bits, or not what is alike."""
    import pyarrow as pa

    return bool(pa.types.is_floating(kind) or pa.types.is_nested(kind) or pa.types.is_dictionary(kind))


def read_parquet(source: str | os.PathLike[str] | bytes, name: str) -> ArrowTable:
    """The table in a Parquet file or its bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(io.BytesIO(source) if isinstance(source, bytes) else source) as file:
            table = file.read()
    except OSError as error:
        if error.errno:
            raise
        raise InputError(f"cannot read {name}: the file is damaged or not Parquet") from None
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        raise InputError(f"cannot read {name}: the file is damaged or not Parquet") from None
    return arrow_table(table, name)


def arrow_table(table: Any, name: str) -> ArrowTable:
    """A pyarrow Table as the checker's own."""
    names = table.column_names
    check_names(names, name)
    keys = len(table.schema.metadata or {}) + sum(bool(f.metadata) for f in table.schema)
    parquet = {b"PARQUET:field_id"}
    plain = all(set(f.metadata or {}) <= parquet for f in table.schema) and not table.schema.metadata
    carried = () if plain or not keys else ("metadata of its schema",)
    return ArrowTable(names, table.columns, table.num_rows, carried=carried)


def check_names(names: Sequence[Any], name: str) -> None:
    """One error that names the columns that stand several times."""
    seen: dict[Any, int] = {}
    for column in names:
        seen[column] = seen.get(column, 0) + 1
    twice = [column for column, count in seen.items() if count > 1]
    if twice:
        raise InputError(f"{name} has {seen[c]} columns named {shown(c)!r}: rename them" for c in twice)


def typed_column(name: str, array: Any) -> Column:
    """An Arrow array, or a list of objects, as a column of distinct entries."""
    import pyarrow as pa

    if isinstance(array, list):
        return _mixed(name, array)
    try:
        return _encoded(name, decoded(array))
    except (pa.ArrowException, ValueError, TypeError, OverflowError, NotImplementedError):
        raise InputError(f"column {shown(name)!r} is of a type that cannot be compared: {shown(array.type)}") from None


def decoded(array: Any) -> Any:
    """One array, without dictionary, run ends or extension."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    while True:
        if isinstance(array.type, pa.BaseExtensionType):
            array = array.storage
        elif pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        elif pa.types.is_run_end_encoded(array.type):
            array = pc.run_end_decode(array)
        else:
            return array


def _encoded(name: str, array: Any) -> Column:
    import pyarrow as pa

    kind, unit, array = as_bits(array)
    if kind == NESTED:
        texts = [None if value is None else repr(value) for value in array.to_pylist()]
        array = pa.array(texts, pa.large_string())
    encoded = array.dictionary_encode(null_encoding="encode")
    entries = encoded.dictionary
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    absent = np.asarray(entries.is_null().to_numpy(zero_copy_only=False), bool)
    return Column(name, kind, codes, entries, absent, unit=unit)


def as_bits(array: Any) -> tuple[str, str, Any]:
    """The kind of a column, its unit of time, and its values in a type whose equality is that of bits."""
    import pyarrow as pa

    t, kind = pa.types, array.type
    views = {n: getattr(pa, n) for n in ("string_view", "binary_view") if hasattr(pa, n)}
    if t.is_string(kind) or t.is_large_string(kind) or ("string_view" in views and kind == views["string_view"]()):
        return TEXT, "", array.cast(pa.large_string())
    if t.is_fixed_size_binary(kind) and not t.is_decimal(kind):
        return BYTES, "", array.cast(pa.binary()).cast(pa.large_binary())
    if t.is_binary(kind) or t.is_large_binary(kind) or ("binary_view" in views and kind == views["binary_view"]()):
        return BYTES, "", array.cast(pa.large_binary())
    if t.is_null(kind):
        return TEXT, "", pa.nulls(len(array), pa.large_string())
    if t.is_boolean(kind):
        return BOOL, "", array.cast(pa.int8())
    if t.is_integer(kind):
        return INT, "", array
    if t.is_floating(kind):
        width = kind.bit_width
        return f"float{width}", "", array.view({16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[width])
    if t.is_decimal(kind):
        return DECIMAL, "", array.cast(pa.string()).cast(pa.large_string())
    if t.is_date(kind):
        days = t.is_date32(kind)
        return DATE, "day" if days else "ms", array.view(pa.int32() if days else pa.int64()).cast(pa.int64())
    if t.is_time(kind):
        return TIME, kind.unit, array.view(pa.int32() if t.is_time32(kind) else pa.int64()).cast(pa.int64())
    if t.is_timestamp(kind):
        return TIMESTAMP, kind.unit, array.view(pa.int64())
    if t.is_duration(kind):
        return DURATION, kind.unit, array.view(pa.int64())
    return NESTED, "", array


def _mixed(name: str, values: list[Any]) -> Column:
    """Objects of several types: the same if of one type and equal (floats by bits)."""
    found: dict[Any, int] = {}
    entries: list[Any] = []
    codes = np.empty(len(values), np.int64)
    for row, value in enumerate(values):
        key: Any = (type(value), value.hex() if isinstance(value, float) else value)
        try:
            place = found.setdefault(key, len(entries))
        except TypeError:  # lists and the like cannot be looked up
            place = found.setdefault((type(value), repr(value)), len(entries))
        if place == len(entries):
            entries.append(value)
        codes[row] = place
    return Column(name, MIXED, codes, entries, np.array([is_null(value) for value in entries], bool))


def is_null(value: Any) -> bool:
    """None, or what pandas has for it."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")
