"""Certificates of files too large for tables of distances, made and checked by the command.

The data is the synthetic file of `benchmarks.microaggregation` (ten columns, ten normal clusters), with 8000 and 20 000
records. Every row is two processes of their own,

    discreet microaggregate data.csv -k K -o release.csv --certificate proof.json --json result.json --time-limit S
    discreet verify data.csv release.csv -k K --certificate proof.json

so that seconds include the start of Python and the reading of files, and memory is each process's own peak. Kernels are
compiled beforehand, on a small file.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.harness import Case
from benchmarks.microaggregation import synthetic

COLUMNS = (
    "records", "k", "IL %", "lower bound", "gap %", "bound", "seconds", "CPU-s", "peak MB",
    "check", "its seconds", "its CPU-s", "its peak MB",
)  # fmt: skip
# Seconds allowed, by records and k.
LIMITS = {
    (8000, 3): 100, (8000, 5): 150, (8000, 10): 200,
    (20_000, 3): 200, (20_000, 5): 240, (20_000, 10): 240,
}  # fmt: skip


def command(*words: object) -> tuple[int, float, float, float]:
    """Exit code, seconds, CPU seconds and peak memory (MB) of a process of its own."""
    arguments = [sys.executable, "-m", "discreet", *(str(word) for word in words)]
    start = time.perf_counter()
    child = os.posix_spawn(sys.executable, arguments, os.environ)
    _, status, used = os.wait4(child, 0)
    return (
        os.waitstatus_to_exitcode(status),
        time.perf_counter() - start,
        used.ru_utime + used.ru_stime,
        used.ru_maxrss / 1024,
    )


def write(path: Path, points: np.ndarray) -> None:
    names = ",".join(f"x{j}" for j in range(points.shape[1]))
    np.savetxt(path, points, "%.17g", ",", header=names, comments="")


def certified(n: int, k: int, limit: float) -> list[tuple[object, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        data, release, proof, result = (Path(folder) / name for name in ("d.csv", "r.csv", "c.json", "r.json"))
        files = (data, release, proof, result)
        write(data, synthetic(7100))
        _both(*files, 2, 5)
        write(data, synthetic(n))
        made, checked = _both(*files, k, limit)
        found = json.loads(result.read_text(encoding="utf-8"))
    row = (
        n, k, f"{found['information_loss']:.4f}", f"{found['lower_bound']:.4f}", f"{found['gap']:.2f}", found["bound"],
        *(f"{figure:.0f}" for figure in made[1:]),
        {0: "confirmed", 1: "refused", 2: "undecided"}[checked[0]], *(f"{figure:.0f}" for figure in checked[1:]),
    )  # fmt: skip
    return [row]


def _both(
    data: Path, release: Path, proof: Path, result: Path, k: int, limit: float
) -> tuple[tuple[int, float, float, float], tuple[int, float, float, float]]:
    made = command(
        "microaggregate", data, "-k", k, "-o", release, "--certificate", proof, "--json", result,
        "--time-limit", limit, "--force", "-q",
    )  # fmt: skip
    if made[0] != 0:
        raise RuntimeError(f"the certificate was not made: exit code {made[0]}")
    return made, command("verify", data, release, "-k", k, "--certificate", proof)


CASES = {
    f"certificate-blocks-{n}-{k}": Case(
        f"Certificate by blocks of {n} synthetic records, k = {k}, limit {limit} s",
        COLUMNS,
        partial(certified, n, k, limit),
        short=False,
    )
    for (n, k), limit in LIMITS.items()
}
