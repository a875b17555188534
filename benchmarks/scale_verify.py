"""Checking a release in many files: CPU-seconds and peak memory under a limit."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.harness import Case

COLUMNS = 5
CHECK = "import sys, discreet as dc; sys.exit(not dc.verify(sys.argv[1], sys.argv[2], k=5, memory=sys.argv[3]).safe)"


def write_release(folder: Path, n: int, parts: int = 10) -> None:
    """Normal records, and the means of groups of five that lie near each other in two of the columns."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, COLUMNS))
    order = np.lexsort((x[:, 1], np.floor(x[:, 0] * np.sqrt(n) / 16)))
    group = np.empty(n, np.int64)
    group[order] = np.minimum(np.arange(n) // 5, n // 5 - 1)
    sizes = np.bincount(group)
    y = np.stack([(np.bincount(group, x[:, j]) / sizes)[group] for j in range(COLUMNS)], axis=1)
    for name, rows in (("before", x), ("after", y)):
        (folder / name).mkdir()
        for part, some in enumerate(np.array_split(rows, parts)):
            table = pa.table({f"v{j}": np.ascontiguousarray(some[:, j]) for j in range(COLUMNS)})
            pq.write_table(table, folder / name / f"part-{part:05d}.parquet")


def rows(n: int, limits: tuple[str, ...]) -> list[tuple[object, ...]]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        write_release(Path(folder), n)
        for memory in limits:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", CHECK, f"{folder}/before", f"{folder}/after", memory], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            found.append((n, memory, cpu, after.ru_maxrss / 1024))
    return found


TABLE = ("records", "memory", "CPU-seconds", "largest so far, MB")
CASES = {
    "scale_verify": Case("Checking a release in many files", TABLE, lambda: rows(10**6, ("600MB",))),
    "scale_verify_large": Case(
        "Checking ten million records", TABLE, lambda: rows(10**7, ("600MB", "1GB")), short=False
    ),
}
