"""Synthetic registers written in parts: as many records as one likes, of which no more than one file is ever held."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.harness import mixture

COLUMNS = [f"x{j}" for j in range(5)]
ROWS_OF_A_FILE = 250_000


def write_parts(folder: Path, n: int) -> Path:
    """A folder of Parquet files with n records of five numbers, a mixture of normals; each part by its seed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True)
    base = mixture(ROWS_OF_A_FILE, len(COLUMNS))
    for number, first in enumerate(range(0, n, ROWS_OF_A_FILE)):
        rng = np.random.default_rng(number)
        values = base[: min(ROWS_OF_A_FILE, n - first)]
        values = values + rng.normal(0.0, 0.3, values.shape)
        pq.write_table(pa.table(list(values.T), names=COLUMNS), folder / f"part-{number:05d}.parquet")
    return folder
