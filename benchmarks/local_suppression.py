"""Local suppression: cells blanked, proven bounds and CPU-seconds, beside those of sdcMicro 5.8.1 where it ended.

sdcMicro's figures are of its wildcards, a weaker promise (docs/explanation/local-suppression.md).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import discreet as dc
from benchmarks.harness import Case
from discreet.suppression.suppress import Semantics, Suppression, suppress
from discreet.work import Deadline, Reporter

FOLDER = Path(os.environ.get("DISCREET_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
TESTDATA = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
ADULT = ["age", "education_num", "sex", "marital_status", "race", "workclass", "native_country", "occupation"]
SURVEY = ["region", "dwelling", "sex", "age", "education", "employment"]
SDCMICRO = {("testdata", 2): 157, ("testdata", 3): 293, ("testdata", 5): 500}

TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "testdata": lambda: pd.read_csv(FOLDER / "testdata.csv")[TESTDATA],
    "adult": lambda: pd.read_csv(FOLDER / "adult.csv")[ADULT],
    "survey": lambda: dc.datasets.survey(100_000, seed=1)[SURVEY],
}


def coded(name: str) -> np.ndarray:
    frame = TABLES[name]()
    return np.stack([pd.factorize(frame[column], sort=True)[0] for column in frame], axis=1).astype(np.int64)


def found(
    codes: np.ndarray, k: int, semantics: Semantics, limit: float | None = None, combinations: int | None = None
) -> Suppression:
    cost = np.ones(codes.shape[1], np.int64)
    return suppress(
        codes,
        cost,
        k,
        semantics=semantics,
        combinations=combinations,
        deadline=Deadline(limit),
        reporter=Reporter(None),
        seed=0,
    )


def rows(
    semantics: Semantics, names: dict[str, tuple[int, ...]], limit: float | None = None, combinations: int | None = None
) -> list[tuple[object, ...]]:
    tiny = np.random.default_rng(0).integers(0, 3, (40, 3))
    found(tiny, 3, semantics, combinations=2 if combinations else None)  # compiles
    out: list[tuple[object, ...]] = []
    for name, several in names.items():
        codes = coded(name)
        for k in several:
            begin = time.process_time()
            result = found(codes, k, semantics, limit, combinations)
            seconds = time.process_time() - begin
            gap = 100.0 * (1.0 - float(result.bound) / max(result.value, 1))
            peer = SDCMICRO.get((name, k), "-") if combinations is None else "-"
            out.append((name, k, result.value, f"{float(result.bound):.1f}", f"{gap:.2f}", peer, seconds))
    return out


COLUMNS = ("file", "k", "cells", "proven bound", "gap, %", "sdcMicro", "CPU-seconds")
LARGE = {"adult": (3, 5, 10), "survey": (3, 5, 10)}
CASES = {
    "blanks-cover": Case(
        "Local suppression, cover: exact", COLUMNS, lambda: rows("cover", {"testdata": (2, 3, 5), **LARGE})
    ),
    "blanks-small": Case("Local suppression, classes", COLUMNS, lambda: rows("class", {"testdata": (2, 3, 5)})),
    "blanks-large": Case("Local suppression, classes: large files", COLUMNS, lambda: rows("class", LARGE), short=False),
    "blanks-long": Case(
        "Local suppression, classes, 65 s on two cores",
        COLUMNS,
        lambda: rows("class", {"adult": (3,)}, limit=65.0),
        short=False,
    ),
    "blanks-combinations": Case(
        "Local suppression, classes, every 3 keys",
        COLUMNS,
        lambda: rows("class", {"testdata": (3,)}, combinations=3),
    ),
}
