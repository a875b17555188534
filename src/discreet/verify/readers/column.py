"""What the checker's readers give: a table of columns, each with its distinct entries as they are published.

Two entries of a column are the same only if they are the same as published: in delimited text the bytes of the field
with its quotes, in typed data value and type by bits (`0.0` is not `-0.0`, NaN is not null). What they mean is told
elsewhere (`discreet.verify.values.meaning`); here nothing is equated.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

# Kinds of columns. `entries` of a column are then: delimited: the fields' bytes; text and bytes: these; bool: 0 and 1;
# int, decimal: the numbers; float: the bits; date … duration: whole numbers of `unit`; mixed: Python objects; nested:
# a text for each value, good for comparing only.
DELIMITED, TEXT, BYTES, BOOL, INT, DECIMAL = "delimited", "text", "bytes", "bool", "int", "decimal"
FLOATS = ("float16", "float32", "float64")
DATE, TIME, TIMESTAMP, DURATION = "date", "time", "timestamp", "duration"
TEMPORAL = (DATE, TIME, TIMESTAMP, DURATION)
MIXED, NESTED = "mixed", "nested"
MANY_ROWS = 50_000
MANY_NAMES = 20


@dataclass(frozen=True, eq=False)
class Column:
    """One column: the code of each row, and per code the entry as published.

    `entries` is an Arrow array or, for mixed columns, a list of objects; `absent` says which entries are null or
    stand for a missing value by the file's own definition. `comma` says that numbers have decimal commas. `notes` keeps
    what was found out about the entries, so that it is found out once.
    """

    name: str
    kind: str
    codes: Integers = field(repr=False)
    entries: Any = field(repr=False)
    absent: Mask = field(repr=False)
    unit: str = ""
    comma: bool = False
    notes: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> int:
        """The number of distinct entries."""
        return len(self.absent)


class Table(ABC):
    """Named columns of equal length, read one by one. `carried` says what else travels with the file."""

    names: Sequence[str]
    rows: int
    carried: Sequence[str] = ()
    index: Sequence[str] = ()  # names of columns that are a pandas index rather than data

    def column(self, name: str) -> Column:
        """The column of this name."""
        if name not in self._columns:
            self._columns[name] = self.read(name)
        return self._columns[name]

    def columns(self, names: Sequence[str]) -> list[Column]:
        """Several columns; those of a long table are read side by side."""
        if self.rows >= MANY_ROWS and len(names) > 1:
            with ThreadPoolExecutor(min(len(names), os.cpu_count() or 1)) as pool:
                return list(pool.map(self.column, names))
        return [self.column(name) for name in names]

    @cached_property
    def _columns(self) -> dict[str, Column]:
        return {}

    @abstractmethod
    def read(self, name: str) -> Column:
        """The column of this name, made anew."""

    @abstractmethod
    def peek(self, name: str, rows: Sequence[int]) -> list[str]:
        """A rough text of some entries, the same for equal values of equal type: for telling columns apart quickly."""

    def profile(self, names: Sequence[str]) -> dict[str, tuple[int, int, bool]]:
        """Per column how many rows hold a number, how many something else that is not missing, and if it is one of
        codes: digits of one length with leading zeros."""
        from discreet.verify.values.meaning import profile

        return {name: profile(self.column(name)) for name in names}

    def same(self, other: Table, names: Sequence[str]) -> set[str]:
        """Those of the columns `names` that both tables plainly hold alike, row by row and as published.

        A column that is not in the answer may still be equal; it has to be compared value by value.
        """
        return set()

    def listing(self, name: str) -> Column | None:
        """The values of a column that is stored by a dictionary, in the order of that; None where there is none, or its
        values are sorted or in an order of their own."""
        return None

    def idle(self, name: str) -> Sequence[str]:
        """The values, as texts, that the dictionary of a column lists and no row has."""
        return ()

    def seams(self) -> tuple[bytes, ...] | None:
        """What stands between one row and the next, row by row; None where that is the same throughout."""
        return None

    def left_rows(self, other: Table, names: Sequence[str]) -> tuple[Integers, Integers] | None:
        """A number for each row of both tables, equal for rows that are alike in these columns as published; None
        where that is not to be had at once."""
        return None


def shown(name: object) -> str:
    """A column's name for a message: no control characters, not endless."""
    text = str(name)
    short = text if len(text) <= 60 else text[:57] + "..."
    return short if short.isprintable() else repr(short)[1:-1]


def shown_list(names: Sequence[object]) -> str:
    """Names for a message, the first of them and how many there are more."""
    words = ", ".join(shown(name) for name in names[:MANY_NAMES])
    return words if len(names) <= MANY_NAMES else f"{words} and {len(names) - MANY_NAMES} more"
