"""What all engines promise, each with its real workers: threads, processes of Dask, processes of Spark."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import engine_tasks
import pytest

from discreet.errors import DiscreetError, InputError
from discreet.scale.engines import Engine, Task, open_engine

pytestmark = pytest.mark.xdist_group("engines")
MEMORY = 10**9
NEEDS = {"local": "distributed", "local[2]": "pyspark"}


@pytest.fixture(scope="module", params=[None, "local", "local[2]"], ids=["threads", "dask", "spark"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    cluster = request.param
    if cluster is not None:
        pytest.importorskip(NEEDS[cluster])
    if cluster == "local[2]" and shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(engine_tasks.__file__).parent))
        with open_engine(cluster, MEMORY) as opened:
            yield opened


def tasks_of(function: Callable[..., dict[str, Any]], folder: Path, count: int) -> list[Task]:
    return [Task(f"solve-{i:05d}", function, (str(folder), i)) for i in range(count)]


def runs(folder: Path, i: int) -> int:
    return len(list(folder.glob(f"{i}-*")))


def has_processes(engine: Engine) -> bool:
    return type(engine).__name__ != "Threads"


def test_results_come_in_order_and_each_is_told_once(engine: Engine, tmp_path: Path) -> None:
    told: list[int] = []
    results = engine.run(tasks_of(engine_tasks.square, tmp_path, 12), told.append)
    assert [result["square"] for result in results] == [i * i for i in range(12)]
    assert sorted(told) == list(range(12))
    assert [runs(tmp_path, i) for i in range(12)] == [1] * 12
    assert (os.getpid() in {result["process"] for result in results}) is not has_processes(engine)


def test_no_tasks_give_no_results(engine: Engine) -> None:
    assert engine.run([], lambda i: None) == []


def test_a_fault_arrives_whole_and_the_rest_is_dropped(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        engine.run(tasks_of(engine_tasks.refuse, tmp_path, 100), lambda i: None)
    assert caught.value.faults == ("column a: is text in part 731", "column b: is not there")
    assert sum(runs(tmp_path, i) for i in range(100)) < 99


def test_ctrl_c_drops_the_rest(engine: Engine, tmp_path: Path) -> None:
    def interrupt(i: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.run(tasks_of(engine_tasks.linger, tmp_path, 100), interrupt)
    assert sum(runs(tmp_path, i) for i in range(100)) < 99


def test_a_killed_worker_costs_its_task_only(engine: Engine, tmp_path: Path) -> None:
    if not has_processes(engine):
        pytest.skip("a thread cannot be killed alone")

    def kill() -> None:
        process = tmp_path / "process"
        while not process.exists():
            time.sleep(0.01)
        os.kill(int(process.read_text()), 9)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    told: list[int] = []
    results = engine.run(tasks_of(engine_tasks.wait_to_be_killed, tmp_path, 24), told.append)
    killer.join()
    assert [result["square"] for result in results] == [i * i for i in range(24)]
    assert sorted(told) == list(range(24))
    assert runs(tmp_path, 20) == 2
    assert [runs(tmp_path, i) for i in told[:10]] == [1] * 10  # ended, and told, well before


def test_a_task_that_kills_every_worker_is_given_up(engine: Engine, tmp_path: Path) -> None:
    if not has_processes(engine):
        pytest.skip("it would take the tests with it")
    with pytest.raises(DiscreetError, match=r"workers died again and again.*--memory"):
        engine.run(tasks_of(engine_tasks.die, tmp_path, 4), lambda i: None)
    assert engine.run(tasks_of(engine_tasks.square, tmp_path, 1), lambda i: None)[0]["square"] == 0


def test_an_error_that_cannot_travel_is_still_an_error(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"LocalError|4711"):
        engine.run(tasks_of(engine_tasks.fail_with_what_cannot_travel, tmp_path, 1), lambda i: None)
