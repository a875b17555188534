"""The process that reads files for others, by its own language: a line of work in, a line about its end out."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discreet.release.loading.apart import FRUGAL
from discreet.release.loading.choices import Choices
from discreet.release.loading.limits import ReadLimits
from discreet.release.loading.worker import DONE, NO_MEMORY
from discreet.release.policy import Policy

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the process forks")
GOOD = b"A,count\nx,1\ny,3\n"


class Worker:
    """Whoever asks: writes lines, and knows that nothing is said unasked."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "discreet.release.loading.worker"],
            env={**os.environ, **FRUGAL},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.work, self.told = self.process.stdin, self.process.stdout
        self.hello = self.told.readline()

    def send(self, **work: Any) -> None:
        self.work.write(json.dumps(work) + "\n")
        self.work.flush()

    def ask(self, **work: Any) -> dict[str, Any]:
        self.send(**work)
        answer: dict[str, Any] = json.loads(self.told.readline())
        return answer

    def end(self) -> int:
        self.work.close()
        code = self.process.wait(60)
        self.told.close()
        return code


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.end()


def job(folder: Path, data: bytes, **more: Any) -> dict[str, Any]:
    (folder / "table.csv").write_bytes(data)
    return {
        "folder": str(folder),
        "file": "table.csv",
        "choices": Choices().to_dict(),
        "policy": None,
        "limits": ReadLimits(seconds=30.0).to_dict(),
        "grace": 0.0,
        **more,
    }


def test_a_table_is_left_beside_its_file(worker: Worker, tmp_path: Path) -> None:
    assert worker.hello == "ready\n"
    assert worker.ask(**job(tmp_path, GOOD)) == {"ended": DONE, "late": False}
    assert {path.name for path in tmp_path.iterdir()} == {"table.csv", "result.json", "counts.npz"}
    with np.load(tmp_path / "counts.npz") as arrays:
        assert sorted(arrays[arrays.files[0]].tolist()) == [1, 3]


def test_a_fault_is_told_without_the_path(worker: Worker, tmp_path: Path) -> None:
    for data, beyond in ((b"A,count\n", False), (b"A,count\nx,-1\n", False), (b"A\n" + b"x\n" * 30, True)):
        limits = ReadLimits(rows=20, seconds=30.0).to_dict()
        assert worker.ask(**job(tmp_path, data, limits=limits)) == {"ended": DONE, "late": False}
        told = json.loads((tmp_path / "result.json").read_text())
        if "error" in told:
            assert told["error"]["faults"] and str(tmp_path) not in json.dumps(told)
            assert told["error"]["beyond"] is beyond
    assert "error" in told


def test_the_policy_goes_along(worker: Worker, tmp_path: Path) -> None:
    policy = Policy(published=(("A",),)).to_dict()
    assert worker.ask(**job(tmp_path, GOOD, policy=policy))["ended"] == DONE
    assert json.loads((tmp_path / "result.json").read_text())["figures"]["sensitive"] == 1


def test_what_takes_too_long_is_ended_and_the_next_is_read(worker: Worker, tmp_path: Path) -> None:
    slow = job(tmp_path, b"A,count\n" + b"x,1\n" * 400_000, limits=ReadLimits(seconds=0.001).to_dict())
    told = worker.ask(**slow)
    assert told["late"] is True and told["ended"] < 0
    assert not (tmp_path / "result.json").exists()
    assert worker.ask(**job(tmp_path, GOOD))["ended"] == DONE


def test_what_takes_too_much_memory_is_said_so(worker: Worker, tmp_path: Path) -> None:
    rows = b"".join(b"x%d,%d\n" % (i, i) for i in range(300_000))
    told = worker.ask(**job(tmp_path, b"A,count\n" + rows, limits=ReadLimits(memory=1 << 20, seconds=30.0).to_dict()))
    assert told["ended"] == NO_MEMORY or told["ended"] < 0 or "error" in (tmp_path / "result.json").read_text()
    assert not (tmp_path / "counts.npz").exists()
    assert worker.ask(**job(tmp_path, GOOD))["ended"] == DONE


def test_nothing_is_said_unasked(worker: Worker, tmp_path: Path) -> None:
    assert worker.ask(hold=str(tmp_path)) == {}
    assert worker.ask(**job(tmp_path, GOOD))["ended"] == DONE
    assert not select.select([worker.told], [], [], 0.05)[0]


@pytest.mark.parametrize("reading", [False, True])
def test_when_whoever_asked_is_gone_the_file_goes_too(tmp_path: Path, reading: bool) -> None:
    """Whether it is still being written or is read already: no confidential file is left."""
    made, folder = Worker(), tmp_path / "folder"
    folder.mkdir()
    assert made.ask(hold=str(folder)) == {}
    big = job(folder, b"A,count\n" + b"x,1\n" * 400_000)
    if reading:
        made.send(**big)
    assert made.end() == 0
    assert not folder.exists()
