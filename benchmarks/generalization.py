"""Generalization: the seed paper's experiments with all methods, scaling, partition sizes, bounds, assignment.

`python -m benchmarks generalization-methods` and so on. GCP does not depend on the machine; seconds do. They are CPU
seconds of all threads together, which other work on the machine changes little, unless a case says otherwise.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.generalization_data import NAMES, adult, adult_sensitive, census, write_census
from benchmarks.harness import Case
from discreet.generalization.bound.lower_bound import lower_bound
from discreet.generalization.domain import Domain
from discreet.generalization.extraction import draw
from discreet.generalization.matching.iterations import added_costs
from discreet.generalization.methods import METHODS, solve
from discreet.generalization.partition import NO_RANDOM, kd_blocks
from discreet.solvers.assignment import assign, column_minima

KS = (2, 3, 5, 10, 20)
DIVERSE = (("occupation", 5, 2), ("occupation", 5, 3), ("occupation", 10, 3), ("income", 5, 2), ("income", 10, 2))
ALL = [name for name in METHODS if name not in ("mip", "auto", "k-concealment")]


def _timed(domain: Domain, k: int, method: str, **options: object) -> tuple[float, float]:
    start = time.process_time()
    loss = solve(domain, k, method=method, **options).gcp
    return loss, time.process_time() - start


def _warm(methods: Sequence[str]) -> None:
    small = census(400)
    for method in methods:
        for k in (2, 3):
            solve(small, k, method=method)


def methods() -> list[list[object]]:
    """GCP (and seconds) of every method but the slowest on the first 10 000 records of Adult."""
    return _methods(ALL)


def concealment() -> list[list[object]]:
    """The same for k-concealment, which takes minutes."""
    return _methods(["k-concealment"])


def _methods(names: Sequence[str]) -> list[list[object]]:
    _warm(names)
    domain = adult(10_000)
    rows: list[list[object]] = []
    for method in names:
        cells = [_timed(domain, k, method) for k in KS]
        rows.append([method, *(f"{loss:.6f} ({seconds:.1f} s)" for loss, seconds in cells)])
    return rows


def whole_adult() -> list[list[object]]:
    _warm(["reassign", "hungarian", "ring", "mondrian"])
    domain = adult()
    return [
        [method, *(f"{loss:.6f} ({seconds:.1f} s)" for loss, seconds in (_timed(domain, k, method) for k in (5, 10)))]
        for method in ("reassign", "hungarian", "ring", "mondrian")
    ]


def sizes() -> list[list[object]]:
    """n up to half a million synthetic census records, k = 5: search and draw, against ring."""
    _warm(["reassign", "ring"])
    rows: list[list[object]] = []
    for n in (5_000, 50_000, 500_000):
        domain = census(n)
        start = time.process_time()
        solution = solve(domain, 5)
        draw(solution.matches, seed=1)
        spent = time.process_time() - start
        ring = solve(domain, 5, method="ring").gcp
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        rows.append([n, f"{solution.gcp:.6f}", f"{ring:.6f}", f"{solution.gcp / ring:.3f}", f"{spent:.1f}", memory])
    return rows


def partitions() -> list[list[object]]:
    """Seed paper, section 8.1: methods on lexicographic partitions of rising size, k = 5."""
    names = ("greedy", "sort-greedy", "hungarian")
    _warm(names)
    domain = adult(10_000)
    rows: list[list[object]] = []
    for size in (250, 500, 1000, 2000):
        for kind in ("lexicographic", "kd"):
            cells = [_timed(domain, 5, name, partition=kind, partition_size=size) for name in names]
            rows.append([kind, size, *(f"{loss:.6f} ({seconds:.2f} s)" for loss, seconds in cells)])
    return rows


def equal_time() -> list[list[object]]:
    """Section 8.1: each method gets the partition size at which one partition takes as long as greedy on 2000."""
    names = ("greedy", "sort-greedy", "hungarian")
    _warm(names)
    one = adult(2000)
    budget = _timed(one, 5, "greedy", partition="lexicographic", partition_size=2000)[1]
    rows: list[list[object]] = []
    domain = adult(10_000)
    for name in names:
        size = 2000
        while size > 100:
            if _timed(adult(size), 5, name, partition="lexicographic", partition_size=size)[1] <= 1.2 * budget:
                break
            size = int(size / 1.25)
        loss, seconds = _timed(domain, 5, name, partition="lexicographic", partition_size=size)
        rows.append([name, size, f"{loss:.6f}", f"{seconds:.2f}"])
    return rows


def bounds() -> list[list[object]]:
    """Loss, lower bound and gap on the first 10 000 records of Adult, within 60 s (k = 2) and 3 minutes (k = 3)."""
    domain = adult(10_000)
    return [_bound(domain, 2, 55), _bound(domain, 3, 170)]


def bounds_five() -> list[list[object]]:
    """The same for k = 5."""
    return [_bound(adult(10_000), 5, 240)]


def bounds_large() -> list[list[object]]:
    """All of Adult and half a million records, a minute each."""
    return [_bound(adult(), 5, 60), _bound(adult(), 10, 60), _bound(census(500_000), 5, 60)]


def _bound(domain: Domain, k: int, limit: float) -> list[object]:
    """Seconds of the bound are wall seconds: the limit is one, too."""
    lower_bound(census(300), k, 0.2, time_limit=5)
    solution = solve(domain, k, rounds=None if domain.n < 100_000 else 3)
    start, used = time.perf_counter(), time.process_time()
    bound, kind = lower_bound(domain, k, solution.gcp, time_limit=limit, prices=solution.prices)
    spent, used = time.perf_counter() - start, time.process_time() - used
    gap = 100 * (1 - bound / solution.gcp)
    return [domain.n, k, f"{solution.gcp:.6f}", f"{bound:.6f}", kind, f"{gap:.4f}", f"{spent:.0f}", f"{used:.0f}"]


def diversity() -> list[list[object]]:
    """GCP with l sensitive values in sight, against without: one column of Adult is sensitive, the rest known."""
    rows: list[list[object]] = []
    for name, k, l in DIVERSE:
        domain, values = adult_sensitive(5_000, name)
        if not rows:
            small, few = adult_sensitive(500, name)
            solve(small, 3, values=few, l=2)
        free, _ = _timed(domain, k, "reassign")
        start = time.process_time()
        loss = solve(domain, k, values=values, l=l).gcp
        spent = time.process_time() - start
        share = 100 * np.bincount(values).max() / values.size
        rows.append([name, f"{share:.0f} %", k, l, f"{free:.6f}", f"{loss:.6f}", f"{loss / free:.2f}", f"{spent:.1f}"])
    return rows


def command() -> list[list[object]]:
    """`discreet generalize` from file to checked file, k = 5, in a process of its own: wall seconds and peak memory.

    The first run, on a few records, compiles where nothing is compiled yet and is not counted.
    """
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for n in (1_000, 50_000, 500_000):
            source, target, figures = (Path(folder) / name for name in ("data.csv", "out.csv", "run.json"))
            write_census(n, source)
            words = ["generalize", source, "-k", "5", "--qi", ",".join(NAMES), "-o", target, "--json", figures]
            start = time.perf_counter()
            child = subprocess.Popen([sys.executable, "-m", "discreet", *words, "--force", "--quiet"])
            _, status, usage = os.wait4(child.pid, 0)
            spent = time.perf_counter() - start
            assert status == 0
            run = json.loads(figures.read_text())
            cpu = usage.ru_utime + usage.ru_stime
            cells = [f"{run['gcp']:.6f}", f"{spent:.1f}", f"{cpu:.1f}", usage.ru_maxrss // 1024]
            rows.append([n, *cells])
    return rows[1:]


def assignment() -> list[list[object]]:
    """The assignment of one block, cold: own solver, scipy's and, where installed, lapx's, in one run."""
    from scipy.optimize import linear_sum_assignment

    try:
        import lap
    except ImportError:
        lap = None
    domain = adult(10_000)
    rows: list[list[object]] = []
    for size in (300, 500, 1000, 2000):
        order, ends = kd_blocks(domain.tables, domain.codes, np.arange(domain.n), size, size // 4, NO_RANDOM)
        block = int(np.argmax(np.diff(ends)))
        codes = domain.codes[order[ends[block] : ends[block + 1]]]
        n = codes.shape[0]
        cost = np.empty((n, n), np.int32)
        _fill(domain, codes, cost)
        real = cost.astype(np.float64)
        dual = np.empty(n, np.int32)

        def own(cost: np.ndarray = cost, dual: np.ndarray = dual) -> np.ndarray:
            column_minima(cost, dual)
            return assign(cost, dual, np.empty(0, np.int32))

        own()
        timings = [_best(own), _best(lambda real=real: linear_sum_assignment(real))]
        timings.append(_best(lambda real=real: lap.lapjv(real)) if lap is not None else float("nan"))
        rows.append([n, *(f"{1000 * t:.2f}" for t in timings)])
    return rows


def _fill(domain: Domain, codes: np.ndarray, cost: np.ndarray) -> None:
    from discreet.generalization.boxes import scratch

    slots = np.arange(len(codes), dtype=np.int32)[:, None]
    added_costs(domain.tables, scratch(domain.tables.start[-1]), codes, slots, 1, cost)


def _best(work: object) -> float:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()  # type: ignore[operator]
        times.append(time.perf_counter() - start)
    return min(times)


BOUND_COLUMNS = ["n", "k", "GCP", "lower bound", "which", "gap, %", "wall s", "CPU s"]

CASES = {
    "generalization-methods": Case(
        "GCP by method, Adult, first 10 000 records", ["method", *(f"k = {k}" for k in KS)], methods, short=False
    ),
    "generalization-concealment": Case(
        "GCP of k-concealment, Adult, first 10 000 records",
        ["method", *(f"k = {k}" for k in KS)],
        concealment,
        short=False,
    ),
    "generalization-adult": Case(
        "All 30 162 records of Adult", ["method", "k = 5", "k = 10"], whole_adult, short=False
    ),
    "generalization-sizes": Case(
        "Synthetic census, k = 5", ["n", "GCP", "ring", "ratio", "CPU s", "MB"], sizes, short=False
    ),
    "generalization-partitions": Case(
        "Partition sizes, Adult 10 000, k = 5",
        ["partition", "size", "greedy", "sort-greedy", "hungarian"],
        partitions,
        short=False,
    ),
    "generalization-equal-time": Case(
        "Equal time per partition, Adult 10 000, k = 5", ["method", "size", "GCP", "seconds"], equal_time, short=False
    ),
    "generalization-bounds": Case(
        "Lower bounds, Adult 10 000",
        BOUND_COLUMNS,
        bounds,
        short=False,
    ),
    "generalization-bounds-5": Case("Lower bound at k = 5, Adult 10 000", BOUND_COLUMNS, bounds_five, short=False),
    "generalization-bounds-large": Case("Lower bounds of large files", BOUND_COLUMNS, bounds_large, short=False),
    "generalization-diversity": Case(
        "With l values of a sensitive column, Adult 5000",
        ["sensitive", "most frequent", "k", "l", "GCP without l", "GCP", "ratio", "CPU s"],
        diversity,
        short=False,
    ),
    "generalization-command": Case(
        "The command on synthetic census, k = 5", ["n", "GCP", "wall s", "CPU s", "MB"], command, short=False
    ),
    "generalization-assignment": Case(
        "One block's assignment, milliseconds", ["n", "discreet", "scipy", "lapx"], assignment
    ),
}
