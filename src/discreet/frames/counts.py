"""Counts as they come: exact whole numbers from 0 to 2^62, whatever column they stand in.

A count never passes through floating point. Text is a number when ASCII digits, a point and an exponent make it one
(`+5`, ` 5`, `1e3` and `1.0` are counts; `1_000` and `inf` are not).
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames.dataframes import adopt, column_faults, to_arrow
from discreet.frames.document import Document

Ints = NDArray[np.int64]
LARGEST = 1 << 62
_NUMBER = re.compile(r"[ \t]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?[ \t]*", re.ASCII)


def count_array(frame: Any, name: str, faults: Faults) -> Ints:
    """The counts in a column of a frame or a file that was read; what is wrong with them goes to `faults`."""
    import pyarrow as pa

    unusable = column_faults(frame, [name])
    if unusable:
        faults.extend(InputError(unusable))
        return np.zeros(0, np.int64)
    if isinstance(frame, Document) and hasattr(frame.source, "text"):
        # As the file spells them: a reader that guesses types may have rounded.
        return _counts(pa.chunked_array([pa.array(frame.text(name), pa.string())]), name, faults)
    return _counts(to_arrow(adopt(frame).select([name])).column(name), name, faults)


def _counts(column: Any, name: str, faults: Faults) -> Ints:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    plain = pa.types.is_integer(kind) and not pa.types.is_uint64(kind)
    if not plain and pa.types.is_string(kind) and not column.null_count:
        plain = bool(pc.all(pc.match_substring_regex(column, "^[0-9]{1,18}$")).as_py())
    if plain and not column.null_count:
        values, missing, broken = np.asarray(column.cast(pa.int64()).to_numpy(), np.int64), 0, 0
        negative, large = int((values < 0).sum()), int((values > LARGEST).sum())
    else:
        try:
            read = [_exactly(value) for value in column.to_pylist()]
        except (ValueError, OverflowError, NotImplementedError):  # moments and durations that Python has no object for
            read = [NotImplemented] * len(column)
        missing = sum(value is None for value in read)
        broken = sum(value is NotImplemented for value in read)
        whole = [value if isinstance(value, int) else 0 for value in read]
        negative, large = sum(value < 0 for value in whole), sum(value > LARGEST for value in whole)
        values = np.array([min(max(value, 0), LARGEST) for value in whole], np.int64)
    faults.check(missing == 0, f"column {name!r} has no count in {missing} rows: fill them in or drop the rows")
    faults.check(negative == 0, f"column {name!r} is negative in {negative} rows: a count is 0 or more")
    faults.check(broken == 0, f"column {name!r} is not a whole number in {broken} rows")
    faults.check(large == 0, f"column {name!r} is larger than 2^62 in {large} rows: too large for a count")
    return values


def _exactly(value: Any) -> Any:
    """A whole number as a Python integer; None where it is missing, NotImplemented where it is no whole number."""
    if value is None or value == "" or value != value:
        return None
    if isinstance(value, bool):
        return NotImplemented
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value):
            return NotImplemented
        value = Decimal(value.strip(" \t"))
    if isinstance(value, float):
        return int(value) if value.is_integer() else NotImplemented
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == value.to_integral_value() else NotImplemented
    return NotImplemented
