"""Perturbative methods on a survey of 100,000: CPU-seconds beside those of sdcMicro 5.8.1, on two cores."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import discreet as dc
from benchmarks.harness import Case

ROWS = 100_000
NUMBERS = ["income", "savings", "spending", "hours", "age"]
CATEGORIES = ["region", "dwelling", "sex", "education", "employment"]


def timed(work: Callable[[], Any]) -> tuple[float, float, float]:
    """CPU-seconds of the method (its second run: the first one compiles) and of measuring, and the share found."""
    work()
    start = time.process_time()
    found = work()
    middle = time.process_time()
    share = found.linkage.strongest
    return middle - start, time.process_time() - middle, 100 * share


def methods() -> list[tuple[object, ...]]:
    frame = dc.datasets.survey(ROWS, seed=1)
    cases: list[tuple[str, Callable[[], Any], object]] = [
        ("rank swapping, 5 %, 5 columns", lambda: dc.rank_swap(frame, NUMBERS, random_state=1), 14.7),
        ("PRAM, 5 columns", lambda: dc.pram(frame, CATEGORIES, random_state=1), 1.6),
        ("noise, 10 %, 5 columns", lambda: dc.add_noise(frame, NUMBERS, random_state=1), "-"),
        ("correlated noise", lambda: dc.add_noise(frame, NUMBERS, correlated=True, random_state=1), "-"),
        (
            "record swapping, 42,000 households",
            lambda: dc.swap_records(frame, ["region"], household="household", keys=["sex", "age"], random_state=1),
            "-",
        ),
    ]
    return [(name, *timed(work), theirs) for name, work, theirs in cases]


CASES = {
    "perturbation": Case(
        "Perturbative methods, 100,000 records",
        ("method", "CPU-seconds", "measuring, CPU-seconds", "found, %", "sdcMicro, CPU-seconds"),
        methods,
    )
}
