"""Spark's own side: an open session is used and left as it is; one clear error where Spark cannot start."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import engine_tasks
import pytest

from discreet.errors import InputError
from discreet.scale.engines import Task, open_engine

pyspark = pytest.importorskip("pyspark")
pytestmark = [
    pytest.mark.xdist_group("engines"),
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
]


def test_an_open_session_is_used_and_left_as_it_is(spark_session: Any, tmp_path: Path) -> None:
    tasks = [Task(f"solve-{i:05d}", engine_tasks.square, (str(tmp_path), i)) for i in range(3)]
    with open_engine("local[2]", 10**9, shared=[tmp_path]) as engine:
        assert [result["square"] for result in engine.run(tasks, lambda i: None)] == [0, 1, 4]
    assert spark_session.conf.get("spark.sql.shuffle.partitions") == "7"
    assert spark_session.range(5).count() == 5


def test_an_open_session_with_another_master_is_in_the_way(spark_session: Any) -> None:
    with pytest.raises(InputError, match=r"is open with master local\[2\]"), open_engine("local[1]", 10**9):
        pass


def test_paths_that_workers_do_not_see(spark_session: Any, tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"do not see .*elsewhere"),
        open_engine("local[2]", 10**9, shared=[tmp_path / "elsewhere"]),
    ):
        pass


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has not started Java yet."""
    monkeypatch.setattr(pyspark.SparkContext, "_gateway", None)
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)


@pytest.mark.usefixtures("fresh")
def test_nobody_answers() -> None:
    with pytest.raises(InputError, match=r"no Spark master answers at spark://127\.0\.0\.1:1"):
        open_engine("spark://127.0.0.1:1", 10**9).__enter__()


@pytest.mark.usefixtures("fresh")
def test_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(InputError, match=r"Java 17 or later.*default-jre-headless"):
        open_engine("local[2]", 10**9).__enter__()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InputError, match="JAVA_HOME"):
        open_engine("local[2]", 10**9).__enter__()


@pytest.mark.usefixtures("fresh")
def test_java_that_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'this is no Java' >&2\nexit 1\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InputError, match="Java for Spark did not start: this is no Java"):
        open_engine("local[2]", 10**9).__enter__()


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(InputError, match=r"pip install 'discreet\[spark\]'"):
        open_engine("local[2]", 10**9).__enter__()
