"""Some rows of both tables, the same of each, in memory: what the claim is read from and left columns judged by."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.verify.large.source import Source
from discreet.verify.left.candidates import MOST_PERSONS, some_persons
from discreet.verify.readers.typed import ArrowTable, arrow_table


def some_rows(source: Source, rows: int) -> ArrowTable:
    """A random part of the first `rows` rows, the same every time, or all where there are few."""
    import pyarrow as pa

    wanted = some_persons(min(rows, source.rows), MOST_PERSONS)
    parts: list[Any] = []
    first = 0
    for batch in source.batches(source.names):
        a, b = np.searchsorted(wanted, [first, first + batch.num_rows])
        if b > a:
            parts.append(batch.take(pa.array(wanted[a:b] - first)))
        first += batch.num_rows
        if b == wanted.size:
            break
    return arrow_table(pa.Table.from_batches(parts), source.name)


def all_rows(source: Source) -> ArrowTable:
    """The whole table, where it fits."""
    import pyarrow as pa

    table = arrow_table(pa.Table.from_batches(list(source.batches(source.names)), source.schema), source.name)
    table.carried = source.carried
    return table
