"""Bounds on the cells of tables: how many sides are proven and how long it takes; margins alone are given.

Seconds are CPU seconds after compilation, those of CP-SAT's process included; wall seconds include its. Every
table that is bounded is known here, and its counts are checked to lie inside the bounds. The Rochdale table is read
from `rochdale.csv` in the folder `DISCREET_DATA` where there is one.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil

import discreet as dc
from benchmarks.harness import Case

FOLDER = Path(os.environ.get("DISCREET_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
Rows = list[tuple[object, ...]]
# Runs of each case of `update` and `intruder`, of which the median counts: of more than 50 ms, of less.
REPEATS, MORE_REPEATS = 3, 25


def autoworkers() -> dc.Table:
    return dc.Table.from_counts(dc.datasets.autoworkers())


def rochdale() -> dc.Table | None:
    path = FOLDER / "rochdale.csv"
    return dc.Table.from_counts(pd.read_csv(path)) if path.exists() else None


def binary_survey(n: int, variables: int, seed: int = 1) -> dc.Table:
    """A sparse table of yes/no variables made from the synthetic survey."""
    people = dc.datasets.survey(n, seed=seed)
    columns = {
        "sex": people["sex"] == "f",
        "old": people["age"] >= 65,
        "educated": people["education"] == "tertiary",
        "working": people["employment"].isin(["employed", "self-employed"]),
        "owner": people["dwelling"] == "owned",
        "ill": people["illness"] != "none",
        "rich": people["income"] > people["income"].quantile(0.9),
        "saver": people["savings"] > 0,
        "north": people["region"].isin(["Ashford", "Brook", "Calder"]),
        "student": people["employment"] == "student",
    }
    return dc.Table.from_frame(pd.DataFrame(columns).iloc[:, :variables].astype(str))


def latent_classes(sizes: tuple[int, ...], n: int, classes: int, seed: int) -> dc.Table:
    """Persons of a few types, each of which prefers few categories: sparse, with strong interactions."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(classes, n, p=rng.dirichlet(np.ones(classes)))
    codes = []
    for size in sizes:
        preference = np.cumsum(rng.dirichlet(np.full(size, 0.25), size=classes)[kind], axis=1)
        codes.append((rng.random(n)[:, None] > preference).sum(axis=1).clip(0, size - 1))
    counts = np.zeros(sizes, np.int64)
    np.add.at(counts, tuple(codes), 1)
    return dc.Table.from_array(counts)


def cube(mean: float) -> dc.Table:
    return dc.Table.from_array(np.random.default_rng(0).poisson(mean, (10, 10, 10)))


def all_ways(table: dc.Table, order: int) -> dc.Margins:
    return table.margins(list(combinations(table.names, order)))


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """The result, CPU seconds (the integer solver's process included) and wall seconds."""
    before = solver_seconds()
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return result, cpu + solver_seconds() - before, wall


def solver_seconds() -> float:
    """CPU seconds of the child processes so far, in the clock ticks of the system."""
    spent = 0.0
    for child in psutil.Process().children():
        times = child.cpu_times()
        spent += times.user + times.system
    return spent


