"""The process that runs CP-SAT, spoken to directly: models are kept, questions answered in turn."""

from __future__ import annotations

import pickle
import struct
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from discreet.solvers import cpsat

pytestmark = pytest.mark.skipif(not cpsat.available(), reason="needs OR-Tools (extra: exact)")
# 2x + 3y = a, x − y = b, over 0 … 5.
STARTS, COLUMNS, FACTORS = [0, 2, 4], [0, 1, 0, 1], [2, 3, 1, -1]


@pytest.fixture
def worker() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "discreet.solvers.cpsat_worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0, "the end of what is asked is the end of the process"


def tell(process: subprocess.Popen[bytes], *message: Any) -> None:
    assert process.stdin is not None
    body = pickle.dumps(message)
    process.stdin.write(struct.pack("<Q", len(body)) + body)
    process.stdin.flush()


def ask(process: subprocess.Popen[bytes], key: str, a: int, b: int, **more: Any) -> tuple[str, Any, float]:
    """The status, the values and the seconds of one question."""
    limit, extremize = more.get("limit", 20.0), more.get("extremize")
    right = np.array([a, b])
    tell(process, "solve", key, np.zeros(2, int), np.full(2, 5), right, right, extremize, limit, 1)
    assert process.stdout is not None
    (size,) = struct.unpack("<Q", process.stdout.read(8))
    answer: tuple[str, Any, float] = pickle.loads(process.stdout.read(size))
    return answer


def test_questions_about_kept_models_are_answered_as_enumeration_says(worker: subprocess.Popen[bytes]) -> None:
    tell(worker, "model", "both", STARTS, COLUMNS, FACTORS)
    tell(worker, "model", "one", [0, 2, 2], [0, 1], [1, 1])  # the second row holds nothing
    grid = list(product(range(6), repeat=2))
    seen = set()
    for a, b in ((10, 0), (12, 1), (7, -1), (1, 0), (25, 0), (26, 0)):
        status, x, seconds = ask(worker, "both", a, b)
        possible = [p for p in grid if 2 * p[0] + 3 * p[1] == a and p[0] - p[1] == b]
        assert (tuple(x) in possible) if possible else (status == "infeasible" and x is None)
        assert 0 <= seconds < 20
        seen.add(status)
    assert "infeasible" in seen and len(seen) == 2
    for sign, most in ((1, 5), (-1, 2)):
        status, x, _ = ask(worker, "one", 7, 0, extremize=(0, sign))
        assert status == "optimal" and x[0] == most and x.sum() == 7


def test_a_limit_that_has_passed_is_no_answer(worker: subprocess.Popen[bytes]) -> None:
    n = 40
    starts = np.arange(0, 3 * n + 1, 3)
    columns = np.array([[i, (i + 1) % n, (i + 7) % n] for i in range(n)]).ravel()
    tell(worker, "model", "hard", starts, columns, np.ones(3 * n, int))
    right = np.full(n, 997)
    tell(worker, "solve", "hard", np.zeros(n, int), np.full(n, 1000), right, right, None, 0.0, 1)
    assert worker.stdout is not None
    (size,) = struct.unpack("<Q", worker.stdout.read(8))
    status, x, _ = pickle.loads(worker.stdout.read(size))
    assert (status, x) == ("unknown", None)
