"""Bounds on the cells of tables: how many sides are proven, and how long it takes.

    python benchmarks/tables.py [small] [frontier] [scale] [update] [random]

Prints Markdown. Without words it runs all but the frontier (two minutes) and the random comparison. Seconds are CPU
seconds of this process after compilation; "with solver" adds the wall time spent waiting for CP-SAT's process. Every
table that is bounded is known here, and its counts are checked to lie inside.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import discreet as dc
from discreet.solvers import cpsat
from discreet.tables.frechet import decomposable_bounds
from discreet.tables.graph import decompose

FOLDER = Path(os.environ.get("DISCREET_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


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


def all_ways(table: dc.Table, order: int) -> dc.Margins:
    return table.margins(list(combinations(table.names, order)))


def timed(work: Callable[[], object]) -> tuple[object, float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.process_time() - cpu, time.perf_counter() - wall


def show(name: str, table: dc.Table, margins: dc.Margins, limit: float | None = None) -> None:
    bounds, cpu, wall = timed(lambda: dc.bounds(margins, time_limit=limit))
    x = table.dense()
    wrong = int(((x < bounds.lower) | (x > bounds.upper)).sum())
    sides = 2 * table.size
    done = sides - bounds.open_sides
    asked = bounds.work.get("integer programs", 0)
    print(f"| {name} | {done} of {sides} | {wrong} | {cpu:.3f} | {wall:.2f} | {asked} |", flush=True)


def heading(title: str) -> None:
    print(f"\n## {title}\n\n| table | sides proven | counts outside | CPU s | wall s | integer programs |")
    print("|---|---|---|---|---|---|")


def small() -> None:
    auto = dc.Table.from_counts(dc.datasets.autoworkers())
    dc.bounds(all_ways(auto, 3))
    heading("Tables of the literature")
    for name, releases in (("first", "BF ABCE ADE"), ("second", "BF BC BE AB AC AE CE DE AD")):
        show(f"autoworkers, the seed's {name} example", auto, auto.margins([tuple(r) for r in releases.split()]))
    for order in range(2, 6):
        show(f"autoworkers, all {order}-way", auto, all_ways(auto, order))
    if (FOLDER / "rochdale.csv").exists():
        rochdale = dc.Table.from_counts(pd.read_csv(FOLDER / "rochdale.csv"))
        for order in range(2, 8):
            show(f"Rochdale 2^8, all {order}-way", rochdale, all_ways(rochdale, order))
    heading("Sparse tables of 20 000 persons, 2^8")
    for name, table in (
        ("survey", binary_survey(20_000, 8)),
        ("latent classes", latent_classes((2,) * 8, 21_574, 4, 3)),
    ):
        for order in range(2, 8):
            show(f"{name}, all {order}-way", table, all_ways(table, order))
    heading("More categories")
    mixed = latent_classes((3, 4, 3, 5), 5144, 4, 1)
    cube = dc.Table.from_array(np.random.default_rng(0).poisson(20, (10, 10, 10)))
    sparse = dc.Table.from_array(np.random.default_rng(0).poisson(1, (10, 10, 10)))
    show("3×4×3×5, all 2-way", mixed, all_ways(mixed, 2))
    show("3×4×3×5, all 3-way", mixed, all_ways(mixed, 3))
    show("10×10×10 dense, all 2-way", cube, all_ways(cube, 2))
    show("10×10×10 sparse, all 2-way", sparse, all_ways(sparse, 2))
    counted, cpu, _ = timed(lambda: dc.count_tables(all_ways(auto, 4)))
    print(f"\nTables with the autoworkers' 4-way margins: {counted} ({cpu:.3f} s).")


def frontier() -> None:
    heading("The frontier: sparse 2^10, all 4-way, 120 s")
    table = latent_classes((2,) * 10, 21_574, 6, 3)
    show("latent classes", table, all_ways(table, 4), limit=120.0)
    table = binary_survey(20_000, 10)
    show("survey", table, all_ways(table, 4), limit=120.0)


def scale() -> None:
    print("\n## Scale\n\n| what | CPU s |\n|---|---|")
    rng = np.random.default_rng(0)
    for k in (16, 20, 22):
        counts = rng.poisson(0.5, (2,) * k)
        table = dc.Table.from_array(counts)
        margins = table.margins([table.names[i : i + 3] for i in range(k - 2)])
        tree = decompose(k, margins.values)
        _, cpu, _ = timed(lambda m=margins, t=tree: decomposable_bounds(m.shape, t, m.values))  # type: ignore[misc]
        print(f"| Fréchet, chain of 3-way margins on 2^{k} cells | {cpu:.3f} |")
        _, cpu, _ = timed(lambda m=margins: dc.bounds(m))  # type: ignore[misc]
        print(f"| the same through `dc.bounds` | {cpu:.3f} |")
    for variables, count in ((200, 150), (200, 400)):
        generators = [tuple(rng.choice(variables, 3, replace=False).tolist()) for _ in range(count)]
        tree, cpu, _ = timed(lambda g=generators, v=variables: decompose(v, g))  # type: ignore[misc]
        print(f"| decomposition of {variables} variables, {count} random 3-way margins | {cpu:.3f} |")


def update() -> None:
    print("\n## One more margin\n\n| start | margin | warm, CPU s | from scratch | ratio |\n|---|---|---|---|---|")
    cases = [("autoworkers", dc.Table.from_counts(dc.datasets.autoworkers()))]
    if (FOLDER / "rochdale.csv").exists():
        cases.append(("Rochdale", dc.Table.from_counts(pd.read_csv(FOLDER / "rochdale.csv"))))
    cases.append(("survey 2^8", binary_survey(20_000, 8)))
    for name, table in cases:
        pairs = list(combinations(table.names, 2))
        before = dc.bounds(table.margins(pairs))
        for extra in (table.names[:3], table.names[2:5], table.names[:4]):
            warm, quick, _ = timed(lambda b=before, e=extra, t=table: b.update(t.margin(e)))  # type: ignore[misc]
            cold, slow, _ = timed(lambda e=extra, t=table, p=pairs: dc.bounds(t.margins([*p, e])))  # type: ignore[misc]
            assert np.array_equal(warm.lower, cold.lower)
            assert np.array_equal(warm.upper, cold.upper)
            print(
                f"| {name}, all 2-way | {':'.join(extra)} | {quick:.3f} | {slow:.3f} | {quick / slow:.2f} |", flush=True
            )


def random(count: int = 2000) -> None:
    """Random tables with random margins against CP-SAT on the plain cell model."""
    from discreet.verify.cells import Equations

    differ = open_sides = 0
    for seed in range(count):
        rng = np.random.default_rng(seed)
        shape = tuple(rng.integers(2, 5, rng.integers(2, 6)).tolist())
        shape = shape if np.prod(shape) <= 300 else shape[:3]
        table = dc.Table.from_array(rng.poisson(rng.choice([0.3, 1.5, 30.0]) * rng.gamma(0.5, 2, shape)))
        k = len(shape)
        chosen = [rng.choice(k, rng.integers(1, k), replace=False) for _ in range(rng.integers(1, 7))]
        margins = table.margins([[table.names[a] for a in g] for g in chosen])
        bounds = dc.bounds(margins)
        open_sides += bounds.open_sides
        equations = Equations(shape, margins.values.items())
        cell = int(rng.integers(table.size))
        for side, bound in ((1, bounds.upper), (-1, bounds.lower)):
            status, value = equations.integer(cell, side, 0, margins.total, 30.0)
            differ += status == "optimal" and value != bound.reshape(-1)[cell]
    print(f"\n{count} random tables: {differ} sides differ from CP-SAT, {open_sides} sides open.")


def main() -> None:
    words = sys.argv[1:] or ["small", "scale", "update"]
    print(f"# Table bounds\n\nOR-Tools {'is' if cpsat.available() else 'is not'} installed.")
    for word in words:
        {"small": small, "frontier": frontier, "scale": scale, "update": update, "random": random}[word]()


if __name__ == "__main__":
    main()
