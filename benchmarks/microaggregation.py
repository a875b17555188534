"""The experiments of Mortazavi and Jalili (2015) with our methods beside the printed figures, and how they scale.

Their synthetic data is described, not published (section 5.1); ours follows the words:

    Synthetic   10 000 × 10, ten clusters of normal records (σ = 0.15) around centers uniform in [0, 1]^10
    Sim-1       25 sets of 100 × 10, uniform in [−1000, 1000]
    Sim-2       25 sets of 5 clusters × 20 records, d uniform in 4 .. 8, σ of a cluster uniform in [0.1, 0.3], centers
                uniform in [0, 1]^d
    Sim-3       as Sim-2 with centers in [0, 2]^d

so figures on them can be compared in size only. All attributes are standardized by the sample standard deviation. IL is
100·SSE/SST. Times are CPU times (of all threads together) of one call after a first that compiles: a busy machine
disturbs them less than wall times. Read them as ratios to MDAV in the same run.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

import discreet as dc
from benchmarks.harness import Case
from discreet import datasets
from discreet.microaggregation import METHODS, solve
from discreet.microaggregation.constructions.mdav import mdav, mdav_kernel
from discreet.microaggregation.problem import Partition, sse, sst, standardize
from discreet.microaggregation.search.annealing import Schedule
from discreet.microaggregation.search.blocks import split

Row = Sequence[object]

# Table 2: IL of MDAV and of one run of ICSM.
TABLE_2 = {
    ("tarragona", 3): (16.93, 14.81), ("tarragona", 5): (22.46, 20.69), ("tarragona", 10): (33.19, 30.70),
    ("census", 3): (5.69, 4.85), ("census", 5): (9.09, 7.78), ("census", 10): (14.16, 11.93),
    ("eia", 3): (0.48, 0.36), ("eia", 5): (1.67, 0.78), ("eia", 10): (3.84, 2.24),
}  # fmt: skip
TABLE_2_SYNTHETIC = {3: (6.74, 6.55), 5: (10.30, 10.14), 10: (14.94, 14.78)}
TABLE_2_SIMULATED = {
    ("Sim-1", 3): (32.68, 27.95), ("Sim-1", 5): (48.65, 42.87), ("Sim-1", 10): (67.52, 63.92),
    ("Sim-2", 3): (14.32, 12.44), ("Sim-2", 5): (23.56, 20.13), ("Sim-2", 10): (37.18, 31.91),
    ("Sim-3", 3): (15.51, 12.65), ("Sim-3", 5): (23.96, 20.31), ("Sim-3", 10): (37.73, 32.61),
}  # fmt: skip
# Table 4: the better of ICSM (1600 restarts) and LS.
TABLE_4 = {
    ("tarragona", 3): 14.54, ("tarragona", 4): 17.18, ("tarragona", 5): 20.25, ("tarragona", 10): 30.23,
    ("census", 3): 4.75, ("census", 4): 6.21, ("census", 5): 7.50, ("census", 10): 11.74,
    ("eia", 3): 0.35, ("eia", 4): 0.49, ("eia", 5): 0.74, ("eia", 10): 1.95,
}  # fmt: skip
CONSTRUCTIONS = (
    "mdav", "md", "v-mdav", "tfrp", "gsms", "gsms-t2", "dba", "dba-2p", "mst", "npn-mhm", "md-mhm", "mdav-mhm", "fdm",
    "mu-approx",
)  # fmt: skip


def load(name: str) -> np.ndarray:
    return standardize(getattr(datasets, name)().to_numpy(float))


def synthetic(n: int = 10_000, d: int = 10, *, clusters: int = 10, spread: float = 0.15, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    centers = random.random((clusters, d))
    member = random.integers(0, clusters, n)
    return standardize(centers[member] + spread * random.standard_normal((n, d)))


def simulated(name: str) -> list[np.ndarray]:
    sets = []
    for i in range(25):
        random = np.random.default_rng([i, int(name[-1])])
        if name == "Sim-1":
            values = random.uniform(-1000, 1000, (100, 10))
        else:
            d = int(random.integers(4, 9))
            centers = random.uniform(0, 1 if name == "Sim-2" else 2, (5, d))
            sigma = random.uniform(0.1, 0.3, 5)
            values = np.concatenate([c + s * random.standard_normal((20, d)) for c, s in zip(centers, sigma)])
        sets.append(standardize(values))
    return sets


def timed(work: Callable[[], Partition]) -> tuple[Partition, float]:
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def warm(*methods: str) -> None:
    points = np.random.default_rng(0).normal(size=(60, 3))
    for method in methods:
        solve(points, 3, method=method)


def table_2() -> list[Row]:
    warm("mdav", "icsm", "auto")
    rows: list[Row] = []
    for (name, k), (printed_mdav, printed_icsm) in TABLE_2.items():
        points = load(name)
        start, base = timed(lambda points=points, k=k: solve(points, k, method="mdav"))
        icsm, slow = timed(lambda points=points, k=k: solve(points, k, method="icsm"))
        ours, quick = timed(lambda points=points, k=k: solve(points, k))
        rows.append(
            (name, k, printed_mdav, f"{start.information_loss:.2f}", printed_icsm, f"{icsm.information_loss:.3f}",
             icsm.detail["iterations"], f"{slow / base:.0f}", f"{ours.information_loss:.3f}", f"{quick / base:.0f}")
        )  # fmt: skip
    return rows


def table_2_synthetic() -> list[Row]:
    warm("mdav", "icsm", "auto")
    rows: list[Row] = []
    points = synthetic()
    for k, (printed_mdav, printed_icsm) in TABLE_2_SYNTHETIC.items():
        start, base = timed(lambda k=k: solve(points, k, method="mdav"))
        icsm, slow = timed(lambda k=k: solve(points, k, method="icsm", max_iterations=20))
        ours, quick = timed(lambda k=k: solve(points, k))
        rows.append(
            ("Synthetic", k, printed_mdav, f"{start.information_loss:.2f}", printed_icsm,
             f"{icsm.information_loss:.2f}", f"{slow / base:.0f}", f"{ours.information_loss:.2f}",
             f"{quick / base:.0f}")
        )  # fmt: skip
    for (name, k), (printed_mdav, printed_icsm) in TABLE_2_SIMULATED.items():
        figures, times = np.zeros(3), np.zeros(3)
        sets = simulated(name)
        for points in sets:
            for at, method in enumerate(("mdav", "icsm", "auto")):
                found, took = timed(lambda points=points, k=k, method=method: solve(points, k, method=method))
                figures[at] += found.information_loss / len(sets)
                times[at] += took
        rows.append(
            (name, k, printed_mdav, f"{figures[0]:.2f}", printed_icsm, f"{figures[1]:.2f}",
             f"{times[1] / times[0]:.0f}", f"{figures[2]:.2f}", f"{times[2] / times[0]:.0f}")
        )  # fmt: skip
    return rows


def table_4(limit: float = 60.0) -> list[Row]:
    warm("auto")
    solve(np.random.default_rng(0).normal(size=(60, 3)), 3, effort="best", time_limit=1)
    rows: list[Row] = []
    for (name, k), printed in TABLE_4.items():
        points = load(name)
        default = solve(points, k)
        best, took = timed(lambda points=points, k=k: solve(points, k, effort="best", time_limit=limit))
        rows.append(
            (name, k, printed, f"{default.information_loss:.4f}", f"{best.information_loss:.6f}", best.status,
             f"{took:.0f}", best.detail["annealings"])
        )  # fmt: skip
    return rows


def figure_5() -> list[Row]:
    methods = [m for m in (*CONSTRUCTIONS, "icsm", "ils", "annealing") if m in METHODS]
    warm(*methods)
    rows: list[Row] = []
    data = {name: load(name) for name in ("tarragona", "census")}
    for method in methods:
        figures: list[object] = [method]
        total = {"mdav": 0.0, method: 0.0}
        for points in data.values():
            for k in (3, 5, 10):
                found, took = timed(lambda points=points, k=k, method=method: solve(points, k, method=method))
                total[method] += took
                total["mdav"] += timed(lambda points=points, k=k: solve(points, k, method="mdav"))[1]
                figures.append(f"{found.information_loss:.2f}")
        rows.append((*figures, f"{total[method] / total['mdav']:.1f}" if method != "mdav" else "1"))
    return rows


def many_k(ks: Sequence[int] = (3, 4, 5, 10)) -> list[Row]:
    """A list of k against one call for each: CPU seconds of the whole instrument, from a frame to frames."""
    rows: list[Row] = []
    for name in ("tarragona", "census", "eia"):
        points = load(name)
        frame = pd.DataFrame(points, columns=[f"x{j}" for j in range(points.shape[1])])
        for method, effort in (("fdm", None), ("npn-mhm", None), ("mst", None), ("auto", "fast"), ("auto", "default")):
            asked: dict[str, Any] = {"method": method, "effort": effort}
            dc.microaggregate(frame, list(ks), **asked)
            start = time.process_time()
            together = dc.microaggregate(frame, list(ks), **asked)
            middle = time.process_time()
            separate = [dc.microaggregate(frame, k, **asked) for k in ks]
            end = time.process_time()
            same = all((a.labels == b.labels).all() for a, b in zip(together, separate))
            losses = [f"{result.information_loss:.2f}" for result in together]
            title = method if effort is None else f"{method}, {effort}"
            rows.append((name, title, *losses, f"{(middle - start) / (end - middle):.2f}", "yes" if same else "no"))
    return rows


def mdav_in_blocks(points: np.ndarray, k: int, size: int = 4096) -> float:
    """IL of MDAV run block by block on a k-d split, with nothing after it."""
    cut = split(points, None, size, np.random.default_rng(0))
    labels, groups = np.empty(len(points), np.int64), 0
    for b in range(len(cut.ends)):
        members = cut.members(b)
        found = mdav_kernel(np.ascontiguousarray(points[members]), k)
        labels[members] = found + groups
        groups += int(found.max()) + 1
    return 100 * sse(points, labels) / sst(points)


def scaling(
    cases: Sequence[tuple[int, int, int]] = ((100_000, 10, 3), (100_000, 10, 10), (1_000_000, 10, 3)),
) -> list[Row]:
    warm("blocks", "mdav")
    rows: list[Row] = []
    for n, d, k in cases:
        points = synthetic(n, d)
        found, took = timed(lambda points=points, k=k: solve(points, k))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        exact, base = "", ""
        if n <= 100_000:
            start = time.process_time()
            exact = f"{100 * sse(points, mdav(points, k)) / sst(points):.3f}"
            base = f"{time.process_time() - start:.2f}"
        rows.append(
            (f"{n:.0e} × {d}", k, exact, base, f"{mdav_in_blocks(points, k):.3f}" if n <= 10**6 else "",
             f"{found.information_loss:.3f}", f"{took:.2f}", f"{peak:.2f}")
        )  # fmt: skip
    return rows


def temperatures() -> list[Row]:
    """What annealing gains from its starting temperature, at equal work."""
    from discreet.microaggregation.search.annealing import anneal, survey

    rows: list[Row] = []
    for name in ("tarragona", "census", "eia"):
        points = load(name)
        for k in (3, 10):
            land, start = survey(points, k), mdav(points, k)
            row: list[object] = [name, k]
            for hot in (0.05, 0.2, 1.0, 4.0):
                schedule = Schedule(1000, hot, 0.01, 0.75, 0.3, 0.03, best_swap=True)
                labels, _ = anneal(land, start, schedule, 1)
                row.append(f"{100 * sse(points, labels) / sst(points):.4f}")
            rows.append(row)
    return rows


_LOSSES = ("MDAV printed", "MDAV", "ICSM printed", "ICSM")
CASES = {
    "microaggregation-table-2": Case(
        "Table 2: one run of ICSM on the reference data, and the default method",
        ("data", "k", *_LOSSES, "iterations", "CPU/MDAV", "default", "CPU/MDAV"),
        table_2,
    ),
    "microaggregation-table-2-synthetic": Case(
        "Table 2: simulated data (ICSM on Synthetic stops after 20 iterations, as printed)",
        ("data", "k", *_LOSSES, "CPU/MDAV", "default", "CPU/MDAV"),
        table_2_synthetic,
        short=False,
    ),
    "microaggregation-table-4": Case(
        "Table 4: the best of 1600 restarts as printed, one default run, and `best` with 60 s",
        ("data", "k", "printed", "default", "best", "status", "CPU s", "annealings"),
        table_4,
        short=False,
    ),
    "microaggregation-figure-5": Case(
        "Figure 5: methods compared on Tarragona and Census, IL for k = 3, 5, 10",
        ("method", "Tar. 3", "Tar. 5", "Tar. 10", "Cen. 3", "Cen. 5", "Cen. 10", "CPU/MDAV"),
        figure_5,
    ),
    "microaggregation-many-k": Case(
        "A list of four k: IL, CPU time relative to four separate calls, and whether the groups are the same",
        ("data", "method", "k = 3", "4", "5", "10", "CPU/separate", "same"),
        many_k,
    ),
    "microaggregation-scaling": Case(
        "Large data: default effort against MDAV on all records and MDAV in blocks of 4096",
        ("records", "k", "MDAV", "CPU s", "MDAV in blocks", "default", "CPU s", "peak GB"),
        scaling,
        short=False,
    ),
    "microaggregation-largest": Case(
        "10^7 records of 5 columns",
        ("records", "k", "MDAV", "CPU s", "MDAV in blocks", "default", "CPU s", "peak GB"),
        lambda: scaling(((10_000_000, 5, 3),)),
        short=False,
    ),
    "microaggregation-temperatures": Case(
        "Annealing from different temperatures, 1000 proposals a record",
        ("data", "k", "0.05", "0.2", "1", "4"),
        temperatures,
        short=False,
    ),
}
