"""Reports about a million records: CPU-seconds and kilobytes of the page, the check of the release included."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd

import discreet as dc
from benchmarks.harness import Case
from discreet.report import page
from discreet.results import Audience, Result

ROWS = 1_000_000
AUDIENCES: tuple[Audience, ...] = ("internal", "public")


def records() -> pd.DataFrame:
    """Three skewed numbers, and three keys."""
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "a": np.exp(rng.normal(size=ROWS)).round(4),
            "b": rng.normal(size=ROWS).round(4),
            "c": rng.gamma(2.0, size=ROWS).round(4),
            "sex": rng.integers(0, 2, ROWS),
            "region": rng.integers(0, 20, ROWS),
            "age": rng.integers(0, 90, ROWS),
        }
    )


def pages() -> list[tuple[object, ...]]:
    frame = records()
    small = frame[:2000]
    columns, keys = ["a", "b", "c"], ["sex", "region", "age"]
    page([dc.microaggregate(small, 5, columns=columns, effort="fast"), dc.risk(small, keys=keys)])  # compiles
    results: dict[str, Result] = {
        "microaggregation of 3 columns": dc.microaggregate(frame, 5, columns=columns, effort="fast"),
        "risk by 3 keys": dc.risk(frame, keys=keys),
    }
    return [
        (name, audience, *_measured(result, audience)) for name, result in results.items() for audience in AUDIENCES
    ]


def _measured(result: Result, audience: Audience) -> tuple[float, float]:
    start = time.process_time()
    text = page([result], audience=audience)
    return time.process_time() - start, len(text.encode()) / 1000


CASES = {
    "report": Case("Reports about 1,000,000 records", ("result", "audience", "CPU-seconds", "kB"), pages, short=False),
}
