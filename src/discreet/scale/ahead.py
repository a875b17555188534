"""Kernels compiled ahead, by processes of their own: numba holds a lock, so one process compiles one after the other.

A job is a function, given as module:function within the package, that calls some kernels on made-up numbers. What it
compiles lies in numba's cache afterwards, where every process finds it. Processes that share a folder share the jobs
out by it: whoever is free takes the next, and says there when it is done. Nothing is lost where a job cannot start or
fails: its kernels are then compiled when they are called.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path


def begin(*jobs: str, folder: str = "") -> subprocess.Popen[bytes] | None:
    """The process that does these jobs, or with a folder those that no other has taken; None where none can start."""
    # -P: nothing is imported from the folder that the program was started in.
    words = [sys.executable, "-P", "-c", f"from discreet.scale.ahead import do; do(*{jobs!r}, folder={folder!r})"]
    nothing = subprocess.DEVNULL
    try:
        return subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=nothing)
    except OSError:
        return None


def do(*jobs: str, folder: str = "") -> None:
    """The jobs themselves, one after the other; what fails leaves the others to be done."""
    gc.disable()  # compiling makes many objects and little garbage: collecting takes a tenth of the time
    for job in jobs:
        if folder and not _taken(folder, job):
            continue
        module, name = job.split(":")
        with suppress(Exception):
            getattr(import_module(f"discreet.{module}"), name)()
        if folder:
            with suppress(OSError):
                _mark(folder, job, "done").touch()


def done(folder: str, job: str) -> bool:
    """Whether a job has been done, or has failed."""
    return _mark(folder, job, "done").exists()


def _taken(folder: str, job: str) -> bool:
    """Whether this process may do the job: a file can be made once."""
    try:
        _mark(folder, job, "taken").touch(exist_ok=False)
    except OSError:
        return False
    return True


def _mark(folder: str, job: str, state: str) -> Path:
    return Path(folder, f"{job.replace(':', '.')}.{state}")
