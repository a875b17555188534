"""A column of numbers as whole numbers of its last decimal: 12.50 and 3 are 1250 and 300 hundredths.

Nothing is rounded on the way: integers and decimals have every digit, floats those of their shortest text. So totals
are those of what the file shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, shown

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Amount:
    """The values in `units` of 10^−decimals (0 for gaps), exactly, and as floats (NaN for gaps).

    `text` says that the column is stored as text, which may have any number of digits.
    """

    name: str
    units: NDArray[Any] = field(repr=False)
    gaps: NDArray[np.bool_] = field(repr=False)
    decimals: int
    floats: Floats = field(repr=False)
    text: bool

    def total(self, without: Integers) -> int:
        """The exact total of the known values, but those of some records, in units."""
        return int(self.units.sum()) - int(self.units[without].sum())


def read_amount(table: Any, name: str, missing: str, faults: Faults) -> Amount | None:
    """The column as an amount; None where it is none, and the reason among the faults."""
    from discreet.frames.exact import entries, is_text, plain_array

    try:
        found = entries(table, name)
    except InputError as error:
        faults.extend(error)
        return None
    gaps = found.codes < 0
    count = int(gaps.sum())
    if found.place is None and count < len(gaps):
        odd = f" ({found.odd} entries are no numbers)" if found.odd else ""
        faults.add(f"column {shown(name)!r} does not hold numbers{odd}: make it a key, leave it, or correct it")
        return None
    if missing == "error":
        faults.check(
            count == 0,
            f"column {shown(name)!r} has {count} missing values: fill them in, or average what is known "
            '(missing={"numbers": "known"}, in a recipe [missing] numbers = "known")',
        )
    exact = [_parts(text) for text in found.texts]
    decimals = max((-exponent for digits, exponent in exact if digits), default=0)
    decimals = max(decimals, 0)
    scaled = [digits * 10 ** (exponent + decimals) if digits else 0 for digits, exponent in exact]
    largest = max(map(abs, scaled), default=0)
    kind = np.int64 if largest * max(1, len(gaps)) < 2**62 else object  # so that no sum leaves 64 bits
    units = np.array([*scaled, 0], kind)[found.codes]
    floats = np.array([*map(float, found.texts), np.nan])[found.codes]
    return Amount(name, units, gaps, decimals, floats, is_text(plain_array(table, name).type))


def _parts(text: str) -> tuple[int, int]:
    """A number as whole digits and the exponent of their unit."""
    sign, digits, exponent = Decimal(text).as_tuple()
    assert isinstance(exponent, int)
    number = int("".join(map(str, digits)) or "0")
    return (-number if sign else number), exponent


def decimal_text(number: int, decimals: int) -> str:
    """`number` units of 10^−decimals, without zeros that say nothing."""
    if decimals <= 0:
        return str(number * 10**-decimals)
    sign, digits = "-" if number < 0 else "", str(abs(number)).rjust(decimals + 1, "0")
    tail = digits[-decimals:].rstrip("0")
    return f"{sign}{digits[:-decimals]}" + (f".{tail}" if tail else "")
