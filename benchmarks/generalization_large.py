"""Generalization of a dataset in blocks against the same in memory: GCP, CPU seconds and peak memory of the search.

`python -m benchmarks generalization-large`: two million synthetic census records in eight Parquet files, k = 5, within
1 GB. The check of the release is not part of it.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.generalization_data import NAMES, NUMERIC, census, census_codes
from benchmarks.harness import Case
from discreet.frames.datasets import dataset
from discreet.generalization.methods import solve
from discreet.instruments.large.boxes.door import check_asked
from discreet.instruments.large.boxes.generalize import Found, run_large
from discreet.instruments.quasi_identifiers import Treatment

N, K, FILES = 2_000_000, 5, 8
TREATMENT = Treatment(
    hierarchies={}, categorical=(), ordered={}, importance={}, ncp="distinct", missing="error", sensitive=None
)


def write_parts(folder: Path, n: int) -> None:
    """The synthetic census as Parquet files, with an income that nobody is supposed to know."""
    codes = census_codes(n)
    columns = {}
    for a, name in enumerate(NAMES):
        texts = pa.array([f"{name[:3]}-{code}" for code in range(codes[:, a].max() + 1)])
        columns[name] = pa.array(codes[:, a]) if name in NUMERIC else texts.take(pa.array(codes[:, a]))
    columns["income"] = pa.array(np.random.default_rng(7).integers(0, 50, n))
    table = pa.table(columns)
    for i in range(FILES):
        piece = table.slice(n * i // FILES, n * (i + 1) // FILES - n * i // FILES)
        pq.write_table(piece, folder / f"part-{i}.parquet", row_group_size=100_000)


def large() -> list[list[object]]:
    """In blocks first: the peak of a process never falls."""
    rows: list[list[object]] = []
    found: list[Found] = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in").mkdir()
        write_parts(Path(folder) / "in", N)
        data = dataset(Path(folder) / "in", memory="1GB")
        asked = check_asked(
            data,
            K,
            quasi_identifiers=NAMES,
            method="auto",
            options={},
            random_state=1,
            treatment=TREATMENT,
            accept=(),
            refused={},
        )
        start = time.process_time()
        run_large(data, asked, Path(folder) / "out", progress=None, finish=lambda _, one: found.append(one))
        rows.append(_row("blocks, 1 GB", found[0].gcp, start))
    domain = census(N)
    start = time.process_time()
    rows.append(_row("in memory", solve(domain, K).gcp, start))
    return rows


def _row(what: str, gcp: float, start: float) -> list[object]:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return [what, f"{gcp:.6f}", f"{time.process_time() - start:.0f}", peak]


CASES = {
    "generalization-large": Case(
        "Generalization in blocks and in memory, 2 000 000 records × 8, k = 5",
        ["how", "GCP", "CPU s", "peak MB"],
        large,
        short=False,
    )
}
