"""The first run of a command on a machine compiles its kernels: by several processes at once, before the work goes on.

numba holds a lock while it compiles, so one process compiles one kernel after the other. At the first kernel that is
not in the cache the command therefore starts other processes. Each does a small job on made-up numbers that needs some
of the kernels, and leaves what it compiled in numba's cache, where the command finds it. Nothing is compiled ahead that
the command line does not ask for; whatever the jobs do not cover is compiled when it is needed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import cpu_count
from subprocess import Popen
from typing import Any

from discreet.scale.ahead import begin

# The jobs that together need what a command needs, as module:function, the longest first.
JOBS = {
    "microaggregate": (
        "microaggregation.certificate.compilation:compile_annealing",
        "microaggregation.certificate.compilation:compile_start",
        "cli.first_jobs:compile_numbers_checked",
    ),
    "generalize": (
        "cli.first_jobs:compile_boxes_checked",
        "generalization.compilation:compile_reassignment",
        "generalization.compilation:compile_matching",
    ),
    "bounds": (
        "tables.bounds.compilation:compile_walk",
        "tables.bounds.compilation:compile_shuttle",
        "tables.bounds.compilation:compile_jumps",
        "cli.first_jobs:compile_counts_read",
    ),
}
FOR_A_CERTIFICATE = ("microaggregation.certificate.compilation:compile_column_generation",)
OTHER_WAYS = ("--method", "--effort", "--l", "-l")  # with these on the command line other kernels are needed
CERTIFIED = ("--certify", "--certificate")
LOOK_EVERY = 0.05  # seconds


def jobs_for(words: Sequence[str]) -> tuple[str, ...]:
    """The jobs that need what this command line will need; none where that is not known."""
    options = {word.split("=")[0] for word in words if word.startswith("-")}
    name = next((word for word in words if not word.startswith("-")), "")
    if name not in JOBS or options & {"-h", "--help", *OTHER_WAYS}:
        return ()
    certified = name == "microaggregate" and options & set(CERTIFIED)
    return JOBS[name] + (FOR_A_CERTIFICATE if certified else ())


@contextmanager
def compiled_ahead(words: Sequence[str], tell: Callable[[int, int], None]) -> Iterator[None]:
    """While this lasts, the first kernel that must be compiled has the others compiled too; `tell` hears how many of
    the jobs are done."""
    jobs = jobs_for(words)
    if not jobs:
        yield
        return
    from numba.core import event

    class First(event.Listener):  # type: ignore[misc]
        met = False

        def on_start(self, happened: Any) -> None:
            if not self.met and happened.data["dispatcher"].py_func.__module__.startswith("discreet."):
                self.met = True
                do_all(jobs, tell)

        def on_end(self, _: Any) -> None:
            pass

    with event.install_listener("numba:compile", First()):
        yield


def do_all(jobs: Sequence[str], tell: Callable[[int, int], None]) -> None:
    """Do these jobs, as many at once as there are cores. One that fails leaves its kernels to the command itself."""
    waiting, running = list(jobs), list[Popen[bytes]]()
    try:
        while waiting or running:
            while waiting and len(running) < (cpu_count() or 1):
                running += filter(None, [begin(waiting.pop(0))])
            tell(len(jobs) - len(waiting) - len(running), len(jobs))
            time.sleep(LOOK_EVERY)
            running = [process for process in running if process.poll() is None]
    finally:
        for process in running:
            process.kill()
            process.wait()
