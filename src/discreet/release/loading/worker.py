"""The process that reads files for others: `python -m discreet.release.loading.worker`.

It loads what reading needs, then waits for work on its standard input: a line of JSON per file, with the folder that
holds it. Each file is read in a fork of its own, with limits on memory and processor time, which leaves its result in
that folder: `result.json` and, where there is a table, `counts.npz`. Nothing that was read stays in this process. A
line of JSON on standard output says how the fork ended. The process ends when nobody has work for a while, and at once,
with the fork and the file, when whoever asked is gone.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

IDLE_SECONDS = 300.0
LARGEST_RESULT = 64 << 20
# How a fork ends.
DONE, NO_MEMORY = 0, 3


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed is no answer
    _prepare()
    answers.write("ready\n")
    answers.flush()
    held = ""
    while select.select([sys.stdin], [], [], IDLE_SECONDS)[0]:
        line = sys.stdin.readline()
        if not line:
            _leave(held)
        work = json.loads(line)
        held = work.get("hold", "")
        # Every line is answered before the next is sent: none waits unseen in a buffer.
        answers.write(json.dumps({} if held else _run(work)) + "\n")
        answers.flush()


def _leave(folder: str) -> None:
    """Whoever asked is gone: so does the file that it left, if it left one."""
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit()


def _prepare() -> None:
    """Import and load all that reading needs, so that a fork has it."""
    import tempfile

    import pyarrow
    import pyarrow.compute
    import pyarrow.parquet

    from discreet.release.loading.choices import Choices
    from discreet.release.loading.reading import read_file

    pyarrow.set_cpu_count(1)
    with tempfile.TemporaryDirectory(prefix="discreet-") as folder:
        path = Path(folder) / "first.csv"
        path.write_bytes(b"A,B,count\nx,1,1\ny,2,3\n")
        read_file(path, Choices())
        pyarrow.parquet.write_table(pyarrow.table({"A": ["x"], "count": [1]}), Path(folder) / "first.parquet")


def _run(work: dict[str, Any]) -> dict[str, Any]:
    """Read in a fork and wait for it; `signal` and `late` tell how it ended where it did not end well."""
    seconds = float(work["limits"]["seconds"])
    child = os.fork()
    if not child:
        code = 1
        try:
            code = _read(work)
        finally:
            os._exit(code)
    end = time.monotonic() + seconds + float(work["grace"])
    late = False
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > end and not late:
            late = True
            os.kill(child, signal.SIGKILL)
        if select.select([sys.stdin], [], [], 0.005)[0]:  # nothing is sent meanwhile: whoever asked is gone
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            _leave(work["folder"])
    ended = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return {"ended": ended, "late": late or ended == -signal.SIGXCPU}


def _read(work: dict[str, Any]) -> int:
    from discreet.errors import InputError
    from discreet.release.loading.choices import Choices
    from discreet.release.loading.limits import BeyondLimits, ReadLimits
    from discreet.release.loading.reading import read_file
    from discreet.release.loading.results import write_reading
    from discreet.release.policy import Policy

    limits, folder = ReadLimits(**work["limits"]), Path(work["folder"])
    path = folder / work["file"]
    _confine(limits, float(work["grace"]))
    try:
        sight = limits.check(path)
        policy = None if work["policy"] is None else Policy.from_mapping(work["policy"])
        reading = read_file(path, Choices.from_mapping(work["choices"]), policy, sight)
        write_reading(reading, folder)
    except MemoryError:
        return NO_MEMORY
    except InputError as error:
        # The sender knows the file by another name.
        faults = [fault.replace(str(path), "the file") for fault in error.faults]
        told = {"faults": faults, "beyond": isinstance(error, BeyondLimits)}
        (folder / "result.json").write_text(json.dumps({"error": told}), encoding="utf-8")
    return DONE


def _confine(limits: Any, grace: float) -> None:
    import resource

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() if _has_proc() else 1 << 30
    cpu = int(limits.seconds + grace) + 2
    for what, most in (
        (resource.RLIMIT_AS, used + limits.memory),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_FSIZE, LARGEST_RESULT),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def _has_proc() -> bool:
    return Path("/proc/self/statm").exists()


if __name__ == "__main__":
    main()
