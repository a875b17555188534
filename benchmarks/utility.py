"""Measures of utility on a million records of five columns: CPU-seconds of each, of means and of boxes."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

import discreet as dc
from benchmarks.harness import Case

ROWS = 1_000_000
COLUMNS = ["age", "income", "spending", "sex", "region"]
MEASURES: dict[str, Callable[[dc.Utility], object]] = {
    "loss of cells, moments, quantiles, NCP": lambda found: found.columns,
    "correlations": lambda found: found.correlations,
    "classes": lambda found: found.classes,
    "1000 range-count queries": lambda found: found.query_errors,
    "pMSE, 10,000 records of each file": lambda found: found.propensity,
    "totals in 24 domains": lambda found: found.totals,
    "regression": lambda found: found.regression,
}


def files() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """A survey, its numbers as means of three neighbors, and its ages and regions as boxes."""
    frame = dc.datasets.survey(100_000, seed=1)[COLUMNS]
    frame = pd.concat([frame] * (ROWS // len(frame)), ignore_index=True)
    rng = np.random.default_rng(0)
    frame["income"] = frame["income"] + rng.random(ROWS)
    means = frame.copy()
    for name in ("income", "spending"):
        order = np.argsort(frame[name].to_numpy(), kind="stable")
        values = frame[name].to_numpy()[order]
        group = np.minimum(np.arange(ROWS) // 3, ROWS // 3 - 1)
        means.loc[order, name] = (np.bincount(group, weights=values) / np.bincount(group))[group]
    boxes = frame.copy()
    low = frame["age"] // 5 * 5
    boxes["age"] = "[" + low.astype(str) + ", " + (low + 4).astype(str) + "]"
    regions = sorted(frame["region"].unique())
    wider = {name: "{" + ", ".join(regions[i // 3 * 3 :][:3]) + "}" for i, name in enumerate(regions)}
    boxes["region"] = frame["region"].map(wider)
    return frame, means, boxes


def measures() -> list[tuple[object, ...]]:
    original, *published = files()
    rows: dict[str, list[object]] = {}
    for file in published:
        start = time.process_time()
        found = dc.utility(original, file, by=["region", "sex"], regression="income ~ age + C(sex)")
        rows.setdefault("reading, and the order of rows", []).append(time.process_time() - start)
        for name, measure in MEASURES.items():
            start = time.process_time()
            measure(found)
            rows.setdefault(name, []).append(time.process_time() - start)
    rows["all"] = [sum(float(str(row[side])) for row in rows.values()) for side in (0, 1)]
    return [(name, *figures) for name, figures in rows.items()]


CASES = {
    "utility": Case(
        "Utility of a million records, 5 columns", ("measure", "means, CPU-seconds", "boxes, CPU-seconds"), measures
    ),
}
