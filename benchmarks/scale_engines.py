"""The same run on threads, Dask and Spark: what an engine costs beside the work, its start included."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from benchmarks.harness import Case
from benchmarks.measured import Measured, run_measured
from benchmarks.scale_data import COLUMNS, write_parts

ENGINES = {"threads": None, "Dask, local": "local", "Spark, local[2]": "local[2]"}


def microaggregate(source: Path, output: Path, cluster: str | None, memory: str) -> Measured:
    """What the command takes, from a folder of Parquet files to the checked release."""
    words = ["-m", "discreet", "microaggregate", str(source), "-k", "5", "--columns", ",".join(COLUMNS)]
    words += ["-o", str(output), "--seed", "1", "--memory", memory, "--quiet"]
    return run_measured(words + (["--cluster", cluster] if cluster else []), output.parent)


def digest(folder: Path) -> str:
    """Of all files, in the order of their names."""
    import hashlib

    found = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:12]


def overhead() -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = write_parts(folder / "in", 1_000_000)
        microaggregate(source, folder / "warm", None, "1GB")  # compiles
        base: Measured | None = None
        for name, cluster in ENGINES.items():
            took = microaggregate(source, folder / "out", cluster, "1GB")
            base = base or took
            rows.append((name, took.processor, took.processor / base.processor, took.wall, digest(folder / "out")))
            shutil.rmtree(folder / "out")
    return rows


CASES = {
    "engines": Case(
        "Microaggregation of 10⁶ × 5 records, k = 5, by engine",
        ("engine", "CPU s", "of threads", "wall s", "SHA-256 of the release"),
        overhead,
        short=False,
    ),
}
