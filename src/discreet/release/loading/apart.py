"""Reading a file that was sent in a process that can be ended (`worker.py`), within limits on memory and time.

The file is written to a temporary folder that only its owner can look into, read from there, and removed. What comes
back is text and arrays. A file that takes too much is answered with one sentence, and the server goes on.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from discreet.errors import InputError
from discreet.release.loading.choices import Choices
from discreet.release.loading.limits import BeyondLimits, ReadLimits
from discreet.release.loading.published import LONGEST
from discreet.release.loading.reading import Reading
from discreet.release.loading.results import read_result
from discreet.release.loading.worker import NO_MEMORY
from discreet.release.policy import Policy

# One thread each, and memory that is taken when needed: address space is what is limited.
FRUGAL = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}


PREFIX = "discreet-reading-"
WAITING = 4
STALE_SECONDS = 3600.0


class ReaderBusy(Exception):
    """Other files are being read: come back later."""


class Reader:
    """Reads files one after another in another process, which is started when first needed."""

    def __init__(self, limits: ReadLimits | None = None) -> None:
        self.limits = limits or ReadLimits()
        self._turn = threading.Lock()
        self._queue = threading.BoundedSemaphore(WAITING)
        self._guard = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._closed = False

    def read(self, data: bytes, suffix: str, choices: Choices, policy: Policy | None = None) -> Reading:
        """What the file holds. `suffix` tells its format; an error where it cannot be read or takes too much."""
        if not self._queue.acquire(blocking=False):
            raise ReaderBusy
        try:
            with self._turn:
                return self._read(data, suffix, choices, policy)
        finally:
            self._queue.release()

    def _read(self, data: bytes, suffix: str, choices: Choices, policy: Policy | None) -> Reading:
        with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
            work = {
                "folder": folder,
                "file": f"table{suffix}",
                "choices": choices.to_dict(),
                "policy": None if policy is None else policy.to_dict(),
                "limits": self.limits.to_dict(),
                "grace": 2 * LONGEST if policy is not None and policy.published else 0.0,
            }
            told = self._ask(work, data) or self._ask(work, data)  # once more where it had just ended by itself
            if told is None:
                raise InputError("the file could not be read: the process that reads it was ended. Send it again")
            if told["late"]:
                raise BeyondLimits(f"reading the file took longer than {self.limits.seconds:g} seconds")
            if told["ended"] == NO_MEMORY or told["ended"] < 0:
                raise BeyondLimits(f"reading the file takes more than {self.limits.memory >> 20} MB of memory")
            if told["ended"]:
                raise InputError("the file cannot be read: save it anew as plain CSV or Parquet")
            found = read_result(Path(folder))
        if isinstance(found, Reading):
            return found
        raise (BeyondLimits if found["beyond"] else InputError)(found["faults"])

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._closed = True
        self._stop()

    def _ask(self, work: dict[str, Any], data: bytes) -> dict[str, Any] | None:
        """How reading ended; None where the other process was ended. It knows the folder before the file is in it."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps({"hold": work["folder"]}) + "\n")
            process.stdin.flush()
            if not process.stdout.readline():
                raise BrokenPipeError
            path = os.path.join(work["folder"], work["file"])
            with open(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
                file.write(data)
            process.stdin.write(json.dumps(work) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError):  # its end of the pipe is closed, or ours, by another thread
            line = ""
        if not line:
            self._stop()
            return None
        told: dict[str, Any] = json.loads(line)
        return told

    def _started(self) -> subprocess.Popen[str]:
        with self._guard:
            if self._closed:
                raise InputError("the server is stopping")
            if self._process is not None and self._process.poll() is None:
                return self._process
            _sweep()
            package = str(Path(__file__).resolve().parents[3])
            paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
            self._process = subprocess.Popen(
                [sys.executable, "-m", "discreet.release.loading.worker"],
                env=dict(os.environ, PYTHONPATH=os.pathsep.join(paths), **FRUGAL),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            process = self._process
        assert process.stdout is not None
        process.stdout.readline()  # "ready"
        return process

    def _stop(self) -> None:
        with self._guard:
            process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, 9)  # itself and the fork that reads
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def _sweep() -> None:
    """Remove files that a server left behind when it was killed while reading."""
    for folder in Path(tempfile.gettempdir()).glob(PREFIX + "*"):
        with suppress(OSError):
            known = folder.lstat()
            mine = stat.S_ISDIR(known.st_mode) and known.st_uid == os.getuid()
            if mine and time.time() - known.st_mtime > STALE_SECONDS:
                shutil.rmtree(folder)
