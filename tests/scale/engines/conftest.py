"""Clusters that run already, shared by the tests of this folder: they take seconds to start."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine_tasks
import pytest

import discreet


@pytest.fixture(scope="session")
def dask_workers() -> Iterator[Any]:
    """Two worker processes of one thread each; its `scheduler_address` is where they are found."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit="1GB", dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def spark_session() -> Iterator[Any]:
    """A session of the user's own."""
    pyspark = pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    with pytest.MonkeyPatch.context() as patch:
        places = [Path(engine_tasks.__file__).parent, Path(discreet.__file__).parents[1]]
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, places)))
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = pyspark.sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        found = builder.config("spark.sql.shuffle.partitions", "7").getOrCreate()
        yield found
        found.stop()
