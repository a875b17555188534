"""The first run of a command on a machine compiles its kernels: by several processes at once, before the work goes on.

numba holds a lock while it compiles, so one process compiles one kernel after the other. Where nothing is in the cache
yet the command therefore starts other processes, at once, or else at the first kernel that must be compiled. Each does
small jobs on made-up numbers that need some of the kernels, and leaves what it compiled in numba's cache, where the
command finds it. Nothing is compiled ahead that the command line does not ask for; whatever the jobs do not cover is
compiled when it is needed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from discreet.scale.ahead import begin

if TYPE_CHECKING:
    from subprocess import Popen

PACKAGE = Path(__file__).resolve().parents[1]


class Job(NamedTuple):
    """Functions, as module:function, that share kernels and so belong into one process; `seconds` on one core."""

    seconds: float
    functions: tuple[str, ...]


_MATCHING = ("generalization.compilation:compile_reassignment", "generalization.compilation:compile_matching")
_BOXES = (Job(10.0, _MATCHING), Job(8.0, ("cli.first_jobs:compile_boxes_checked",)))
# The jobs that together need what a command needs.
JOBS = {
    "microaggregate": (
        Job(4.8, ("microaggregation.certificate.compilation:compile_annealing",)),
        Job(3.0, ("microaggregation.certificate.compilation:compile_start",)),
        Job(3.3, ("cli.first_jobs:compile_numbers_checked",)),
    ),
    "generalize": _BOXES,
    "protect": _BOXES,
    "bounds": (
        Job(5.9, ("tables.bounds.compilation:compile_walk",)),
        Job(3.4, ("tables.bounds.compilation:compile_shuttle",)),
        Job(3.3, ("tables.bounds.compilation:compile_jumps",)),
        Job(2.2, ("cli.first_jobs:compile_counts_read",)),
    ),
}
FOR_A_CERTIFICATE = (
    Job(9.3, ("microaggregation.certificate.compilation:compile_pricing",)),
    Job(6.9, ("microaggregation.certificate.compilation:compile_master",)),
    Job(5.7, ("cli.first_jobs:compile_certificate_checked",)),
)
# A kernel that every run of the command needs, as file.function: where it is not in the cache, this is the first.
TELLING = {
    "microaggregate": "microaggregation/search/annealing.cool",
    "generalize": "generalization/reassignment.exchange",
    "protect": "generalization/reassignment.exchange",
    "bounds": "tables/outer/shuttle._enter",
}
OTHER_WAYS = ("--method", "--effort", "--l", "-l")  # with these on the command line other kernels are needed
CERTIFIED = ("--certify", "--certificate")
LOOK_EVERY = 0.05  # seconds


def jobs_for(words: Sequence[str]) -> tuple[Job, ...]:
    """The jobs that need what this command line will need; none where that is not known."""
    options = {word.split("=")[0] for word in words if word.startswith("-")}
    name = _name(words)
    if name not in JOBS or options & {"-h", "--help", *OTHER_WAYS}:
        return ()
    if name == "protect" and not options & {"-o", "--output"}:  # a recipe is proposed or foreseen
        return ()
    certified = name == "microaggregate" and options & set(CERTIFIED)
    return (FOR_A_CERTIFICATE if certified else ()) + JOBS[name]


def _name(words: Sequence[str]) -> str:
    return next((word for word in words if not word.startswith("-")), "")


@contextmanager
def compiled_ahead(words: Sequence[str], tell: Callable[[int, int], None]) -> Iterator[None]:
    """While this lasts, the first kernel that must be compiled waits for processes that compile it and all others;
    `tell` hears how many of them are done."""
    jobs = jobs_for(words)
    if not jobs:
        yield
        return
    workers = Workers(jobs)
    try:
        if not in_cache(TELLING[_name(words)]):
            workers.start()
        from numba.core import event

        class First(event.Listener):  # type: ignore[misc]
            met = False

            def on_start(self, happened: Any) -> None:
                if not self.met and happened.data["dispatcher"].py_func.__module__.startswith("discreet."):
                    self.met = True
                    workers.start()
                    workers.wait(tell)

            def on_end(self, _: Any) -> None:
                pass

        with event.install_listener("numba:compile", First()):
            yield
    finally:
        workers.stop()


class Workers:
    """The processes that do the jobs, as many as there are cores. What fails leaves its kernels to the command."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._jobs = jobs
        self._processes: list[Popen[bytes]] | None = None

    def start(self) -> None:
        """Start them, unless that has been done."""
        if self._processes is None:
            shares = shared_out(self._jobs, os.cpu_count() or 1)
            self._processes = [process for share in shares if (process := begin(*share)) is not None]

    def wait(self, tell: Callable[[int, int], None]) -> None:
        """Until all have ended; `tell` hears how many of them have."""
        started = self._processes or []
        while running := sum(process.poll() is None for process in started):
            tell(len(started) - running, len(started))
            time.sleep(LOOK_EVERY)

    def stop(self) -> None:
        for process in self._processes or ():
            if process.poll() is None:
                process.kill()
            process.wait()


def in_cache(kernel: str) -> bool:
    """Whether some version of a kernel, given as file.function, is where numba keeps compiled code; True where that
    cannot be seen without numba."""
    folder, _, name = kernel.rpartition("/")
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return any(Path(given).glob(f"*/{name}-*.nbi"))
    beside = PACKAGE / folder / "__pycache__"
    return not os.access(beside if beside.exists() else beside.parent, os.W_OK) or any(beside.glob(f"{name}-*.nbi"))


def shared_out(jobs: Sequence[Job], workers: int) -> list[list[str]]:
    """The functions for each worker: the longest jobs first, each to whoever has least to do."""
    shares: list[list[str]] = [[] for _ in range(min(workers, len(jobs)))]
    load = [0.0] * len(shares)
    for job in sorted(jobs, key=lambda job: -job.seconds):
        least = load.index(min(load))
        shares[least] += job.functions
        load[least] += job.seconds
    return shares
