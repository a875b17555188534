"""One spelling for what is equal: columns a method worked on whose values stay as they are.

A float column loses its negative zeros, and its NaN become missing; text gets one spelling per value; what is missing
is null, however it was spelled. A column keeps its type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from discreet.frames.dataframes import adopt, kind_of, numeric_array
from discreet.frames.exact import Entries, is_text, plain_array
from discreet.frames.replace import replace_columns, replace_text_columns


def respell(frame: Any, columns: Mapping[str, Entries]) -> Any:
    """The frame with these columns in one spelling; `columns` are its own entries, row by row."""
    import pyarrow as pa

    texts: dict[str, Any] = {}
    floats: dict[str, Any] = {}
    objects: list[str] = []
    adopted = adopt(frame)
    for name, column in columns.items():
        dtype = str(adopted.schema[name])
        array = plain_array(adopted, name)
        if dtype.startswith(("Categorical", "Enum")):
            if column.respelled and is_text(array.type):
                texts[name] = column
        elif is_text(array.type):
            if column.respelled or _has_odd_gaps(adopted, name):
                texts[name] = column
        elif column.respelled and pa.types.is_floating(array.type):
            floats[name] = numeric_array(adopted, [name])[:, 0] + 0.0
        elif kind_of(adopted) == "pandas" and dtype == "Object":
            objects.append(name)
    native = adopted.to_native()
    if objects:
        native = native.copy(deep=False)
        for name in objects:
            values = plain_array(adopted, name).to_pandas()
            values.index = native.index
            native[name] = values
    if floats:
        native = replace_columns(native, floats)
    if texts:
        native = replace_text_columns(native, {name: spelled(column) for name, column in texts.items()})
    return native


def spelled(column: Entries) -> list[str | None]:
    """Every entry's one text, None where missing."""
    words = np.empty(len(column.texts) + 1, object)
    words[:-1] = column.texts
    words[-1] = None
    found: list[str | None] = words[column.codes].tolist()
    return found


def _has_odd_gaps(adopted: Any, name: str) -> bool:
    """Whether a pandas column of objects may show missing values as None here and NaN there."""
    native = adopted.to_native()
    return kind_of(adopted) == "pandas" and native[name].dtype == object and bool(native[name].isna().any())
