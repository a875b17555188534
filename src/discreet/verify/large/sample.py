"""Some rows of both tables, the same of each, in memory: what the claim is read from and left columns judged by."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.verify.large.source import Source
from discreet.verify.left.candidates import MOST_PERSONS, some_persons
from discreet.verify.readers.column import Table


def some_rows(source: Source, rows: int) -> Table:
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
    return source.held(pa.Table.from_batches(parts))
