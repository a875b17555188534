"""One plan and seed give one release, to the last bit: on threads, on Dask, on Spark, and after a worker died."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet as dc
from discreet.work import Progress

pytestmark = pytest.mark.xdist_group("engines")
COLUMNS = ["turnover", "staff", "wages"]
MEMORY = "55MB"  # so little that a task holds some 30 000 records: there are several blocks


@pytest.fixture(scope="module")
def firms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of uneven size, with a column that is left as it is."""
    folder = tmp_path_factory.mktemp("firms")
    rng = np.random.default_rng(7)
    for number, n in enumerate((45_000, 30_000, 5_000)):
        values = rng.lognormal(3.0, 1.0, (n, 3))
        columns = {name: pa.array(values[:, j]) for j, name in enumerate(COLUMNS)}
        region = pa.array(np.array(list("abcdefghi"))[rng.integers(0, 9, n)])
        pq.write_table(pa.table({**columns, "region": region}), folder / f"part-{number}.parquet")
    return folder


def digest(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def release(firms: Path, output: Path, cluster: str | None, progress: Callable[[Progress], None] | None = None) -> Any:
    data = dc.dataset(str(firms), memory=MEMORY, cluster=cluster, output=str(output))
    return dc.microaggregate(data, 4, columns=COLUMNS, random_state=5, effort="fast", progress=progress)


@pytest.fixture(scope="module")
def expected(firms: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    output = tmp_path_factory.mktemp("threads") / "out"
    result = release(firms, output, None)
    assert result.detail["blocks"] > 1, "else there is nothing to put together"
    return digest(output)


def test_dask_gives_the_bits_of_threads_though_a_worker_is_killed(
    firms: Path, expected: dict[str, str], dask_workers: Any, tmp_path: Path
) -> None:
    killed: list[str] = []

    def kill(step: Progress) -> None:
        if step.stage.startswith("grouping") and not killed:
            killed.append(step.stage)
            os.kill(min(nanny.pid for nanny in dask_workers.workers.values()), 9)

    address = dask_workers.scheduler_address.replace("tcp", "dask")
    release(firms, tmp_path / "out", address, kill)
    assert killed
    assert digest(tmp_path / "out") == expected
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.usefixtures("spark_session")
def test_spark_gives_the_bits_of_threads(firms: Path, expected: dict[str, str], tmp_path: Path) -> None:
    release(firms, tmp_path / "out", "local[2]")
    assert digest(tmp_path / "out") == expected
    assert os.listdir(tmp_path) == ["out"]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people")
    rng = np.random.default_rng(8)
    for number, n in enumerate((700, 500)):
        region = pa.array(np.array(list("abcde"))[rng.integers(0, 5, n)])
        table = pa.table({"age": rng.integers(0, 90, n), "region": region, "ill": rng.integers(0, 2, n)})
        pq.write_table(table, folder / f"part-{number}.parquet")
    return folder


@pytest.mark.usefixtures("spark_session")
def test_generalization_has_the_same_bits_on_all_engines(people: Path, dask_workers: Any, tmp_path: Path) -> None:
    found = {}
    for cluster in (None, dask_workers.scheduler_address.replace("tcp", "dask"), "local[2]"):
        output = tmp_path / f"out-{len(found)}"
        data = dc.dataset(str(people), memory=MEMORY, cluster=cluster, output=str(output))
        dc.generalize(data, 3, quasi_identifiers=["age", "region"], random_state=5)
        found[cluster] = digest(output)
    assert len(found[None]) > 0
    assert all(one == found[None] for one in found.values())


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One compressed text: more than a task may hold, with fields that need their quotes."""
    path = tmp_path_factory.mktemp("text") / "people.csv.gz"
    rng = np.random.default_rng(9)
    rows = ["age;region;paid;note"]
    for age, region, paid in zip(rng.integers(0, 90, 6000), rng.integers(0, 5, 6000), rng.lognormal(3, 1, 6000)):
        rows.append(f'{age};"r;{region}";{paid:.2f};"{"abc"[region % 3]}"')
    path.write_bytes(gzip.compress("\r\n".join(rows).encode("cp1252"), mtime=0))
    return path


@pytest.mark.usefixtures("spark_session")
@pytest.mark.parametrize("instrument", ["microaggregate", "generalize"])
def test_a_text_has_the_same_bytes_on_all_engines(
    text: Path, instrument: str, dask_workers: Any, tmp_path: Path
) -> None:
    found = []
    for cluster in (None, dask_workers.scheduler_address.replace("tcp", "dask"), "local[2]"):
        output = tmp_path / f"out-{len(found)}.csv"
        data = dc.dataset(str(text), memory=MEMORY, cluster=cluster, output=str(output))
        if instrument == "microaggregate":
            dc.microaggregate(data, 4, columns=["age", "paid"], accept=["region", "note"], random_state=5)
        else:
            dc.generalize(data, 3, quasi_identifiers=["age", "region"], accept=["note", "paid"], random_state=5)
        found.append(output.read_bytes())
    assert len(found[0].splitlines()) == 6001
    assert found[1] == found[0] and found[2] == found[0]
    assert sorted(os.listdir(tmp_path)) == ["out-0.csv", "out-1.csv", "out-2.csv"]
