"""MDAV and the independent check: losses against the literature's figures, and times against plain twins."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Case, mixture, seconds
from discreet import datasets
from discreet.errors import InputError
from discreet.microaggregation import solve
from discreet.microaggregation.problem import standardize

PRINTED = {
    "tarragona": {3: 16.93, 5: 22.46, 10: 33.19},
    "census": {3: 5.69, 5: 9.09, 10: 14.16},
    "eia": {3: 0.48, 5: 1.67, 10: 3.84},
}


def losses() -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for name, printed in PRINTED.items():
        try:
            frame = getattr(datasets, name)()
        except InputError:
            rows.append((name, "-", "-", "-", "file not found"))
            continue
        points = standardize(frame.to_numpy(float), "sd")
        for k, figure in printed.items():
            took = seconds(lambda points=points, k=k: solve(points, k, method="mdav"))
            loss = solve(points, k, method="mdav").information_loss
            rows.append((name, k, f"{loss:.4f}", f"{figure:.2f}", took))
    return rows


def mdav_scaling() -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    base = 0.0
    for n in (5_000, 10_000, 20_000, 40_000):
        points = standardize(mixture(n, 10), "sd")
        took = seconds(lambda points=points: solve(points, 3, method="mdav"), runs=1)
        base = base or took
        rows.append((n, took, took / base))
    return rows


def check_speed() -> list[tuple[object, ...]]:
    import pyarrow as pa

    from discreet.verify.groups import classes
    from discreet.verify.readers.typed import typed_column

    rows: list[tuple[object, ...]] = []
    rng = np.random.default_rng(0)
    for n in (50_000, 500_000):
        columns = {f"c{j}": np.repeat(rng.normal(size=n // 5), 5) for j in range(8)}
        arrays = {name: pa.array(column) for name, column in columns.items()}
        ours = seconds(lambda arrays=arrays: classes([typed_column(name, array) for name, array in arrays.items()]))
        plain = seconds(lambda c=columns: np.unique(np.stack(list(c.values()), axis=1), axis=0), runs=1)
        rows.append((n, ours, plain, plain / ours))
    return rows


CASES = {
    "mdav": Case("MDAV against the printed figures", ("data", "k", "IL %", "printed", "seconds"), losses),
    "mdav-scaling": Case("MDAV on a mixture, d = 10, k = 3", ("n", "seconds", "ratio to the first"), mdav_scaling),
    "verify": Case("Counting classes of 8 columns", ("rows", "seconds", "numpy.unique, seconds", "ratio"), check_speed),
}
