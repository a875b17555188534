"""Compile the kernels of column generation in a process of their own, while this one anneals.

`best` needs the kernels of annealing at once and those of column generation some seconds later. On a first run both are
compiled, the second ones here: numba keeps what it compiled on disk, and the first process finds it there. Nothing is
lost where the process cannot start: the kernels are then compiled when they are called.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from discreet.work import Deadline, Reporter


def warm() -> subprocess.Popen[bytes] | None:
    """Start compiling, unless that has been done; the process to wait for."""
    if _compiled():
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "discreet.microaggregation.certificate.compilation"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def _compiled() -> bool:
    """Whether numba's cache has the largest kernel."""
    from discreet.microaggregation.certificate.pricing.roots import price_roots

    stats = getattr(price_roots, "stats", None)  # none where numba is switched off
    return stats is None or any(Path(stats.cache_path).glob("*price_roots*.nbi"))


def compile_kernels() -> None:
    """A small problem through pricing and all cuts; no annealing."""
    from discreet.microaggregation.certificate.master.column_generation import generate
    from discreet.microaggregation.certificate.master.columns import Columns
    from discreet.microaggregation.certificate.master.cut_master import CutMaster, cut_rounds
    from discreet.microaggregation.certificate.progress import Progress
    from discreet.microaggregation.certificate.space import measure
    from discreet.scale import workers

    n, k = 60, 3
    points = np.random.default_rng(0).standard_normal((n, 3))
    progress = Progress(points, k, np.arange(n) // k, Deadline(None), Reporter(None))
    space = measure(points, k)
    columns = Columns(space, 2 * k - 1)
    columns.add_partition(progress.labels)
    with workers(None) as executor:
        generate(space, columns, progress, executor)
        multipliers = progress.proof.multipliers
        assert multipliers is not None
        master = CutMaster(space, columns, progress, np.arange(columns.count, dtype=np.int32), multipliers)
        cut_rounds(master, executor)


if __name__ == "__main__":
    compile_kernels()
