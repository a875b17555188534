"""Dictionaries of categorical columns: what they say beside the values of the rows.

A dictionary lists values, often in the order in which they first appeared, and keeps those that no longer occur: so the
order of rows before a shuffle, and values of rows that were left out. What is published lists the values that occur, in
their own order. Where the order of categories has a meaning it is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def take(column: Any, rows: NDArray[np.int64]) -> Any:
    """Rows of an Arrow column of a table, of whatever type."""
    import pyarrow as pa

    if str(column.type) in ("string_view", "binary_view"):  # which Arrow cannot pick rows of
        plain = pa.large_string() if str(column.type) == "string_view" else pa.large_binary()
        return column.cast(plain).take(pa.array(rows)).cast(column.type)
    return column.take(pa.array(rows))


def tidy(column: Any) -> Any:
    """An Arrow column whose dictionary, if it has one, lists the values that occur, in their order."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if not pa.types.is_dictionary(kind) or kind.ordered:
        return column
    values = column.cast(kind.value_type)
    found = pc.drop_null(values.unique())
    try:
        found = found.take(pc.sort_indices(found))
    except pa.ArrowNotImplementedError:  # values without an order
        return column.unify_dictionaries() if isinstance(column, pa.ChunkedArray) else column
    places = pc.index_in(values, value_set=found).cast(kind.index_type)
    chunks = places.chunks if isinstance(places, pa.ChunkedArray) else [places]
    arrays = [pa.DictionaryArray.from_arrays(chunk, found) for chunk in chunks]
    return pa.chunked_array(arrays, kind) if isinstance(column, pa.ChunkedArray) else arrays[0]


def tidy_table(table: Any) -> Any:
    """An Arrow table with `tidy` dictionaries."""
    import pyarrow as pa

    if not any(pa.types.is_dictionary(field.type) for field in table.schema):
        return table
    return pa.table([tidy(column) for column in table.columns], schema=table.schema)


def tidy_pandas(frame: Any) -> Any:
    """A pandas frame with `tidy` categories."""
    import pandas as pd

    out = frame
    for name in frame.columns:
        column = frame[name]
        if not isinstance(column.dtype, pd.CategoricalDtype):
            continue
        if out is frame:
            out = frame.copy(deep=False)
        column = column.cat.remove_unused_categories()
        if not column.cat.ordered:
            try:
                column = column.cat.set_categories(sorted(column.cat.categories))
            except TypeError:  # categories of several types have no order but that of their text
                column = column.cat.set_categories(sorted(column.cat.categories, key=str))
        out[name] = column
    return out
