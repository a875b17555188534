"""Microaggregation in blocks against memory, on the same files: what each loses and takes.

    python -m benchmarks scale-loss

Each run is a program of its own, from Parquet to Parquet and checked; processor seconds and memory are those of all its
processes.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks.harness import Case
from benchmarks.measured import run_measured
from benchmarks.scale_data import COLUMNS, write_parts

LIMIT = "1GB"


def losses(sizes: tuple[int, ...] = (100_000, 1_000_000, 10_000_000)) -> list[tuple[object, ...]]:
    import pyarrow.dataset as arrow
    import pyarrow.parquet as pq

    rows: list[tuple[object, ...]] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for n in sizes:
            big = write_parts(folder / f"{n}", n)
            pq.write_table(arrow.dataset(big).to_table(), folder / f"{n}.parquet")
            shared = ["-k", "5", "--columns", ",".join(COLUMNS), "--quiet"]
            ways = {
                "memory": [str(folder / f"{n}.parquet"), "-o", str(folder / f"{n}-out.parquet")],
                f"blocks, {LIMIT}": [str(big), "-o", str(folder / f"{n}-out"), "--memory", LIMIT],
                "blocks, 100MB": [str(big), "-o", str(folder / f"{n}-small"), "--memory", "100MB"],
            }
            for way, words in ways.items():
                figures = folder / "figures.json"
                figures.unlink(missing_ok=True)
                took = run_measured(
                    ["-m", "discreet", "microaggregate", *words, *shared, "--json", str(figures)], folder
                )
                loss = json.loads(figures.read_text(encoding="utf-8"))["information_loss"]
                rows.append((n, way, loss, took.processor, took.wall, took.memory / 1e6))
    return rows


CASES = {
    "scale-loss": Case(
        "Microaggregation of n × 5 records at k = 5, in memory and in blocks, Parquet to checked Parquet",
        ("records", "way", "information loss, %", "CPU s", "wall s", "memory MB"),
        losses,
        short=False,
    ),
}
