"""The first run of a command on a machine compiles its kernels: by several processes at once, while the command begins.

numba holds a lock while it compiles, so one process compiles one kernel after the other. Where nothing is in the cache
yet the command therefore starts other processes, at once, or else at the first kernel that must be compiled. They do
small jobs on made-up numbers that need the kernels, and leave what they compiled in numba's cache, where the command
finds it. It reads its data meanwhile, waits before its method begins for those jobs that compile the method, and before
it writes for those that compile writing and the check. Nothing is compiled ahead that the command line does not ask
for; whatever the jobs do not cover is compiled when it is needed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from discreet.scale.ahead import begin, done

if TYPE_CHECKING:
    from subprocess import Popen

PACKAGE = Path(__file__).resolve().parents[1]

Part = Literal["method", "check"]
"""What a job compiles: what the method needs, or what is needed to write a release and check it."""


class Job(NamedTuple):
    """A function, as module:function, whose kernels no other job shares, or few of them."""

    part: Part
    function: str


_BOXES = (
    Job("method", "generalization.compilation:compile_matching"),
    Job("method", "generalization.compilation:compile_blocks"),
    Job("check", "cli.first_jobs:compile_boxes_checked"),
    Job("check", "cli.first_jobs:compile_flows"),
    Job("check", "cli.first_jobs:compile_queries"),
)
# The jobs that together need what a command needs: the method's first, and the longest first.
JOBS = {
    "microaggregate": (
        Job("method", "microaggregation.certificate.compilation:compile_annealing"),
        Job("method", "microaggregation.certificate.compilation:compile_start"),
        Job("check", "cli.first_jobs:compile_numbers_checked"),
    ),
    "generalize": _BOXES,
    "protect": _BOXES,
    "bounds": (
        Job("method", "tables.bounds.compilation:compile_walk"),
        Job("method", "tables.bounds.compilation:compile_shuttle"),
        Job("method", "tables.bounds.compilation:compile_jumps"),
        Job("check", "cli.first_jobs:compile_counts_read"),
    ),
}
FOR_A_CERTIFICATE = (
    Job("method", "microaggregation.certificate.compilation:compile_pricing"),
    Job("method", "microaggregation.certificate.compilation:compile_master"),
    Job("method", "cli.first_jobs:compile_certificate_checked"),  # what it states is what the check computes
    *JOBS["microaggregate"],
)
# A kernel that every run of the command needs, as file.function: where it is not in the cache, this is the first.
TELLING = {
    "microaggregate": "microaggregation/search/annealing.cool",
    "generalize": "generalization/reassignment.exchange",
    "protect": "generalization/reassignment.exchange",
    "bounds": "tables/outer/shuttle._enter",
}
FOR_A_CERTIFICATE_TELLING = "microaggregation/certificate/pricing/roots.price_roots"
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
    return FOR_A_CERTIFICATE if name == "microaggregate" and options & set(CERTIFIED) else JOBS[name]


def _name(words: Sequence[str]) -> str:
    return next((word for word in words if not word.startswith("-")), "")


class Workers:
    """The processes that do the jobs, as many as there are cores. What fails leaves its kernels to the command."""

    def __init__(self, jobs: Sequence[Job], tell: Callable[[int, int], None]) -> None:
        """`tell` hears, while the command waits, how many jobs are done and how many there are."""
        self._jobs, self._tell = jobs, tell
        self._folder: TemporaryDirectory[str] | None = None
        self._processes: list[Popen[bytes]] = []

    def start(self) -> None:
        """Start them, unless that has been done."""
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="discreet-", ignore_cleanup_errors=True)
            names = [job.function for job in self._jobs]
            started = (begin(*names, folder=self._folder.name) for _ in range(min(os.cpu_count() or 1, len(names))))
            self._processes = [process for process in started if process is not None]

    def wait(self, part: Part | None = None) -> None:
        """Until the jobs of a part are done, or all of them; not at all where nothing was started."""
        if self._folder is None:
            return
        folder, wanted = self._folder.name, [job for job in self._jobs if part in (None, job.part)]
        while not all(done(folder, job.function) for job in wanted):
            if all(process.poll() is not None for process in self._processes):
                return
            self._tell(sum(done(folder, job.function) for job in self._jobs), len(self._jobs))
            time.sleep(LOOK_EVERY)

    def stop(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        if self._folder is not None:
            self._folder.cleanup()


_AT_WORK: ContextVar[Workers | None] = ContextVar("_AT_WORK", default=None)


def wait_for(part: Part) -> None:
    """Called before a command needs a part of its kernels: until they are compiled, where they are being compiled."""
    workers = _AT_WORK.get()
    if workers is not None:
        workers.wait(part)


@contextmanager
def compiled_ahead(words: Sequence[str], tell: Callable[[int, int], None]) -> Iterator[None]:
    """While this lasts, `wait_for` waits for processes that compile a part; so does, for all, the first kernel that
    must be compiled. Only the reader's are not waited for: what is wrong with the data is said soon."""
    jobs = jobs_for(words)
    if not jobs:
        yield
        return
    workers = Workers(jobs, tell)
    mark = _AT_WORK.set(workers)
    try:
        telling = [TELLING[_name(words)], *([FOR_A_CERTIFICATE_TELLING] if jobs == FOR_A_CERTIFICATE else [])]
        if not all(map(in_cache, telling)):
            workers.start()
        from numba.core import event

        class First(event.Listener):  # type: ignore[misc]
            met = False

            def on_start(self, happened: Any) -> None:
                home = happened.data["dispatcher"].py_func.__module__
                if not self.met and home.startswith("discreet.") and not home.startswith("discreet.frames."):
                    self.met = True
                    workers.start()
                    workers.wait()

            def on_end(self, _: Any) -> None:
                pass

        with event.install_listener("numba:compile", First()):
            yield
    finally:
        _AT_WORK.reset(mark)
        workers.stop()


def in_cache(kernel: str) -> bool:
    """Whether some version of a kernel, given as file.function, is where numba keeps compiled code; True where that
    cannot be seen without numba."""
    folder, _, name = kernel.rpartition("/")
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return any(Path(given).glob(f"*/{name}-*.nbi"))
    beside = PACKAGE / folder / "__pycache__"
    return not os.access(beside if beside.exists() else beside.parent, os.W_OK) or any(beside.glob(f"{name}-*.nbi"))
