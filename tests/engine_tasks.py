"""Tasks for engines under test. Workers import this file: what a task does is seen in the files that it leaves."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from discreet.errors import InputError


def note(folder: str, i: int) -> int:
    """Leave a mark of one more run of task i; returns how many there were before."""
    before = len(list(Path(folder).glob(f"{i}-*")))
    Path(folder, f"{i}-{before}").touch()
    return before


def square(folder: str, i: int) -> dict[str, Any]:
    note(folder, i)
    return {"square": i * i, "process": os.getpid()}


def linger(folder: str, i: int) -> dict[str, Any]:
    """Long enough that whoever wants to stop the run can."""
    note(folder, i)
    time.sleep(0.02)
    return {}


def refuse(folder: str, i: int) -> dict[str, Any]:
    if i == 1:
        raise InputError(["column a: is text in part 731", "column b: is not there"])
    return linger(folder, i)


def fail_with_what_cannot_travel(folder: str, i: int) -> dict[str, Any]:
    class LocalError(Exception):
        pass

    raise LocalError(f"{folder} {i}: 4711 is a value of the data")


def die(folder: str, i: int) -> dict[str, Any]:
    """Task 3 always takes its worker down with it."""
    if i == 3:
        os.kill(os.getpid(), 9)
    return {}


def wait_to_be_killed(folder: str, i: int) -> dict[str, Any]:
    """Task 20 tells the number of its process and waits to be killed; run again, it has nothing to wait for."""
    before = note(folder, i)
    if i == 20 and before == 0:
        aside = Path(folder, "process.tmp")
        aside.write_text(str(os.getpid()))
        aside.rename(Path(folder, "process"))
        end = time.monotonic() + 60
        while time.monotonic() < end:
            time.sleep(0.01)
        raise RuntimeError("nobody came to kill the worker")
    return {"square": i * i}


def key_of_task() -> dict[str, Any]:
    from distributed import get_worker

    return {"key": get_worker().get_current_task()}
