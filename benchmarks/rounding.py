"""Controlled rounding of additive tables to base 5, with the bound on its distance: tables of known kinds.

Leaves are 1 to 499 at random. CPU-seconds of the search and the bound, after compilation.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.harness import Case
from benchmarks.suppression import generated, tree
from discreet.tabular.problem import Problem
from discreet.tabular.rounding import round_cells

BASE = 5
TABLES: dict[str, Callable[[], Problem]] = {
    "two-way 316 x 316": lambda: generated([tree(315)] * 2, 0.0),
    "hierarchical two-way, 13,260 cells": lambda: generated([tree(5, 5, 5), tree(4, 4, 4)], 0.0),
    "three-way 20 x 20 x 20": lambda: generated([tree(20)] * 3, 0.0),
    "three-way 40 x 40 x 40": lambda: generated([tree(40)] * 3, 0.0),
    "hierarchical three-way, 51,376 cells": lambda: generated([tree(3, 4, 3), tree(3, 4, 3), tree(3, 5)], 0.0),
}


def rows() -> list[tuple[object, ...]]:
    _row("small", generated([tree(3)] * 2, 0.0))
    return [_row(name, make()) for name, make in TABLES.items()]


def _row(name: str, problem: Problem) -> tuple[object, ...]:
    begin = time.process_time()
    found = round_cells(problem, BASE)
    seconds = time.process_time() - begin
    assert found is not None
    bound = min(found.bound.value, found.distance)
    gap = 100 * (found.distance - bound) / max(found.distance, 1)
    assert not np.any((problem.cells.value + found.change) % BASE)
    return name, problem.cells.n, found.distance, bound, gap, int(found.outside.size), seconds


CASES = {
    "rounding": Case(
        "Controlled rounding to base 5",
        ("table", "cells", "distance", "proven bound", "gap %", "beyond one base", "CPU seconds"),
        rows,
        short=False,
    )
}
