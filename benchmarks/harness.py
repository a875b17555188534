"""The harness: named cases, compared within one run, written as Markdown tables.

A module of this package holds a dictionary `CASES` of name → `Case`. A case returns rows; short ones run by default,
long ones only when named. Times are medians of a few runs after a warm-up that compiles; compare them as ratios.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Case:
    """What is measured, the columns of its table, and the function that returns the rows."""

    title: str
    columns: Sequence[str]
    rows: Callable[[], Sequence[Sequence[object]]]
    short: bool = True


def seconds(work: Callable[[], object], *, runs: int = 3, warm: bool = True) -> float:
    """Median wall time of `work`, after one run that compiles and fills caches."""
    if warm:
        work()
    times = []
    for _ in range(runs):
        gc.collect()
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def mixture(n: int, d: int, *, clusters: int = 20, seed: int = 0) -> np.ndarray:
    """Records from a mixture of normal distributions: what the scaling tables use."""
    rng = np.random.default_rng(seed)
    centers = rng.normal(0.0, 3.0, (clusters, d))
    spread = rng.uniform(0.3, 1.2, (clusters, d))
    member = rng.integers(0, clusters, n)
    return centers[member] + spread[member] * rng.normal(size=(n, d))


def markdown(case: Case, rows: Sequence[Sequence[object]]) -> str:
    def show(value: object) -> str:
        return f"{value:.4g}" if isinstance(value, float) else str(value)

    lines = ["| " + " | ".join(case.columns) + " |", "|" + "---|" * len(case.columns)]
    lines += ["| " + " | ".join(show(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def all_cases() -> dict[str, Case]:
    found: dict[str, Case] = {}
    package = importlib.import_module("benchmarks")
    for module in pkgutil.iter_modules(package.__path__):
        if module.name not in {"harness", "__main__"}:
            found |= getattr(importlib.import_module(f"benchmarks.{module.name}"), "CASES", {})
    return found


def run(names: Sequence[str]) -> int:
    cases = all_cases()
    unknown = [name for name in names if name not in cases]
    if unknown:
        print(f"unknown case {', '.join(unknown)}; there are: {', '.join(sorted(cases))}")
        return 2
    RESULTS.mkdir(exist_ok=True)
    for name in names or [name for name, case in cases.items() if case.short]:
        case = cases[name]
        print(f"\n## {name}: {case.title}\n", flush=True)
        table = markdown(case, case.rows())
        print(table)
        (RESULTS / f"{name}.md").write_text(f"# {case.title}\n\n{table}", encoding="utf-8")
    longer = sorted(name for name, case in cases.items() if not case.short)
    if not names and longer:
        print(f"Longer cases run by name: {', '.join(longer)}")
    return 0
