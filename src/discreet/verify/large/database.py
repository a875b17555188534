"""DuckDB as a sorting machine: rows stream in as Arrow batches, what does not fit spills, a few numbers come out.

Nothing else is asked of it. It reads no file, loads no extension and reaches no network: external access is off and its
configuration locked before the first row. What it spills stands in a private folder, which is removed.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from discreet.errors import InputError

OWN = 400 << 20  # bytes that Python, its libraries and Arrow's batches take beside the database
SHARE, LEAST = 0.8, 96 << 20
DEFAULT = 2 * 10**9
NO_ROOM = "the files cannot be sorted: give more memory (--memory), or more room for temporary files (TMPDIR)"
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30}


def bytes_of(memory: Any) -> int:
    """A number of bytes, as 2147483648 or "2GB"; 2 GB where nothing is said."""
    if memory is None:
        return DEFAULT
    if isinstance(memory, int) and not isinstance(memory, bool):
        found = memory
    else:
        parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]i?|)b?\s*", str(memory).casefold())
        unit = None if parts is None else UNITS.get(parts[2])
        found = 0 if parts is None or unit is None else int(float(parts[1]) * unit)
    if found < UNITS["m"]:
        raise InputError("memory must be a size such as 2GB")
    return found


@contextmanager
def database(memory: int) -> Iterator[Any]:
    """A connection that holds its share of `memory` bytes, and spills what is more."""
    try:
        import duckdb
    except ImportError:
        raise InputError(
            "files that do not fit are checked with DuckDB, which is not installed: pip install duckdb"
        ) from None

    with tempfile.TemporaryDirectory(prefix="discreet-") as folder:  # 0700, in TMPDIR
        config = {
            "memory_limit": f"{max(LEAST, min(int(memory * SHARE), memory - OWN)) >> 20}MiB",
            "temp_directory": folder,
            "threads": min(4, os.cpu_count() or 1),
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "python_enable_replacements": False,
        }
        connection = duckdb.connect(":memory:", config=config)
        try:
            connection.execute("SET enable_progress_bar = false")
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            yield connection
        finally:
            connection.close()


def ask(connection: Any, batches: Iterable[Any], query: str) -> tuple[Any, ...]:
    """The one row that `query` makes of the table `rows`, which these batches are."""
    found = run(connection, batches, query).to_pylist()
    return tuple(found[0].values())


def entries_of(connection: Any, batches: Iterable[Any], most: int) -> Any:
    """The different values of the column `p0`; None where there are more than `most`."""
    found = run(connection, batches, f"SELECT DISTINCT p0 FROM rows LIMIT {most + 1}")
    return None if found.num_rows > most else found.column(0)


def run(connection: Any, batches: Iterable[Any], query: str) -> Any:
    """What `query` makes of the table `rows`, as an Arrow table."""
    import duckdb
    import pyarrow as pa

    stream = iter(batches)
    first = next(stream)
    faults: list[InputError] = []

    def rows() -> Iterator[Any]:
        yield first
        try:
            yield from stream
        except InputError as error:  # DuckDB would wrap it in words of its own
            faults.append(error)
            raise

    connection.register("rows", pa.RecordBatchReader.from_batches(first.schema, rows()))
    try:
        return connection.sql(query).to_arrow_table()
    except (duckdb.Error, pa.ArrowException, InputError) as error:
        if faults:
            raise faults[0] from None
        if isinstance(error, duckdb.OutOfMemoryException | duckdb.IOException):
            raise InputError(NO_ROOM) from None
        raise
    finally:
        connection.unregister("rows")
