"""The first run of a command: its kernels are compiled by other processes, and nothing is left for itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.cli import first_use
from discreet.cli.first_use import JOBS, TELLING, Job, Part, Workers, compiled_ahead, in_cache, jobs_for, wait_for
from discreet.scale import ahead

PERSONS = "age,sex,region\n" + "".join(f"{20 + i % 37},{'fm'[i % 2]},{'nswe'[i % 4]}\n" for i in range(60))
NUMBERS = "x,y\n" + "".join(f"{i * i % 83}.5,{i * 7 % 59}\n" for i in range(60))
COUNTS = "a,b,c,count\n" + "".join(
    f"{i},{j},{k},{(3 * i + 5 * j + 2 * k) % 7}\n" for i in range(3) for j in range(3) for k in range(3)
)
COMMANDS = {
    "microaggregate": (NUMBERS, ("-k", "3")),
    "generalize": (PERSONS, ("-k", "3", "--qi", "age,sex,region")),
    "bounds": (COUNTS, ("--release", "a:b", "--release", "b:c", "--release", "a:c")),
    "microaggregate --certificate": (NUMBERS, ("-k", "3", "--certificate", "proof.json")),
}
# Runs the jobs in a cache that is empty, then the command, and prints the kernels that were left for it to compile.
LEFT = """
import sys
from numba.core import event
from discreet.cli import app
from discreet.cli.first_use import Workers, jobs_for

words = sys.argv[1:]
workers = Workers(jobs_for(words), lambda done, jobs: None)
workers.start()
workers.wait()
workers.stop()
left = []

class Listener(event.Listener):
    def on_start(self, started):
        left.append(started.data["dispatcher"].py_func)

    def on_end(self, ended):
        pass

with event.install_listener("numba:compile", Listener()):
    app(words, standalone_mode=False)
print(*sorted({f"{f.__module__}.{f.__name__}" for f in left if f.__module__.startswith("discreet.")}))
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_the_jobs_cover_what_the_command_compiles(command: str, tmp_path: Path) -> None:
    text, options = COMMANDS[command]
    (tmp_path / "data.csv").write_text(text)
    words = [command.split()[0], "data.csv", *options, "-o", "out.csv", "--quiet"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    ran = subprocess.run(
        [sys.executable, "-c", LEFT, *words],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "out.csv").exists()
    assert ran.stdout.split() == []


def test_nothing_is_compiled_ahead_that_is_not_asked_for() -> None:
    assert jobs_for(["microaggregate", "a.csv", "-k", "3"]) == JOBS["microaggregate"]
    for words in (["--certificate=c.json"], ["--certificate", "c.json"], ["--certify"]):
        assert jobs_for(["microaggregate", "a.csv", *words]) == first_use.FOR_A_CERTIFICATE
    for words in (["microaggregate", "--help"], ["generalize", "a.csv", "--method=ring"], ["token", "create"], []):
        assert jobs_for(words) == ()


def test_every_job_and_every_telling_kernel_exists() -> None:
    for jobs in (*JOBS.values(), first_use.FOR_A_CERTIFICATE):
        for job in jobs:
            module, function = job.function.split(":")
            assert callable(getattr(__import__(f"discreet.{module}", fromlist=[function]), function))
    assert TELLING.keys() == JOBS.keys()
    for kernel in (*TELLING.values(), first_use.FOR_A_CERTIFICATE_TELLING):
        module, function = kernel.replace("/", ".").rsplit(".", 1)
        assert hasattr(getattr(__import__(f"discreet.{module}", fromlist=[function]), function), "signatures")


def test_the_method_comes_first_and_the_longest_job_of_a_certificate() -> None:
    for jobs in (*JOBS.values(), first_use.FOR_A_CERTIFICATE):
        parts = [job.part for job in jobs]
        assert parts == sorted(parts, reverse=True) and set(parts) == {"method", "check"}
        assert len(set(jobs)) == len(jobs)
    assert set(JOBS["microaggregate"]) < set(first_use.FOR_A_CERTIFICATE)


class Watched(Workers):
    """Workers that only note what is asked of them."""

    def __init__(self, jobs: tuple[Job, ...], tell: Callable[[int, int], None]) -> None:
        super().__init__(jobs, tell)
        self.noted: list[str] = []
        made.append(self)

    def start(self) -> None:
        self.noted.append("start")

    def wait(self, part: Part | None = None) -> None:
        self.noted.append(f"wait for {part or 'all'}")

    def stop(self) -> None:
        self.noted.append("stop")


made: list[Watched] = []


def _kernel(home: str) -> Callable[[float], float]:
    from numba import njit

    def twice(x: float) -> float:
        return 2 * x

    twice.__module__ = home
    kernel: Callable[[float], float] = njit(twice)
    return kernel


def _not_told(done: int, jobs: int) -> None:
    raise AssertionError


@pytest.mark.parametrize("cached", [False, True])
def test_workers_start_at_once_or_at_the_first_kernel_which_waits(
    cached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_use, "Workers", Watched)
    monkeypatch.setattr(first_use, "in_cache", lambda kernel: cached)
    at_once = [] if cached else ["start"]
    made.clear()
    with compiled_ahead(["bounds", "t.csv"], _not_told):
        assert made[0].noted == at_once
        assert _kernel("discreet.frames.example")(2.0) == 4.0  # the reader's are not waited for
        assert made[0].noted == at_once
        wait_for("method")
        kernel = _kernel("discreet.example")
        assert (kernel(2), kernel(2.0)) == (4, 4.0)
        wait_for("check")
    waited = ["wait for method", "start", "wait for all", "wait for check", "stop"]
    assert made[0].noted == [*at_once, *waited]
    wait_for("check")
    assert made[0].noted[-1] == "stop"  # nobody is at work any more


def test_a_certificate_after_plain_use_finds_its_own_kernels_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_use, "Workers", Watched)
    monkeypatch.setattr(first_use, "in_cache", lambda kernel: kernel in TELLING.values())
    made.clear()
    for words in (["microaggregate", "a.csv"], ["microaggregate", "a.csv", "--certify"]):
        with compiled_ahead(words, _not_told):
            pass
    assert [workers.noted for workers in made] == [["stop"], ["start", "stop"]]


