"""Four methods with three k each on Census, attacked, checked and bounded: the table, and the seconds it took.

DISCREET_DATA=… python benchmarks/comparison.py
"""

from __future__ import annotations

import time

import discreet as dc
from discreet.instruments.comparison.compare import compare_methods
from discreet.instruments.comparison.trials import Roles

METHODS = ["mdav", "auto", "fdm", "npn-mhm"]
SIZES = [3, 5, 10]


def main() -> None:
    census = dc.datasets.census()
    roles = Roles(numeric=tuple(census.columns))
    compare_methods(census.head(100), [3], METHODS, roles)  # compiled once
    for bounds in (False, True):
        wall, work = time.perf_counter(), time.process_time()
        found = compare_methods(census, SIZES, METHODS, roles, bounds=bounds)
        spent = time.process_time() - work
        print(f"bounds {bounds}: {time.perf_counter() - wall:.1f} s, {spent:.1f} CPU-s")
    print(found.summary())


if __name__ == "__main__":
    main()
