"""The process that asks CP-SAT: one answer to each line, right by enumeration, and nothing else loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from discreet.verify.cells import child

pytest.importorskip("ortools")


def answers(questions: list[dict[str, object]]) -> list[dict[str, object]]:
    """What the process says, started by its path as the checker does."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run(
        [sys.executable, str(Path(child.__file__))], input=lines, capture_output=True, text=True, timeout=60, check=True
    )
    assert not done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def tables(question: dict[str, object]) -> list[tuple[int, ...]]:
    """All tables within the box with the sums asked for, by definition."""
    lower, upper = question["lower"], question["upper"]
    boxes = product(*(range(low, high + 1) for low, high in zip(lower, upper)))  # type: ignore[call-overload]
    sums = list(zip(question["rows"], question["sums"]))  # type: ignore[call-overload]
    return [cells for cells in boxes if all(sum(cells[i] for i in row) == total for row, total in sums)]


def test_each_line_is_answered_as_enumeration_says() -> None:
    rows = [[0, 1], [2, 3], [0, 2], [1, 3]]
    questions = [
        {"lower": [a, 0, 0, 0], "upper": [b, 9, 9, 9], "rows": rows, "sums": [3, 4, 2, 5], "seconds": 20.0}
        for a, b in ((0, 9), (2, 2), (3, 9), (0, 0), (1, 1))
    ]
    questions.append({"lower": [0] * 4, "upper": [9] * 4, "rows": rows, "sums": [3, 4, 2, 6], "seconds": 20.0})
    found = answers(questions)
    assert len(found) == len(questions)
    for question, answer in zip(questions, found):
        possible = tables(question)
        assert answer["status"] == ("feasible" if possible else "infeasible")
        assert (tuple(answer["table"]) in possible) if possible else answer["table"] is None  # type: ignore[arg-type]
    assert {answer["status"] for answer in found} == {"feasible", "infeasible"}


def test_time_that_is_over_decides_nothing() -> None:
    """A problem that propagation does not settle (an even sum of odd things), without any time."""
    n = 30
    rows = [[i, (i + 1) % n, (i + 7) % n] for i in range(n)]
    question = {"lower": [0] * n, "upper": [1000] * n, "rows": rows, "sums": [997] * n, "seconds": 0.0}
    assert answers([question]) == [{"status": "unknown", "table": None}]


def test_it_loads_neither_our_package_nor_highs() -> None:
    """HiGHS and OR-Tools cannot be in one process."""
    code = (
        f"import runpy, sys; runpy.run_path({str(Path(child.__file__))!r}, run_name='__main__'); "
        "sys.exit(any(name.split('.')[0] in ('highspy', 'discreet') for name in sys.modules))"
    )
    question = json.dumps({"lower": [0], "upper": [1], "rows": [[0]], "sums": [1], "seconds": 5.0}) + "\n"
    # Isolated: what this environment loads at every start of Python says nothing about the child.
    done = subprocess.run([sys.executable, "-c", code], input=question, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and json.loads(done.stdout)["table"] == [1]
