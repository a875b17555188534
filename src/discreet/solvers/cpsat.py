"""Integer feasibility by OR-Tools CP-SAT, in a process of its own that is started once and re-used.

HiGHS and OR-Tools cannot be loaded into one process, so the solver lives in `discreet.solvers.cpsat_worker` and speaks
over pipes. A model is sent once and then asked many times with other bounds:

    lower ≤ x ≤ upper,   row_lower ≤ A x ≤ row_upper,   x integer;   feasible, or extremize one variable

OR-Tools is the optional extra `exact`; `available()` says whether it is there.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import pickle
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class IntegerModel:
    """Constraint rows in compressed form with integer coefficients; `key` names the model in the worker."""

    key: str
    starts: Ints
    columns: Ints
    coefficients: Ints


@dataclass(frozen=True)
class CpSatAnswer:
    """What the solver found, and whether that is the best, or all that it can say."""

    status: Literal["optimal", "feasible", "infeasible", "unknown"]
    x: Ints | None
    seconds: float


def available() -> bool:
    return importlib.util.find_spec("ortools") is not None


class CpSatWorker:
    """The other process. Safe to call from several threads: calls queue up."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()
        self._known: set[str] = set()
        self._lock = threading.Lock()

    def solve(
        self,
        model: IntegerModel,
        lower: Ints,
        upper: Ints,
        row_lower: Ints,
        row_upper: Ints,
        *,
        extremize: tuple[int, int] | None = None,
        time_limit: float = 60.0,
        threads: int = 1,
    ) -> CpSatAnswer:
        """Feasibility, or with `extremize` = (variable, side) its greatest (1) or least (−1) value."""
        with self._lock:
            for _ in range(2):
                try:
                    process = self._started()
                    if model.key not in self._known:
                        _send(process.stdin, ("model", model.key, model.starts, model.columns, model.coefficients))
                        self._known.add(model.key)
                    _send(
                        process.stdin,
                        ("solve", model.key, lower, upper, row_lower, row_upper, extremize, time_limit, threads),
                    )
                    status, x, seconds = _receive(process.stdout)
                    return CpSatAnswer(status, x, seconds)
                except (BrokenPipeError, EOFError, OSError):
                    self._stop()
            return CpSatAnswer("unknown", None, 0.0)

    def close(self) -> None:
        with self._lock:
            self._stop()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._owner != os.getpid():
            # After a fork the pipes are still the parent's: leave its worker alone and start one's own.
            self._process, self._owner = None, os.getpid()
        if self._process is None or self._process.poll() is not None:
            self._known.clear()
            package = str(Path(__file__).resolve().parents[2])
            paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
            self._process = subprocess.Popen(
                [sys.executable, "-m", "discreet.solvers.cpsat_worker"],
                env=dict(os.environ, PYTHONPATH=os.pathsep.join(paths)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        self._known.clear()
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):  # a question that the dead process never read
                    stream.close()
        process.wait()


_shared: CpSatWorker | None = None
_guard = threading.Lock()


def shared_worker() -> CpSatWorker:
    """The worker of this process, started on first use and ended with it."""
    global _shared
    with _guard:
        if _shared is None:
            _shared = CpSatWorker()
            atexit.register(_shared.close)
        return _shared


def _send(stream: Any, message: object) -> None:
    body = pickle.dumps(message, protocol=5)
    stream.write(struct.pack("<Q", len(body)) + body)
    stream.flush()


def _receive(stream: Any) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    (length,) = struct.unpack("<Q", head)
    body = stream.read(length)
    if len(body) < length:
        raise EOFError
    return pickle.loads(body)
