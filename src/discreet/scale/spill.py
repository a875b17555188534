"""The shuffle: records that lie by file are brought together by block, through files on disk.

`scatter` writes a table's rows by their block into one file, an Arrow stream with a batch for each block, in the order
of blocks and within a block in the order of rows. `gather` reads a block's batches out of many such files, and nothing
else of them. A file appears under its name when it is complete, so that a task that was killed can be done again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.frames.values.plain import plain_array

Rows = NDArray[np.int64]


@contextmanager
def complete(path: str | os.PathLike[str], *, within: str | os.PathLike[str] | None = None) -> Iterator[Path]:
    """A private name to write under; what is there becomes `path` when the block ends without an error.

    It is in the folder `within`, or beside `path`: what a killed task has left is not to be published.
    """
    goal = Path(path)
    place = goal.parent if within is None else Path(within)
    temporary = place / f"{goal.name}.{os.getpid()}-{os.urandom(4).hex()}"
    try:
        yield temporary
        os.replace(temporary, goal)
    finally:
        temporary.unlink(missing_ok=True)


def scatter(path: str | os.PathLike[str], keys: Rows, blocks: int, schema: Any, take: Callable[[Rows], Any]) -> Rows:
    """Write rows by their key, 0 .. blocks − 1, into a file; how many rows each block has.

    `take(rows)` gives the columns of some rows as Arrow arrays: only one block's rows are copied at a time.
    """
    import pyarrow as pa

    order = np.argsort(keys, kind="stable")
    counts = np.bincount(keys, minlength=blocks)
    ends = np.cumsum(counts)
    with complete(path) as temporary, pa.OSFile(str(temporary), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for block in range(blocks):
            rows = order[ends[block] - counts[block] : ends[block]]
            writer.write_batch(pa.record_batch(take(rows), schema=schema))
    return counts


def scatter_table(path: str | os.PathLike[str], table: Any, keys: Rows, blocks: int) -> Rows:
    """`scatter` of an Arrow table of whatever columns."""
    import pyarrow as pa

    whole = table.combine_chunks()
    columns = [
        pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0) for column in whole.columns
    ]
    return scatter(
        path, keys, blocks, table.schema, lambda rows: [column.take(plain_array(rows)) for column in columns]
    )


def keep(path: str | os.PathLike[str], table: Any) -> None:
    """Write a small Arrow table into a file of its own."""
    scatter_table(path, table, np.zeros(len(table), np.int64), 1)


def kept(path: str | os.PathLike[str]) -> Any:
    """The table that `keep` wrote."""
    import pyarrow as pa

    with pa.OSFile(str(path), "rb") as source:
        return pa.ipc.open_file(source).read_all()


def gather(slices: Sequence[tuple[str, int]]) -> Iterator[Any]:
    """The batches that are asked for, as (file, place in it), in their order; each file is opened once in a row."""
    import pyarrow as pa

    source: Any = None
    reader: Any = None
    opened = ""
    try:
        for path, place in slices:
            if path != opened:
                if source is not None:
                    source.close()
                source = pa.OSFile(path, "rb")
                reader, opened = pa.ipc.open_file(source), path
            yield reader.get_batch(place)
    finally:
        if source is not None:
            source.close()
