"""A table without some of its rows: what is left of the original where a release leaves records out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.verify.readers import Column, Table

Integers = NDArray[np.int64]


class Kept(Table):
    """Some rows of a table, in their order."""

    def __init__(self, table: Table, kept: Integers) -> None:
        self._table, self._kept = table, kept
        self.names, self.rows = table.names, int(kept.size)
        self.carried, self.index = table.carried, table.index

    def read(self, name: str) -> Column:
        """Without the entries that none of the rows has."""
        column = self._table.column(name)
        used, codes = np.unique(column.codes[self._kept], return_inverse=True)
        entries = (
            [column.entries[code] for code in used.tolist()]
            if isinstance(column.entries, list)
            else column.entries.take(used)
        )
        codes = np.asarray(codes.ravel(), np.int64)
        return Column(column.name, column.kind, codes, entries, column.absent[used], column.unit, column.comma)

    def peek(self, name: str, rows: Sequence[int]) -> list[str]:
        return self._table.peek(name, [int(self._kept[row]) for row in rows])
