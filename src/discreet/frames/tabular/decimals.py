"""Decimal texts as whole numbers of the smallest unit, exactly, and back.

A column of texts such as `708.50`, `-3` and `1.2e3` is whole numbers of 10^-d, where d is the least number of decimals
that holds them all: trailing zeros do not count. Nothing passes through floating point, so a proof about the whole
numbers is a proof about the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError

Ints = NDArray[np.int64]
# Sums of a few numbers of this size stay within 64 bits.
LARGEST = 1 << 60
MOST_DECIMALS = 18
_PLAIN = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$"
_SCIENTIFIC = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]{1,3}$"


def in_smallest_unit(columns: Mapping[str, Any], *, where: str) -> tuple[dict[str, Ints], int]:
    """Columns of decimal texts (sequences or Arrow arrays) as whole numbers of a unit they share, and its decimals.

    `where` is what an error says of their place; it names columns and counts rows, and quotes nothing.
    """
    texts = {name: _plain(column, name, where) for name, column in columns.items()}
    decimals = max((_decimals(text) for text in texts.values()), default=0)
    if decimals > MOST_DECIMALS:
        raise InputError(f"{where}: a number has {decimals} decimals: round to {MOST_DECIMALS} or fewer")
    return {name: _scaled(text, decimals, name, where) for name, text in texts.items()}, decimals


def decimal_column(values: Ints, decimals: int) -> Any:
    """Whole numbers of 10^-`decimals` as an Arrow array of decimal texts with that many decimals."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not decimals:
        return pa.array(values).cast(pa.string())
    digits = pc.utf8_lpad(pa.array(np.abs(values)).cast(pa.string()), decimals + 1, "0")
    whole = pc.utf8_slice_codeunits(digits, 0, -decimals)
    fraction = pc.utf8_slice_codeunits(digits, -decimals)
    sign = pc.if_else(pa.array(values < 0), "-", "")
    return pc.binary_join_element_wise(pc.binary_join_element_wise(sign, whole, ""), fraction, ".")


def decimal_texts(values: Ints, decimals: int) -> list[str]:
    """The same as a list."""
    found: list[str] = decimal_column(values, decimals).to_pylist()
    return found


def decimal_text(value: int, decimals: int) -> str:
    """One whole number of 10^-`decimals`, without trailing zeros: what a message or a page shows."""
    text = decimal_texts(np.array([value], np.int64), decimals)[0]
    return text.rstrip("0").rstrip(".") if decimals else text


def _plain(column: Any, name: str, where: str) -> Any:
    """The column as Arrow strings without exponents."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(column, pa.Array | pa.ChunkedArray):
        whole = pa.chunked_array(column.chunks if isinstance(column, pa.ChunkedArray) else [column], column.type)
        text = pa.concat_arrays(whole.cast(pa.large_string()).chunks or [pa.array([], pa.large_string())])
    else:
        text = pa.array(column, pa.large_string())
    plain = pc.match_substring_regex(text, _PLAIN)
    if pc.all(plain, min_count=0).as_py():
        return text
    odd = pc.filter(text, pc.invert(plain))
    broken = len(odd) - pc.sum(pc.match_substring_regex(odd, _SCIENTIFIC)).as_py()
    if broken:
        raise InputError(f"{where}: {name} is not a number {broken} {'time' if broken == 1 else 'times'}")
    return pa.array([format(Decimal(one), "f") for one in text.to_pylist()], pa.large_string())


def _fraction(text: Any) -> Any:
    """The digits behind the point, without trailing zeros."""
    import pyarrow.compute as pc

    return pc.utf8_rtrim(pc.replace_substring_regex(text, r"^[^.]*\.?", ""), "0")


def _decimals(text: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.max(pc.utf8_length(_fraction(text))).as_py() or 0) if len(text) else 0


def _scaled(text: Any, decimals: int, name: str, where: str) -> Ints:
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = pc.replace_substring_regex(text, r"\..*$", "")
    digits = pc.utf8_lpad(pc.utf8_ltrim(pc.utf8_ltrim(whole, "+-"), "0"), 1, "0")
    if decimals:
        fraction = pc.utf8_rpad(_fraction(text), decimals, "0")
        digits = pc.utf8_ltrim(pc.binary_join_element_wise(digits, fraction, pa.scalar("", text.type)), "0")
        digits = pc.utf8_lpad(digits, 1, "0")
    if len(digits) and pc.max(pc.utf8_length(digits)).as_py() > 18:
        unit = "" if not decimals else f" in units of 10^-{decimals}, as some numbers have that many decimals"
        raise InputError(f"{where}: {name} is too large{unit}: no more than 18 digits can be proved about")
    magnitude = np.asarray(digits.cast(pa.int64()).to_numpy(zero_copy_only=False), np.int64)
    negative = np.asarray(pc.starts_with(whole, "-").to_numpy(zero_copy_only=False), np.bool_)
    return np.where(negative, -magnitude, magnitude)


def column_in_smallest_unit(column: Any, name: str) -> tuple[Ints, int]:
    """A column of a frame as whole numbers of its smallest unit, and the decimals of that.

    Whole numbers are taken as they are, others by their text: a float64 by the shortest one that reads back to it.
    """
    import pyarrow as pa

    from discreet.frames.text import as_text

    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind) or _is_text(kind)):
        raise InputError(f"column {name!r} is not numeric: give a column of numbers")
    if column.null_count:
        raise InputError(f"column {name!r} is empty in {column.null_count} rows: fill them in or drop the rows")
    if pa.types.is_integer(kind) and not pa.types.is_uint64(kind):
        values = np.asarray(column.cast(pa.int64()).to_numpy(), np.int64)
        if values.size and max(-int(values.min()), int(values.max())) > LARGEST:
            raise InputError(f"column {name!r} has numbers beyond 2^60: no more can be proved about")
        return values, 0
    text = as_text(column)
    missing = text.null_count
    if missing:
        raise InputError(f"column {name!r} is not a number in {missing} rows: fill them in or drop the rows")
    found, decimals = in_smallest_unit({"a value": text}, where=f"column {name!r}")
    return found["a value"], decimals


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