def fresh(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """As `timed`, with nothing remembered of the lattice of an earlier run."""
    from discreet.tables.theory.lattice import lattice_of

    lattice_of.cache_clear()
    return timed(work)


def warm_up() -> None:
    """Compile, and start the integer solver's process."""
    table = autoworkers()
    dc.bounds(all_ways(table, 3))
    dc.bounds(all_ways(table, 2)).update(table.margin(table.names[:3]))
    dc.bounds(all_ways(binary_survey(20_000, 8), 4))


def bounded(name: str, table: dc.Table, margins: dc.Margins, limit: float | None = None) -> tuple[object, ...]:
    bounds, cpu, wall = fresh(lambda: dc.bounds(margins, time_limit=limit))
    x = table.dense()
    wrong = int(((x < bounds.lower) | (x > bounds.upper)).sum())
    proven = f"{2 * table.size - bounds.open_sides} of {2 * table.size}"
    return name, proven, wrong, cpu, wall, bounds.work.get("integer programs", 0)


def small() -> Rows:
    """Every table and order that is to be sharp throughout."""
    warm_up()
    auto, weavers = autoworkers(), rochdale()
    rows: Rows = []
    for name, releases in (("first", "BF ABCE ADE"), ("second", "BF BC BE AB AC AE CE DE AD")):
        margins = auto.margins([tuple(r) for r in releases.split()])
        rows.append(bounded(f"autoworkers, the paper's {name} example", auto, margins))
    cases = [("autoworkers 2^6", auto, range(2, 6))]
    if weavers is not None:
        cases.append(("Rochdale 2^8", weavers, range(2, 8)))
    cases += [
        ("survey 2^8, 20 000 persons", binary_survey(20_000, 8), range(2, 8)),
        ("latent classes 2^8, 21 574 persons", latent_classes((2,) * 8, 21_574, 4, 3), range(2, 8)),
        ("3×4×3×5, 5144 persons", latent_classes((3, 4, 3, 5), 5144, 4, 1), range(2, 4)),
        ("10×10×10 dense", cube(20), range(2, 3)),
        ("10×10×10 sparse", cube(1), range(2, 3)),
    ]
    for name, table, orders in cases:
        rows += [bounded(f"{name}, all {order}-way", table, all_ways(table, order)) for order in orders]
    return rows


def frontier() -> Rows:
    warm_up()
    latent, survey = latent_classes((2,) * 10, 21_574, 6, 3), binary_survey(20_000, 10)
    return [
        bounded("latent classes, 21 574 persons", latent, all_ways(latent, 4), limit=120.0),
        bounded("survey, 20 000 persons", survey, all_ways(survey, 4), limit=120.0),
    ]


def intruder() -> Rows:
    """The margins alone against the same engine handed the true table to start from."""
    from discreet.tables.bounds.one_atom import Effort, Sharpener
    from discreet.tables.state.atom import AtomState
    from discreet.tables.theory.lattice import lattice_of
    from discreet.work import Deadline, Reporter

    def from_table(table: dc.Table, margins: dc.Margins) -> Any:
        lattice = lattice_of(margins.shape, tuple(margins.values))
        state = AtomState(lattice, {g: margins.values[g] for g in lattice.generators})
        state.shuttle()
        state.admit(table.dense().reshape(-1))
        Sharpener(state, Deadline(None), Reporter(None), Effort()).run()
        return state

    warm_up()
    tables = [("autoworkers", autoworkers()), ("Rochdale", rochdale()), ("survey 2^8", binary_survey(20_000, 8))]
    tables += [("latent classes 2^8", latent_classes((2,) * 8, 21_574, 4, 3)), ("10×10×10 dense", cube(20))]
    rows: Rows = []
    for name, table in tables:
        if table is None:
            continue
        for order in range(2, 3 if len(table.names) == 3 else 5):
            margins = all_ways(table, order)
            first, second = [], []
            for i in range(MORE_REPEATS):
                alone, _, one = fresh(lambda m=margins: dc.bounds(m))  # type: ignore[misc]
                given, _, two = fresh(lambda t=table, m=margins: from_table(t, m))  # type: ignore[misc]
                first.append(one)
                second.append(two)
                if i + 1 >= REPEATS and one > 0.05:
                    break
            one, two = statistics.median(first), statistics.median(second)
            assert np.array_equal(alone.lower.reshape(-1), given.lower)
            assert np.array_equal(alone.upper.reshape(-1), given.upper)
            rows.append((f"{name}, all {order}-way", one, two, one / two))
    return rows


def scale() -> Rows:
    from discreet.tables.theory.frechet_theorem_1 import decomposable_bounds
    from discreet.tables.theory.graph import decompose

    warm_up()
    rows: Rows = []
    rng = np.random.default_rng(0)
    for k in (16, 20, 22):
        table = dc.Table.from_array(rng.poisson(0.5, (2,) * k))
        margins = table.margins([table.names[i : i + 3] for i in range(k - 2)])
        tree = decompose(k, margins.values)
        _, cpu, wall = timed(lambda m=margins, t=tree: decomposable_bounds(m.shape, t, m.values))  # type: ignore[misc]
        rows.append((f"Fréchet, chain of 3-way margins on 2^{k} cells", cpu, wall))
        _, cpu, wall = timed(lambda m=margins: dc.bounds(m))  # type: ignore[misc]
        rows.append((f"the same through `dc.bounds`, 2^{k} cells", cpu, wall))
    for count in (150, 400):
        generators = [tuple(rng.choice(200, 3, replace=False).tolist()) for _ in range(count)]
        _, cpu, wall = timed(lambda g=generators: decompose(200, g))  # type: ignore[misc]
        rows.append((f"decomposition of 200 variables, {count} random 3-way margins", cpu, wall))
    return rows


def one_more() -> Iterator[tuple[str, dc.Table, list[tuple[str, ...]], tuple[str, ...]]]:
    """Releases and one more: the last of an order, or the first of a higher one."""
    tables = [("autoworkers", autoworkers(), range(2, 6)), ("Rochdale", rochdale(), range(2, 7))]
    tables += [
        ("survey 2^8", binary_survey(20_000, 8), range(2, 7)),
        ("latent classes 2^8", latent_classes((2,) * 8, 21_574, 4, 3), range(2, 7)),
        ("3×4×3×5", latent_classes((3, 4, 3, 5), 5144, 4, 1), range(2, 4)),
        ("10×10×10 dense", cube(20), range(2, 3)),
    ]
    for name, table, orders in tables:
        if table is None:
            continue
        for order in orders:
            *most, last = combinations(table.names, order)
            yield f"{name}, the last {order}-way", table, most, last
        for order in orders:
            if order + 1 < len(table.names):
                ways = list(combinations(table.names, order))
                yield f"{name}, all {order}-way and one {order + 1}-way", table, ways, table.names[: order + 1]
        if len(table.names) > 5:
            yield f"{name}, all 2-way and one 4-way", table, list(combinations(table.names, 2)), table.names[:4]


def update() -> Rows:
    """`Bounds.update` against `bounds` with all margins: the same result, at what share of the CPU and wall time.

    Whoever has bounds of the first margins and an update has bounds of all: starting again need not take longer than
    the two together. So a share below `1 − first / all` would show that starting again is slower than it must be.
    """
    warm_up()
    rows: Rows = []
    shares = []
    for name, table, releases, extra in one_more():
        some, margin, full = table.margins(releases), table.margin(extra), table.margins([*releases, extra])
        first, quick, slow = [], [], []
        _, _, wall = fresh(lambda m=full: dc.bounds(m))  # type: ignore[misc]
        for _ in range(REPEATS if wall > 0.05 else MORE_REPEATS):
            before, *times = fresh(lambda m=some: dc.bounds(m))  # type: ignore[misc]
            first.append(times)
            warm, *times = fresh(lambda b=before, m=margin: b.update(m))  # type: ignore[misc]
            quick.append(times)
            cold, *times = fresh(lambda m=full: dc.bounds(m))  # type: ignore[misc]
            slow.append(times)
        assert np.array_equal(warm.lower, cold.lower)
        assert np.array_equal(warm.upper, cold.upper)
        assert warm.open_sides == cold.open_sides == 0
        zero, one, two = (1000 * np.median(times, axis=0) for times in (first, quick, slow))
        shares.append((*one / two, two[0]))
        moved = int((warm.lower != before.lower).sum() + (warm.upper != before.upper).sum())
        tables = sum(len(part.state.tables) for part in warm.solution.parts if part.state is not None)
        work = (
            f"{warm.work.get(kind, 0)}, {cold.work.get(kind, 0)}" for kind in ("pivots", "jumps", "integer programs")
        )
        shown = (f"{share:.2f}" for share in one / two)
        least = f"{max(0.0, 1 - zero[0] / two[0]):.2f}"
        rows.append((name, moved, tables, zero[0], one[0], two[0], *shown, least, *work))
    found = np.array(shares)
    blank = ("",) * 4
    for title, chosen in (
        ("median", found),
        ("median where starting again takes 50 ms or more", found[found[:, 2] >= 50]),
    ):
        middle = (f"{share:.2f}" for share in np.median(chosen, axis=0)[:2])
        rows.append((title, "", "", "", "", "", *middle, *blank))
    below = (3 * found[:, :2] < 1).sum(axis=0)
    rows.append((f"below a third, of {len(shares)} cases", "", "", "", "", "", *map(int, below), *blank))
    return rows


def limits() -> Rows:
    """Tables too large to be settled: is the time limit kept, and how far does it get?"""
    warm_up()
    rows: Rows = []
    for k, order, mean, limit in (
        (10, 2, 3.0, 5.0),
        (12, 2, 3.0, 5.0),
        (12, 4, 0.3, 5.0),
        (14, 2, 3.0, 10.0),
        (15, 2, 3.0, 30.0),
    ):
        table = dc.Table.from_array(np.random.default_rng(1).poisson(mean, (2,) * k))
        name, proven, wrong, _, wall, _ = bounded(f"2^{k}, all {order}-way", table, all_ways(table, order), limit)
        rows.append((name, limit, wall, proven, wrong))
    return rows


def counting() -> Rows:
    """Estimates where the exact number is known: how often it lies within two standard errors, over 20 seeds."""
    rows: Rows = []
    dc.count_tables(all_ways(autoworkers(), 5))
    exact, cpu, _ = timed(lambda: dc.count_tables(all_ways(autoworkers(), 4)))
    rows.append(("autoworkers, all 4-way", str(exact.value), cpu, "counted", "", ""))
    cases = {
        "autoworkers, all 4-way": all_ways(autoworkers(), 4),
        "3×3×3, mean 6, all 2-way": all_ways(dc.Table.from_array(np.random.default_rng(4).poisson(6, (3, 3, 3))), 2),
        "2×2×2×2, mean 20, all 2-way": all_ways(
            dc.Table.from_array(np.random.default_rng(5).poisson(20, (2, 2, 2, 2))), 2
        ),
        "4×4, mean 3, both 1-way": all_ways(dc.Table.from_array(np.random.default_rng(6).poisson(3, (4, 4))), 1),
    }
    for name, margins in cases.items():
        known = dc.count_tables(margins, work_limit=1 << 40)
        found = [dc.count_tables(margins, work_limit=1000, random_state=seed) for seed in range(20)]
        estimated = [f for f in found if not f.exact]
        if not known.exact or not estimated:
            continue
        scores = [(f.log10 - known.log10) / f.log10_error for f in estimated]
        inside = sum(abs(z) <= 2 for z in scores)
        error = statistics.median(f.log10_error for f in estimated)
        seconds = statistics.median(f.seconds for f in estimated)
        rows.append(
            (
                name,
                str(known.value),
                seconds,
                f"{inside} of {len(scores)} within 2 errors",
                error,
                max(map(abs, scores)),
            )
        )
    return rows


def random(count: int = 2000) -> Rows:
    """Random tables with random margins against CP-SAT on the plain cell model."""
    from discreet.verify.cells.check import Equations

    differ = open_sides = 0
    for seed in range(count):
        rng = np.random.default_rng(seed)
        shape = tuple(rng.integers(2, 5, rng.integers(2, 6)).tolist())
        shape = shape if np.prod(shape) <= 300 else shape[:3]
        table = dc.Table.from_array(rng.poisson(rng.choice([0.3, 1.5, 30.0]) * rng.gamma(0.5, 2, shape)))
        k = len(shape)
        chosen = [rng.choice(k, rng.integers(1, k), replace=False) for _ in range(rng.integers(1, 7))]
        margins = table.margins([[table.names[a] for a in g] for g in chosen])
        first = dict(list(margins.values.items())[: (len(margins) + 1) // 2])
        bounds = dc.bounds(dc.Margins(margins.names, margins.categories, first)).update(margins)
        open_sides += bounds.open_sides
        equations = Equations(shape, margins.values.items())
        cell = int(rng.integers(table.size))
        for side, bound in ((1, bounds.upper), (-1, bounds.lower)):
            status, value = equations.integer(cell, side, 0, margins.total, 30.0)
            differ += status == "optimal" and value != bound.reshape(-1)[cell]
    return [(count, 2 * count, int(differ), open_sides)]


SIDES = ("table and margins", "sides proven", "counts outside", "CPU s", "wall s", "integer programs")
CASES = {
    "tables-bounds": Case("Bounds from the margins alone, after compilation", SIDES, small),
    "tables-frontier": Case("The frontier: sparse 2^10, all 4-way, 120 s", SIDES, frontier, short=False),
    "tables-intruder": Case(
        "Margins alone against starting from the true table, wall seconds, medians of 3, of 25 where it is short",
        ("table and margins", "margins alone", "table given", "ratio"),
        intruder,
        short=False,
    ),
    "tables-scale": Case("Closed form and decomposition at scale", ("what", "CPU s", "wall s"), scale),
    "tables-update": Case(
        "One more margin: `update` against starting again, CPU time, medians of 3, of 25 where it is short",
        (
            "released, and one more",
            "sides that move",
            "tables needed",
            "first margins ms",
            "update ms",
            "starting again ms",
            "share of CPU time",
            "of wall time",
            "least share",
            "pivots of either",
            "jumps of either",
            "integer programs of either",
        ),
        update,
        short=False,
    ),
    "tables-limits": Case(
        "Large atoms under a time limit",
        ("table and margins", "limit s", "wall s", "sides proven", "counts outside"),
        limits,
        short=False,
    ),
    "tables-counting": Case(
        "The number of tables: exact, and estimates where it is known",
        ("margins", "tables", "s", "", "standard error in the exponent", "largest deviation in errors"),
        counting,
        short=False,
    ),
    "tables-random": Case(
        "Random tables and margins, half of the margins at first and then the others, against CP-SAT on single cells",
        ("tables", "sides compared", "differ", "sides left open"),
        random,
        short=False,
    ),
}
