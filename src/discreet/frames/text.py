"""The text a CSV file shows for a column of values.

Numbers get the shortest text that reads back to the same float64 (the one Arrow writes, which drops a
trailing `.0`), narrower floats too: what a float32 holds is not what its own shortest text says. Dates are ISO 8601,
without a time where every time is midnight; truth values are `true` and `false`; a duration is the number of its units.
Different values of a type have different texts.
"""

from __future__ import annotations

from typing import Any


def as_text(column: Any) -> Any:
    """An Arrow column as a ChunkedArray of strings, null where a value is missing or NaN."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not isinstance(column, pa.ChunkedArray):
        column = pa.chunked_array([column])
    kind = column.type
    if pa.types.is_dictionary(kind):
        return as_text(column.cast(kind.value_type))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return column
    if str(kind) == "string_view":
        return column.cast(pa.large_string())
    if pa.types.is_null(kind):
        return pa.chunked_array([pa.nulls(len(column), pa.string())])
    if pa.types.is_floating(kind):
        column = _wide(column)
        missing = pc.is_null(column, nan_is_null=True)
        return pc.if_else(missing, pa.scalar(None, pa.string()), column.cast(pa.string()))
    if pa.types.is_timestamp(kind):
        return _moments(column)
    try:
        return column.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        shown = [None if value is None else str(value) for value in column.to_pylist()]
        return pa.chunked_array([pa.array(shown, pa.string())])


def _wide(column: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_float16(column.type):  # which older versions of Arrow cannot cast
        return pa.chunked_array([pa.array(column.to_numpy().astype("float64"))])
    return column.cast(pa.float64())


def _moments(column: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    shown = pc.replace_substring_regex(column.cast(pa.string()), r"\.0+(Z|[+-]\d\d:?\d\d)?$", r"\1")
    midnight = pc.all(pc.ends_with(shown, " 00:00:00")).as_py()
    return pc.utf8_slice_codeunits(shown, 0, 10) if midnight and column.type.tz is None else shown
