"""Counting records in many files, beside DuckDB's own GROUP BY of the same files in the same run."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import discreet as dc
from benchmarks.harness import Case

SIZES = (2, 5, 8, 12, 20, 4)
NAMES = [f"v{j}" for j in range(len(SIZES))]


def write_records(folder: Path, n: int, part: int = 5_000_000) -> None:
    rng = np.random.default_rng(0)
    for number, first in enumerate(range(0, n, part)):
        rows = min(part, n - first)
        columns = {
            name: pa.DictionaryArray.from_arrays(
                rng.integers(0, size, rows, dtype=np.int8), [f"label {i}" for i in range(size)]
            ).cast(pa.string())
            for name, size in zip(NAMES, SIZES)
        }
        pq.write_table(pa.table(columns), folder / f"part-{number:05d}.parquet")


def cpu(work: Callable[[], object]) -> tuple[float, float]:
    """CPU-seconds and seconds."""
    start, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - start, time.perf_counter() - wall


def rows(n: int) -> list[tuple[object, ...]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_records(folder, n)
        keys = ", ".join(NAMES)
        query = f"SELECT {keys}, count(*) FROM read_parquet('{folder}/*.parquet') GROUP BY {keys}"
        connection = duckdb.connect()
        connection.execute("SET enable_progress_bar = false")
        own = cpu(lambda: connection.sql(query).fetchall())
        ours = cpu(lambda: dc.Table.from_parquet(folder, NAMES))
        totals = cpu(lambda: dc.tabulate(str(folder), NAMES[:3]))
    return [
        (n, "DuckDB's GROUP BY", *own, 1.0),
        (n, "Table.from_parquet, 6 variables", *ours, ours[0] / own[0]),
        (n, "tabulate, 3 variables with totals", *totals, totals[0] / own[0]),
    ]


TABLE = ("records", "what", "CPU-seconds", "seconds", "CPU, ratio")
CASES = {
    "scale_tabulate": Case("Counting records in many files", TABLE, lambda: rows(10**6)),
    "scale_tabulate_large": Case("Counting a hundred million records", TABLE, lambda: rows(10**8), short=False),
}
