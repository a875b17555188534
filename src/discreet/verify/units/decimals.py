"""Two columns of numbers as whole numbers of one last decimal, without rounding.

A number in text is its decimal; a float is the shortest decimal that reads back as it, which is what a file shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.readers.column import INT, Column
from discreet.verify.values.exact import normal
from discreet.verify.values.meaning import is_numeric, missing, numbers, texts
from discreet.verify.values.styles import one_style

MOST = 2**62
MOST_DECIMALS = 400

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Scaled:
    """Row by row: value·10^decimals as a whole number (int64, or Python's where that is too small), 0 where missing."""

    was: Any
    now: Any
    gap: Mask
    blank: Mask
    decimals: int
    first: int
    """How many decimals the original numbers have."""
    last: int
    """How many decimals the published numbers have."""


class NoNumberError(Exception):
    """A column that cannot hold means; the message says why, without its name."""


def scaled(original: Column, published: Column, *, at_most: int) -> Scaled:
    """Both columns on one scale. Sums of up to `at_most` values of a column stay exact."""
    old, new = _decimals(original, "of the original "), _decimals(published, "")
    last = max((-e for _, e in new.values()), default=0)
    first = max((-e for _, e in old.values()), default=0)
    decimals = max(0, last, first)
    if decimals > MOST_DECIMALS:
        raise NoNumberError("has numbers of more than 400 decimals")
    columns = []
    for column, found in ((original, old), (published, new)):
        values: list[int] = [0] * column.size
        for code, (m, e) in found.items():
            values[code] = m * 10 ** (e + decimals)
        columns.append((column, values))
    largest = max((abs(value) for _, values in columns for value in values), default=0)
    kind: Any = np.int64 if largest * max(at_most, 1) < MOST else object
    was, now = (np.array(values, kind)[column.codes] for column, values in columns)
    gap, blank = (missing(column, numeric=True)[column.codes] for column in (original, published))
    return Scaled(was, now, gap, blank, decimals, max(first, 0), max(last, 0))


def written_alike(column: Column) -> bool:
    """Whether the numbers of a column are written by one rule: else their style could be a sign on single rows."""
    return one_style(replace(column, kind=INT), column)


def _decimals(column: Column, whose: str) -> dict[int, tuple[int, int]]:
    """The numbers of the distinct entries as m·10^e, m not divisible by ten."""
    gone = missing(column, numeric=True)
    if not (is_numeric(column) or bool(gone.all())):
        raise NoNumberError(f"{whose}is not numeric, so it cannot hold means")
    found = numbers(column)
    if found.floats is not None:
        if np.isinf(found.floats[~gone]).any():
            raise NoNumberError(f"{whose}holds numbers that are infinite or beyond 1.8e308")
        return _shortest(texts(column), gone)
    plain = normal(found)
    held = np.flatnonzero(plain.valid & ~gone).tolist()
    return {code: plain.long.get(code, (int(plain.mantissa[code]), int(plain.exponent[code]))) for code in held}


def _shortest(shown: Sequence[str], gone: Mask) -> dict[int, tuple[int, int]]:
    out = {}
    for code in np.flatnonzero(~gone).tolist():
        sign, digits, exponent = Decimal(shown[code]).normalize().as_tuple()
        m = int("".join(map(str, digits)))
        out[code] = (-m if sign else m, int(exponent) if m else 0)
    return out
