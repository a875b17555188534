"""Kernels compiled ahead, by processes of their own: numba holds a lock, so one process compiles one after the other.

A job is a function, given as module:function within the package, that calls some kernels on made-up numbers. What it
compiles lies in numba's cache afterwards, where every process finds it. Nothing is lost where a job cannot start or
fails: its kernels are then compiled when they are called.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from contextlib import suppress
from importlib import import_module


def begin(*jobs: str) -> subprocess.Popen[bytes] | None:
    """The process that does these jobs; None where none can be started."""
    # -P: nothing is imported from the folder that the program was started in.
    words = [sys.executable, "-P", "-c", f"from discreet.scale.ahead import do; do(*{jobs!r})"]
    nothing = subprocess.DEVNULL
    try:
        return subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=nothing)
    except OSError:
        return None


def do(*jobs: str) -> None:
    """The jobs themselves, one after the other; what fails leaves the others to be done."""
    gc.disable()  # compiling makes many objects and little garbage: collecting takes a tenth of the time
    for job in jobs:
        module, name = job.split(":")
        with suppress(Exception):
            getattr(import_module(f"discreet.{module}"), name)()
