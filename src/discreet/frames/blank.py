"""Leave single cells of a frame blank: null in any kind of frame, the column's type kept where it can hold null.

A pandas column of numpy integers becomes float64, as pandas itself does, or Int64 where float64 does not hold its
values; one of numpy truth values becomes boolean. A column without blanks stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.frames.dataframes import adopt, kind_of

Mask = NDArray[np.bool_]

EXACT = 2**53


def leave_blank(frame: Any, blanks: Mapping[str, Mask]) -> Any:
    """The frame with null where the mask of a column is true; all else as it was."""
    native = adopt(frame).to_native()
    chosen = {name: mask for name, mask in blanks.items() if mask.any()}
    if not chosen:
        return native
    kind = kind_of(native)
    if kind == "pandas":
        out = native.copy(deep=False)
        for name, mask in chosen.items():
            out[name] = _pandas(native[name], mask)
        return out
    if kind == "polars":
        import polars as pl

        hidden = [
            pl.when(pl.Series(mask)).then(None).otherwise(pl.col(name)).alias(name) for name, mask in chosen.items()
        ]
        return native.with_columns(hidden)
    import pyarrow as pa

    for name, mask in chosen.items():
        place = native.column_names.index(name)
        rows = pa.array(np.arange(len(mask)), mask=mask)  # taken from nowhere, a row is null
        field = native.schema.field(place).with_nullable(True)
        native = native.set_column(place, field, native.column(place).take(rows))
    return native


def _pandas(column: Any, mask: Mask) -> Any:
    import pandas as pd

    if column.dtype == object:
        values = column.to_numpy(dtype=object, copy=True)
        values[mask | column.isna().to_numpy()] = None
        return pd.Series(values, index=column.index, dtype=object)
    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "b":
        column = column.astype("boolean")
    elif isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu":
        values = column.to_numpy()
        if values.max(initial=0) > EXACT or (column.dtype.kind == "i" and values.min(initial=0) < -EXACT):
            column = column.astype("UInt64" if column.dtype.kind == "u" else "Int64")
    return column.mask(mask)
