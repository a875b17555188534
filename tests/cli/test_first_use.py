"""The first run of a command: its kernels are compiled by other processes, and nothing is left for itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.cli import first_use
from discreet.cli.first_use import JOBS, TELLING, Job, Workers, compiled_ahead, in_cache, jobs_for, shared_out
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
workers = Workers(jobs_for(words))
workers.start()
workers.wait(lambda done, jobs: None)
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
        certified = jobs_for(["microaggregate", "a.csv", *words])
        assert certified == (*first_use.FOR_A_CERTIFICATE, *JOBS["microaggregate"])
    for words in (["microaggregate", "--help"], ["generalize", "a.csv", "--method=ring"], ["token", "create"], []):
        assert jobs_for(words) == ()


def test_each_worker_has_about_as_much_to_do() -> None:
    jobs = [Job(1.0, ("a",)), Job(5.0, ("b", "c")), Job(3.0, ("d",)), Job(3.0, ("e",))]
    assert shared_out(jobs, 2) == [["b", "c", "a"], ["d", "e"]]
    assert shared_out(jobs[:2], 8) == [["b", "c"], ["a"]]
    assert shared_out([], 2) == []


def test_every_job_and_every_telling_kernel_exists() -> None:
    for jobs in (*JOBS.values(), first_use.FOR_A_CERTIFICATE):
        for name in (name for job in jobs for name in job.functions):
            module, function = name.split(":")
            assert callable(getattr(__import__(f"discreet.{module}", fromlist=[function]), function))
    assert TELLING.keys() == JOBS.keys()
    for kernel in TELLING.values():
        module, function = kernel.replace("/", ".").rsplit(".", 1)
        assert hasattr(getattr(__import__(f"discreet.{module}", fromlist=[function]), function), "signatures")


class Watched(Workers):
    """Workers that only note what is asked of them."""

    def __init__(self, jobs: tuple[Job, ...]) -> None:
        super().__init__(jobs)
        self.noted: list[str] = []
        made.append(self)

    def start(self) -> None:
        self.noted.append("start")

    def wait(self, tell: object) -> None:
        self.noted.append("wait")

    def stop(self) -> None:
        self.noted.append("stop")


made: list[Watched] = []


@pytest.mark.parametrize("cached", [False, True])
def test_workers_start_at_once_or_at_the_first_kernel_which_waits(
    cached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_use, "Workers", Watched)
    monkeypatch.setattr(first_use, "in_cache", lambda kernel: cached)
    from numba import njit

    def twice(x: int) -> int:
        return 2 * x

    twice.__module__ = "discreet.example"
    made.clear()
    with compiled_ahead(["bounds", "t.csv"], lambda done, jobs: None):
        assert made[0].noted == ([] if cached else ["start"])
        kernel = njit(twice)
        assert (kernel(2), kernel(2.0)) == (4, 4.0)
    assert made[0].noted == [*([] if cached else ["start"]), "start", "wait", "stop"]


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
    workers = Workers([Job(1.0, ("no.such:job",))])
    workers.start()
    workers.wait(lambda done, jobs: told.append((done, jobs)))
    workers.stop()
    assert told[0] == (0, 1)
    monkeypatch.setattr(ahead.sys, "executable", str(tmp_path / "none"))
    assert ahead.begin("scale.ahead:do") is None
    for action in (Workers([Job(1.0, ("a:b",)), Job(1.0, ("c:d",))]),):
        action.start()
        action.wait(lambda done, jobs: None)
        action.stop()


def test_workers_that_are_not_waited_for_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    processes: list[subprocess.Popen[bytes]] = []

    def sleeper(*functions: str) -> subprocess.Popen[bytes]:
        processes.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]))
        return processes[-1]

    monkeypatch.setattr(first_use, "begin", sleeper)
    workers = Workers([Job(1.0, ("a:b",))])
    workers.start()
    workers.start()
    workers.stop()
    assert [process.returncode is not None for process in processes] == [True]


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
