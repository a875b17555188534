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
        "generalization.compilation:compile_reassignment",
        "cli.first_jobs:compile_boxes_checked",
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
    return (FOR_A_CERTIFICATE if certified else ()) + JOBS[name]


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
    """Do these jobs, in as many processes as there are cores. What fails leaves its kernels to the command itself."""
    shares = shared_out(jobs, cpu_count() or 1)
    running = [process for share in shares if (process := begin(*share)) is not None]
    try:
        while running:
            tell(len(shares) - len(running), len(shares))
            time.sleep(LOOK_EVERY)
            running = [process for process in running if process.poll() is None]
    finally:
        for process in running:
            process.kill()
            process.wait()


def shared_out(jobs: Sequence[str], workers: int) -> list[list[str]]:
    """The jobs for each worker, who takes them there and back again: the one with the longest has the shortest, too."""
    shares: list[list[str]] = [[] for _ in range(min(workers, len(jobs)))]
    for i, job in enumerate(jobs):
        turn, place = divmod(i, len(shares))
        shares[place if turn % 2 == 0 else len(shares) - 1 - place].append(job)
    return shares
