"""The first run of a command on a machine: an empty cache of compiled code, one command, and then the same again."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness import Case
from discreet import datasets

SURVEY = 2000  # records: the job itself is short, what is measured is the compiling
COMMANDS: dict[str, Sequence[str]] = {
    "microaggregate": ("microaggregate", "numbers.csv", "-k", "3"),
    "generalize": ("generalize", "persons.csv", "-k", "5", "--qi", "age,sex,region"),
    "bounds": ("bounds", "table.csv", "--release", "A:B:C", "--release", "C:D:E", "--release", "A:D:F"),
    "microaggregate --certificate": (
        "microaggregate", "few.csv", "-k", "3", "--certificate", "proof.json",
    ),
}  # fmt: skip


def first_use() -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for name, words in COMMANDS.items():
        with TemporaryDirectory() as folder:
            _fill(Path(folder))
            environment = {**os.environ, "NUMBA_CACHE_DIR": str(Path(folder) / "cache")}
            first = _run([*words, "-o", "first.csv", "--force"], folder, environment)
            again = _run([*words, "-o", "again.csv", "--force"], folder, environment)
        rows.append((name, *first, *again))
    return rows


def _fill(folder: Path) -> None:
    people = datasets.survey(SURVEY, seed=1)
    people[["age", "sex", "region"]].to_csv(folder / "persons.csv", index=False)
    numbers = people[["income", "age", "hours"]]
    numbers.to_csv(folder / "numbers.csv", index=False)
    numbers.iloc[:150].to_csv(folder / "few.csv", index=False)
    datasets.autoworkers().to_csv(folder / "table.csv", index=False)


def _run(words: Sequence[str], folder: str, environment: dict[str, str]) -> tuple[float, float]:
    """Seconds and CPU seconds of the command and the processes it starts."""
    command = [sys.executable, "-P", "-m", "discreet", *words]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    took, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


CASES = {
    "first-use": Case(
        "First use of a command: empty cache, then again",
        ("command", "first, s", "first, CPU-s", "again, s", "again, CPU-s"),
        first_use,
        short=False,
    ),
}
