"""What a record costs in microaggregation by blocks: processor seconds, bytes moved and held; and 10⁹ on paper.

The run is that of the command on threads. At each change of stage the program notes its processor time and how many
bytes it has read and written. The model is a start and a cost per record for each stage, fitted so that relative errors
are least. The costs go to `results/scale-costs-EFFORT.json`, from which the other cases compute.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.harness import RESULTS, Case
from benchmarks.measured import run_measured
from benchmarks.scale_data import COLUMNS, ROWS_OF_A_FILE, write_parts
from benchmarks.scale_simulation import Weather, simulate

SIZES = (100_000, 1_000_000, 10_000_000)
LARGE = 100_000_000
MEMORY = "1GB"
SAME = ("reading", "dealing", "writing")

N, WORKERS, SEEDS = 10**9, 100, 20
BANDWIDTH = 100e6
"""Bytes a second that a worker reads and writes on the shared file system: what a network of 1 Gbit/s gives."""
TASK = 0.05
"""Seconds that an engine takes for a task beside its work."""
WEATHERS = {
    "fair": Weather(),
    "1 task in 20 takes 5 times as long": Weather(slow_share=0.05, slow_factor=5.0),
    "each worker dies once in 10 hours": Weather(deaths=0.1, restart=60.0),
    "each worker dies once an hour": Weather(deaths=1.0, restart=60.0),
    "slow tasks, and deaths once an hour": Weather(slow_share=0.05, slow_factor=5.0, deaths=1.0, restart=60.0),
}


def kept_at(effort: str) -> Path:
    """Where the costs of runs of this effort are kept."""
    return RESULTS / f"scale-costs-{effort}.json"


def staged(effort: str, source: str, output: str, notes: str) -> None:
    """The run, and what each of its stages took; in a process of its own."""
    import psutil

    import discreet as dc
    from discreet.work import Progress

    process = psutil.Process()
    marks: list[tuple[str, float, int, int]] = []

    def mark(stage: str) -> None:
        moved = process.io_counters()
        marks.append((stage, time.process_time(), moved.read_chars, moved.write_chars))
        print(f"{time.strftime('%T')} {stage or 'done'}: {marks[-1][1:]}", file=sys.stderr, flush=True)

    shown = -1

    def progress(step: Progress) -> None:
        nonlocal shown
        if step.done is not None and int(50 * step.done) != shown:  # long runs are seen to go on
            shown = int(50 * step.done)
            print(f"{time.strftime('%T')} {step.stage} {step.done:.0%}, {step.left} s", file=sys.stderr, flush=True)
        if step.done == 0.0 or not marks or step.stage != marks[-1][0]:
            mark(step.stage)
        if step.stage == "writing" and step.done is not None and step.done >= 1.0 - 1e-9:
            mark("checking")

    data = dc.dataset(source, memory=MEMORY, output=output)
    result = dc.microaggregate(data, 5, columns=COLUMNS, effort=effort, random_state=1, progress=progress)
    mark("")
    stages: dict[str, list[float]] = {}
    for (stage, *before), (_, *after) in pairwise(marks):
        sums = stages.setdefault(stage, [0.0, 0.0, 0.0])
        stages[stage] = [total + late - early for total, early, late in zip(sums, before, after)]
    found = {"stages": stages, "blocks": result.detail["blocks"], "loss": result.information_loss}
    Path(notes).write_text(json.dumps(found), encoding="utf-8")


def measure(n: int, effort: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source, notes = write_parts(folder / "in", n), folder / "notes.json"
        words = ["-m", "benchmarks.scale_costs", effort, str(source), str(folder / "out"), str(notes)]
        took = run_measured(words, folder)
        return {
            "n": n,
            "processor": took.processor,
            "moved": took.read + took.written,
            "disk": took.disk,
            "memory": took.memory,
            **json.loads(notes.read_text(encoding="utf-8")),
        }


def known(effort: str) -> list[dict[str, Any]]:
    """The costs that were measured, by size."""
    return json.loads(kept_at(effort).read_text(encoding="utf-8")) if kept_at(effort).exists() else []


def costs(effort: str, sizes: Sequence[int]) -> list[tuple[object, ...]]:
    """Measures these sizes; the table has those measured before too."""
    found = {one["n"]: one for one in known(effort)}
    for n in sizes:
        found[n] = measure(n, effort)
        RESULTS.mkdir(exist_ok=True)
        kept_at(effort).write_text(json.dumps([found[size] for size in sorted(found)]), encoding="utf-8")
    return [
        (
            f"{one['n']:.0e}",
            one["blocks"],
            one["processor"],
            1e6 * one["processor"] / one["n"],
            one["moved"] / one["n"],
            one["disk"] / one["n"],
            one["memory"] / 1e6,
            one["loss"],
        )
        for _, one in sorted(found.items())
    ]


def measured() -> list[dict[str, Any]]:
    """Runs of the default effort, which are done now where there are none."""
    if not known("default"):
        costs("default", SIZES)
    return known("default")


def fit(sizes: np.ndarray, costs: np.ndarray) -> tuple[float, float]:
    """Start and cost per record, neither below 0, of least relative squared error: Σ ((a + b·n)/cost − 1)²."""
    from scipy.optimize import nnls

    design = np.column_stack([np.ones(len(sizes)), sizes]) / costs[:, None]
    (start, each), _ = nnls(design, np.ones(len(sizes)))
    return float(start), float(each)


def model() -> dict[str, tuple[float, float]]:
    """Processor seconds and bytes moved per record, by stage.

    What is read, dealt and written is the same whatever the effort, so that runs of both tell of it.
    """
    of_default = measured()
    of_both = [*of_default, *known("fast")]

    def each(stage: str, *places: int) -> float:
        if stage == "checking":  # sorts on disk what does not fit: only the largest run tells of that
            largest = of_default[-1]
            return float(sum(largest["stages"][stage][place] for place in places) / largest["n"])
        found = of_both if stage in SAME else of_default
        sums = [max(1e-9, sum(one["stages"].get(stage, [0.0] * 3)[place] for place in places)) for one in found]
        return fit(np.array([one["n"] for one in found], float), np.array(sums))[1]

    return {stage: (each(stage, 0), each(stage, 1, 2)) for stage in of_default[-1]["stages"]}


def tasks_of(stage: str) -> int:
    """How many there are at N records: one a file, or one a block; the check is one."""
    if stage == "checking":
        return 1
    if stage in ("reading", "dealing", "writing"):
        return N // (4 * ROWS_OF_A_FILE)  # files of 10⁶ records
    largest = measured()[-1]
    return round(N / largest["n"] * largest["blocks"])


def plan() -> dict[str, list[float]]:
    """What each task of each stage takes at N records."""
    found = {}
    for stage, (seconds, moved) in model().items():
        count = tasks_of(stage)
        found[stage] = [N / count * (seconds + moved / BANDWIDTH) + TASK] * count
    return found


def prediction() -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    total = 0.0
    for stage, (seconds, moved) in model().items():
        tasks = plan()[stage]
        took = simulate([tasks], WORKERS, Weather(), 0).seconds
        total += took
        rows.append((stage, 1e6 * seconds, moved, len(tasks), tasks[0], took / 60))
    rows.append(("together", sum(row[1] for row in rows), sum(row[2] for row in rows), "", "", total / 60))
    return rows


def weathers() -> list[tuple[object, ...]]:
    stages = [tasks for stage, tasks in plan().items() if stage != "checking"]
    fair = simulate(stages, WORKERS, Weather(), 0).seconds
    rows: list[tuple[object, ...]] = []
    for name, weather in WEATHERS.items():
        outcomes = [simulate(stages, WORKERS, weather, seed) for seed in range(SEEDS)]
        seconds = sorted(outcome.seconds for outcome in outcomes)
        lost = median(outcome.lost / (outcome.lost + outcome.useful) for outcome in outcomes)
        deaths = median(outcome.deaths for outcome in outcomes)
        rows.append((name, median(seconds) / 60, seconds[-1] / 60, median(seconds) / fair, deaths, f"{lost:.2%}"))
    return rows


COST_COLUMNS = (
    "records",
    "blocks",
    "CPU s",
    "CPU µs a record",
    "bytes moved a record",
    "bytes on disk a record",
    "memory MB",
    "information loss, %",
)
CASES = {
    "scale-costs": Case(
        "Cost of a record, microaggregation by blocks, 5 columns, k = 5, 1 GB",
        COST_COLUMNS,
        lambda: costs("default", SIZES),
        short=False,
    ),
    "scale-costs-fast": Case(
        "Cost of a record with effort fast, up to 10⁸ records: some 15 minutes and 15 GB of disk",
        COST_COLUMNS,
        lambda: costs("fast", (*SIZES, LARGE)),
        short=False,
    ),
    "scale-costs-large": Case(
        "Cost of a record with the default effort once more, with 10⁸ records: some 30 minutes and 15 GB of disk",
        COST_COLUMNS,
        lambda: costs("default", [LARGE]),
        short=False,
    ),
    "scale-prediction": Case(
        "10⁹ records on 100 workers, by the model",
        ("stage", "CPU µs a record", "bytes moved a record", "tasks", "seconds a task", "minutes"),
        prediction,
        short=False,
    ),
    "scale-weather": Case(
        "10⁹ records on 100 workers, simulated 20 times, without the check",
        ("weather", "minutes", "worst", "of fair weather", "deaths", "work lost"),
        weathers,
        short=False,
    ),
}

if __name__ == "__main__":
    staged(*sys.argv[1:])
