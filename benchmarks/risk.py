"""Measures of risk on a survey of 100,000: CPU-seconds beside those of sdcMicro 5.8.1, measured once on two cores."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

import discreet as dc
from benchmarks.harness import Case
from discreet.measure.risk.frequencies import classes, frequencies
from discreet.measure.risk.individual import individual
from discreet.measure.risk.linkage import distance_linkage
from discreet.measure.risk.population import population_uniques
from discreet.measure.risk.subsets import subsets
from discreet.measure.risk.suda import suda

ROWS = 100_000
SIX = ["region", "dwelling", "sex", "age", "education", "employment"]
TEN = [*SIX, "hhsize", "hours10", "illness", "decile"]


def survey() -> pd.DataFrame:
    frame = dc.datasets.survey(ROWS, seed=1)
    frame["hhsize"] = frame.groupby("household")["person"].transform("size").clip(upper=8)
    frame["hours10"] = frame["hours"] // 10
    frame["decile"] = pd.qcut(frame["income"].rank(method="first"), 10, labels=False)
    i = np.arange(len(frame))
    return frame.assign(w=20 + i * 37 % 61 + 0.5 * (i % 2))


def cpu(work: Callable[[], object]) -> float:
    """CPU-seconds of the second run: the first one compiles."""
    work()
    start = time.process_time()
    work()
    return time.process_time() - start


def measures() -> list[tuple[object, ...]]:
    frame = survey()
    weights = frame["w"].to_numpy()
    keys = np.stack([pd.factorize(frame[name], sort=True)[0] for name in TEN], axis=1).astype(np.int64)
    six, found = keys[:, :6].copy(), classes(keys)

    def with_households() -> object:
        result = dc.risk(frame, SIX, weight="w", household="household")
        return result.expected, result.household_risk

    counts = frequencies(keys, found, weights)
    return [
        ("risk with households, 6 keys", cpu(with_households), 1.60),
        ("exact individual risk, 10 keys", cpu(lambda: individual(*counts, exact=True)), "-"),
        ("SUDA2, 10 keys, all sets", cpu(lambda: suda(keys, found)), 3.45),
        ("SUDA2, 10 keys, sets of 4 or fewer", cpu(lambda: suda(keys, found, largest=4)), "-"),
        ("k = 3 on all sets of 4 or fewer of 10 keys", cpu(lambda: subsets(keys, found, 3, 4)), "-"),
        ("population uniques, 6 keys", cpu(lambda: population_uniques(six, classes(six), weights)), 2.0),
    ]


def linkage() -> list[tuple[object, ...]]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, 3)) @ rng.normal(size=(3, 10)) + 0.5 * rng.normal(size=(ROWS, 10))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    rows: list[tuple[object, ...]] = []
    for noise in (0.1, 0.5):
        masked = x + noise * rng.normal(size=x.shape)
        start = time.process_time()
        share = distance_linkage(x, masked).mean()
        rows.append((noise, f"{100 * share:.2f}", time.process_time() - start))
    return rows


CASES = {
    "risk": Case("Risk of a survey of 100,000", ("measure", "CPU-seconds", "sdcMicro, CPU-seconds"), measures),
    "risk-linkage": Case("Distance-based linkage, 100,000 × 10", ("noise, sd", "linked, %", "CPU-seconds"), linkage),
}
