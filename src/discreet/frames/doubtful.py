"""Columns that are numeric but for a few entries: one odd cell must not take a column out of protection unnoticed.

`n/a`, `1,234` or a dash makes text of a column of numbers. A column is doubtful if its type is not one of numbers but
at least half of its entries that are not missing are; typed text of which all are numbers is text on purpose.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from discreet.errors import InputError
from discreet.frames.dataframes import adopt, arrow_column
from discreet.frames.exact import as_number, exact, has_comma, is_missing, is_text


def doubtful_columns(frame: Any) -> dict[str, tuple[int, int]]:
    """Per doubtful column how many entries are no numbers, and how many there are that are not missing."""
    import pyarrow as pa

    adopted = adopt(frame)
    found = {}
    for name, dtype in adopted.schema.items():
        kind = str(dtype)
        if kind not in ("String", "Object", "Unknown"):
            continue
        try:
            array = arrow_column(adopted.get_column(name))
        except InputError:
            array = None
        if array is None or (kind == "Object" and not is_text(array.type)):
            counts = _count(adopted.get_column(name).to_list())
            if counts is not None:
                found[name] = counts
            continue
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
        if str(array.type) == "string_view":
            array = array.cast(pa.large_string())
        if is_text(array.type):
            entries = exact(array, name, categories=False, comma=has_comma(adopted, name))
            if entries.odd:
                found[name] = (entries.odd, entries.known)
    return found


def _count(values: list[Any]) -> tuple[int, int] | None:
    """The figures of a column of objects, None where fewer than half of them are numbers."""
    right = wrong = 0
    for value in values:
        if value is None or type(value).__name__ in ("NAType", "NaTType"):
            continue
        if isinstance(value, str):
            if not is_missing(value):
                number = as_number(value) is not None
                right, wrong = right + number, wrong + (not number)
        elif isinstance(value, float) and math.isnan(value):
            continue
        else:
            number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
            right, wrong = right + number, wrong + (not number)
    return (wrong, right + wrong) if right and right >= wrong else None
