"""Decimal texts as whole numbers of the smallest unit, exactly, and back.

A column of texts such as `708.50`, `-3` and `1.2e3` is whole numbers of 10^-d, where d is the least number of decimals
that holds them all: trailing zeros do not count. Nothing passes through floating point, so a proof about the whole
numbers is a proof about the file.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def in_smallest_unit(columns: dict[str, Sequence[str]], *, where: str) -> tuple[dict[str, Ints], int]:
    """Columns of decimal texts as whole numbers of a unit they share, and the number of its decimals.

    `where` is what an error says of their place; it names columns and counts rows, and quotes nothing.
    """
    texts = {name: _plain(column, name, where) for name, column in columns.items()}
    decimals = max((_decimals(text) for text in texts.values()), default=0)
    if decimals > MOST_DECIMALS:
        raise InputError(f"{where}: a number has {decimals} decimals: round to {MOST_DECIMALS} or fewer")
    return {name: _scaled(text, decimals, name, where) for name, text in texts.items()}, decimals


def decimal_texts(values: Ints, decimals: int) -> list[str]:
    """Whole numbers of 10^-`decimals` as decimal texts with that many decimals."""
    if not decimals:
        return [str(value) for value in values.tolist()]
    unit = 10**decimals
    out = []
    for value in values.tolist():
        whole, rest = divmod(abs(value), unit)
        out.append(f"{'-' if value < 0 else ''}{whole}.{rest:0{decimals}d}")
    return out


def decimal_text(value: int, decimals: int) -> str:
    """One whole number of 10^-`decimals`, without trailing zeros: what a message or a page shows."""
    text = decimal_texts(np.array([value], np.int64), decimals)[0]
    return text.rstrip("0").rstrip(".") if decimals else text


def _plain(column: Sequence[str], name: str, where: str) -> Any:
    """The column as Arrow strings without exponents."""
    import pyarrow as pa
    import pyarrow.compute as pc

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
