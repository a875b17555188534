"""Long tables for the checker of cells: columns of text, exact whole numbers and truth values.

They come from the checker's own readers. In delimited text a value is the text between the delimiters, in typed data
what a text file would show. Counts never pass through floating point: a number is what its digits say.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.verify.file import File
from discreet.verify.readers import Column, Table, open_table
from discreet.verify.readers.column import DURATION, FLOATS, MIXED, NESTED
from discreet.verify.values.meaning import floats, texts

LARGEST = 1 << 62
NUMBER = re.compile(r"[ \t]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?[ \t]*", re.ASCII)
YES, NO = ("true", "yes", "1"), ("false", "no", "0")


@dataclass(frozen=True)
class LongTable:
    """Columns by name; `label` says in messages which file it is."""

    label: str
    table: Table = field(repr=False)
    columns: Sequence[str]

    @property
    def rows(self) -> int:
        return self.table.rows

    def text(self, name: str) -> tuple[list[str], NDArray[np.int64]]:
        """The distinct values of a column as text, sorted, and which of them each row has."""
        column = self.table.column(name)
        if column.kind in (DURATION, NESTED):
            raise InputError(f"{self.label}: {name!r} has a type that is no category")
        shown = _shown(column)
        missing = int(np.array([text == "" for text in shown], np.bool_)[column.codes].sum())
        if missing:
            raise InputError(f"{self.label}: {name!r} is missing in {missing} rows")
        levels = sorted(set(shown))
        at = {text: i for i, text in enumerate(levels)}
        return levels, np.array([at[text] for text in shown], np.int64)[column.codes]

    def numbers(self, name: str) -> NDArray[np.int64]:
        """A column of whole numbers from 0 to 2^62, exactly."""
        column = self.table.column(name)
        found = [_whole(value) for value in _values(column)]
        whole = [value if isinstance(value, int) else 0 for value in found]
        wrong = {
            "is empty": [value is None for value in found],
            "is not a whole number": [isinstance(value, str) for value in found],
            "is negative": [value < 0 for value in whole],
            "is larger than 2^62": [value > LARGEST for value in whole],
        }
        rows = {what: int(np.array(those, np.bool_)[column.codes].sum()) for what, those in wrong.items()}
        faults = [f"{self.label}: {name!r} {what} in {count} rows" for what, count in rows.items() if count]
        if faults:
            raise InputError(faults)
        return np.array(whole, np.int64)[column.codes]

    def flags(self, name: str) -> NDArray[np.bool_]:
        """A column of yes or no."""
        levels, place = self.text(name)
        words = [level.strip().lower() for level in levels]
        strange = [i for i, word in enumerate(words) if word not in (*YES, *NO)]
        if strange:
            rows = int(np.isin(place, strange).sum())
            raise InputError(f"{self.label}: {name!r} is neither true nor false in {rows} rows")
        return np.array([word in YES for word in words], np.bool_)[place]


def read_long(source: Any, label: str, delimiter: str | None = None, encoding: str | None = None) -> LongTable:
    """A long table from a path (`-` is standard input, as CSV) or a frame (pandas, Polars, Arrow).

    `delimiter` and `encoding` are for text; a file of another kind has its own.
    """
    if isinstance(source, str | os.PathLike):
        words = os.fspath(source).lower().removesuffix(".gz")
        textual = words == "-" or words.endswith((".csv", ".tsv", ".tab", ".txt"))
        source = File(source, delimiter=delimiter, encoding=encoding) if textual else File(source)
    table = open_table(source, label)
    if not table.rows:
        raise InputError(f"{label} has no rows")
    return LongTable(label, table, tuple(name for name in table.names if name not in table.index))


def _shown(column: Column) -> list[str]:
    """The text of each distinct entry, empty where it is missing, also by the file's own definition."""
    return ["" if gone else text for text, gone in zip(texts(column), column.absent.tolist())]


def _values(column: Column) -> list[Any]:
    """The distinct entries for `_whole`: floats and objects as they are, others as text; None where missing."""
    found: Any = texts(column)
    if column.kind in FLOATS:
        found = floats(column).tolist()
    elif column.kind == MIXED:
        found = column.entries
    return [None if gone else value for value, gone in zip(found, column.absent.tolist())]


def _whole(value: Any) -> int | str | None:
    """The exact whole number; None where it is missing, a text where it is not one."""
    if value is None or value == "" or value != value:
        return None
    if isinstance(value, bool):
        return "truth value"
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        if not NUMBER.fullmatch(value):
            return "text"
        value = Decimal(value.strip(" \t"))
    if isinstance(value, float):
        return int(value) if value.is_integer() else "fraction"
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == value.to_integral_value() else "fraction"
    return "other"