def test_a_kernel_is_looked_for_where_numba_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not in_cache("tables/outer/shuttle._enter")
    (tmp_path / "outer_1").mkdir()
    (tmp_path / "outer_1" / "shuttle._enter-5.py311.nbi").touch()
    assert in_cache("tables/outer/shuttle._enter")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(first_use, "PACKAGE", tmp_path)
    home = tmp_path / "tables" / "outer"
    home.mkdir(parents=True)
    assert not in_cache("tables/outer/shuttle._enter")
    (home / "__pycache__").mkdir()
    (home / "__pycache__" / "shuttle._enter-5.py311.nbi").touch()
    assert in_cache("tables/outer/shuttle._enter")


def test_jobs_that_fail_or_cannot_start_hold_nothing_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    workers = Workers([Job("method", "no.such:job")], lambda done, jobs: told.append((done, jobs)))
    workers.wait()
    assert told == []  # nothing was started
    workers.start()
    workers.wait("check")
    assert told == []  # nothing of that part is to be done
    workers.wait("method")
    workers.stop()
    assert told[0] == (0, 1)
    monkeypatch.setattr(ahead.sys, "executable", str(tmp_path / "none"))
    assert ahead.begin("scale.ahead:do") is None
    workers = Workers([Job("method", "a:b"), Job("check", "c:d")], _not_told)
    workers.start()
    workers.wait()
    workers.stop()


def test_workers_that_are_not_waited_for_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    processes: list[subprocess.Popen[bytes]] = []
    folders: set[str] = set()

    def sleeper(*functions: str, folder: str) -> subprocess.Popen[bytes]:
        processes.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]))
        folders.add(folder)
        return processes[-1]

    monkeypatch.setattr(first_use, "begin", sleeper)
    workers = Workers([Job("method", "a:b")], _not_told)
    workers.start()
    workers.start()
    workers.stop()
    assert [process.returncode is not None for process in processes] == [True]
    assert len(folders) == 1 and not any(Path(folder).exists() for folder in folders)


def test_a_job_imports_nothing_from_the_folder_it_is_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(ahead.__file__).parents[2]))
    mark = tmp_path / "mark"
    (tmp_path / "numpy.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    process = ahead.begin("generalization.compilation:_domain")
    assert process is not None
    assert process.wait() == 0
    assert not mark.exists()
