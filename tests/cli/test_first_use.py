"""The first run of a command: its kernels are compiled by other processes, and nothing is left for itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.cli import first_use
from discreet.cli.first_use import JOBS, compiled_ahead, do_all, jobs_for, shared_out
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
}
# Runs the jobs in a cache that is empty, then the command, and prints the kernels that were left for it to compile.
LEFT = """
import sys
from numba.core import event
from discreet.cli import app
from discreet.cli.first_use import do_all, jobs_for

words = sys.argv[1:]
do_all(jobs_for(words), lambda done, jobs: None)
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
    words = [command, "data.csv", *options, "-o", "out.csv", "--quiet"]
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


def test_jobs_are_shared_out_there_and_back() -> None:
    assert shared_out("abcde", 2) == [["a", "d", "e"], ["b", "c"]]
    assert shared_out("abc", 8) == [["a"], ["b"], ["c"]]
    assert shared_out("", 2) == []


def test_every_job_exists() -> None:
    for jobs in (*JOBS.values(), first_use.FOR_A_CERTIFICATE):
        for job in jobs:
            module, name = job.split(":")
            assert callable(getattr(__import__(f"discreet.{module}", fromlist=[name]), name))


def test_only_the_first_kernel_starts_the_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr(first_use, "do_all", lambda jobs, tell: begun.append(jobs))
    from numba import njit

    def twice(x: int) -> int:
        return 2 * x

    twice.__module__ = "discreet.example"
    with compiled_ahead(["bounds", "t.csv"], lambda done, jobs: None):
        kernel = njit(twice)
        assert (kernel(2), kernel(2.0)) == (4, 4.0)
    assert begun == [JOBS["bounds"]]


def test_jobs_that_fail_or_cannot_start_hold_nothing_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    do_all(["no.such:job"], lambda done, jobs: told.append((done, jobs)))
    assert told[0] == (0, 1)
    monkeypatch.setattr(ahead.sys, "executable", str(tmp_path / "none"))
    assert ahead.begin("scale.ahead:do") is None
    do_all(["a:b", "c:d", "e:f"], lambda done, jobs: None)


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
