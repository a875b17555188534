"""What a program takes in all its processes: processor seconds, bytes read and written, memory and disk at their peak.

Processes are looked at every `EVERY` seconds, since what workers of a cluster took is not told when they end: of each,
at most that long is missed. Where a look itself takes long, as into a folder of many files, they are looked at less
often, every `SELDOM` seconds at least: measuring should take little of what it measures. Memory is the proportional
share (PSS) on Linux: what processes share is counted once.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

EVERY = 0.1
SELDOM = 1.0


@dataclass(frozen=True)
class Measured:
    """What a program and all its processes took."""

    processor: float
    """Seconds, of all processes together."""
    wall: float
    read: int
    """Bytes, by whatever way, from disk or memory."""
    written: int
    memory: int
    """Bytes of all processes together, at the peak."""
    disk: int
    """Bytes in the folder that is watched, at the peak."""


def run_measured(words: Sequence[str], watched: Path) -> Measured:
    """Run a Python program; it must succeed. `watched` is the folder in which it works."""
    before = _size(watched)
    processor: dict[int, float] = {}
    moved: dict[int, tuple[int, int]] = {}
    memory = disk = 0
    start = time.monotonic()
    with subprocess.Popen([sys.executable, *words]) as program:
        whole = psutil.Process(program.pid)
        while program.poll() is None:
            now, began = 0, time.monotonic()
            for process in (whole, *whole.children(recursive=True)):
                try:
                    times, counters = process.cpu_times(), process.io_counters()
                    now += process.memory_full_info().pss
                except psutil.Error:
                    continue
                processor[process.pid] = times.user + times.system
                moved[process.pid] = (counters.read_chars, counters.write_chars)
            memory, disk = max(memory, now), max(disk, _size(watched) - before)
            time.sleep(min(SELDOM, max(EVERY, 10 * (time.monotonic() - began))))
    if program.returncode:
        raise RuntimeError(f"the program that was measured ended with {program.returncode}")
    read, written = (sum(one[side] for one in moved.values()) for side in (0, 1))
    return Measured(sum(processor.values()), time.monotonic() - start, read, written, memory, disk)


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:
            continue  # renamed or removed meanwhile
    return total
