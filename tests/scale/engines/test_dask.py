"""Dask's own side: names on the dashboard, and one clear error for a cluster that cannot do the work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import engine_tasks
import pytest

from discreet.errors import InputError
from discreet.scale.engines import Task, open_engine

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.xdist_group("engines")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler that runs already, with one worker of four threads and 1 GB."""
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=4,
        memory_limit="1GB",
        processes=False,
        protocol="tcp://",
        dashboard_address=None,
    ) as cluster:
        yield cluster.scheduler_address.replace("tcp", "dask")


def test_tasks_have_their_names_on_the_dashboard_and_runs_are_told_apart(address: str) -> None:
    from distributed.utils import key_split

    task = Task("solve-00017", engine_tasks.key_of_task, ())
    with open_engine(address, 10**8) as one, open_engine(address, 10**8) as other:
        keys = [engine.run([task], lambda i: None)[0]["key"] for engine in (one, other)]
    assert all(key.startswith("solve-00017-") and key_split(key) == "solve" for key in keys)
    assert keys[0] != keys[1]


def test_all_that_is_wrong_with_workers_is_said_at_once(address: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught, open_engine(address, 10**9, shared=[tmp_path, tmp_path / "elsewhere"]):
        pass
    unseen, memory = caught.value.faults
    assert str(tmp_path / "elsewhere") in unseen and "file system that all share" in unseen
    assert "0.25 GB for each of its threads" in memory


def test_workers_with_another_version_are_refused(tmp_path: Path) -> None:
    """A worker process of its own whose discreet is another one."""
    (tmp_path / "discreet").mkdir()
    (tmp_path / "discreet" / "__init__.py").touch()
    (tmp_path / "discreet" / "_version.py").write_text('__version__ = "0.0.1"\n')
    with distributed.LocalCluster(
        n_workers=0, processes=False, protocol="tcp://", dashboard_address=None, silence_logs=50
    ) as cluster:
        address = cluster.scheduler_address
        words = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--no-dashboard"]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        with subprocess.Popen(words, env=environment, cwd=tmp_path, **silent) as worker:
            try:
                with (
                    pytest.raises(InputError, match=r"have discreet 0\.0\.1, here it is"),
                    open_engine(address.replace("tcp", "dask"), 10**8),
                ):
                    pass
            finally:
                worker.kill()


def test_a_scheduler_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.scale.engines.dask.SECONDS_TO_ANSWER", 1)
    with (
        distributed.LocalCluster(
            n_workers=0, processes=False, protocol="tcp://", dashboard_address=None, silence_logs=50
        ) as cluster,
        pytest.raises(InputError, match="has no workers"),
        open_engine(cluster.scheduler_address.replace("tcp", "dask"), 10**8),
    ):
        pass


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.scale.engines.dask.SECONDS_TO_ANSWER", 1)
    with (
        pytest.raises(InputError, match=r"no Dask scheduler answers at dask://127\.0\.0\.1:1"),
        open_engine("dask://127.0.0.1:1", 10**8),
    ):
        pass


def test_local_workers_need_memory_for_themselves() -> None:
    with pytest.raises(InputError, match="need 512 MB or more"), open_engine("local", 10**8):
        pass


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'discreet\[dask\]'"), open_engine("local", 10**9):
        pass


@pytest.mark.parametrize("cluster", ["", "localhost:8786", "dask://host", "tcp://host:1", "local[x]", "yarn", "spark:"])
def test_a_cluster_that_nobody_knows(cluster: str) -> None:
    with pytest.raises(InputError, match="none of the forms"):
        open_engine(cluster, 10**9)
