"""What goes wrong on the way: one clear error and nothing written; a run that was killed goes on where it stood."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet as dc
from discreet.scale.run import locked, work_folder
from discreet.work import Progress
from tests.instruments.large.conftest import COLUMNS, make

pytestmark = pytest.mark.usefixtures("small_blocks")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def stop_at(stage: str, done: int) -> object:
    """A progress callback that interrupts a run when so many steps of a stage were told."""
    told = 0

    def tell(step: Progress) -> None:
        nonlocal told
        told += step.stage == stage
        if told > done:
            raise KeyboardInterrupt

    return tell


def protect(data: dc.Dataset, progress: object = None, **options: object) -> object:
    return dc.microaggregate(data, **{"k": 4, "columns": COLUMNS, "progress": progress, **options})  # type: ignore[call-overload]


@pytest.mark.parametrize(("stage", "done"), [("reading", 1), ("grouping", 3), ("mending 1", 4), ("writing", 2)])
def test_an_interrupted_run_leaves_no_output_and_is_resumed(big: Path, tmp_path: Path, stage: str, done: int) -> None:
    protect(dc.dataset(big, output=tmp_path / "whole"))
    output = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        protect(dc.dataset(big, output=output), stop_at(stage, done))
    assert not output.exists()
    folder = work_folder(output)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert "out" not in folder.name and "big" not in folder.name
    finished = {path: path.stat().st_mtime_ns for path in folder.glob(f"{stage}-*.json")}
    assert len(finished) >= done
    kept: list[bool] = []

    def look(_: Progress) -> None:
        kept.append(all(path.exists() and path.stat().st_mtime_ns == time for path, time in finished.items()))

    protect(dc.dataset(big, output=output, resume=True), look)
    assert all(kept)
    assert not folder.exists()
    assert contents(output) == contents(tmp_path / "whole")


KILLED = """
import os, signal, sys
import discreet as dc
from discreet.frames.datasets import writing
from discreet.instruments.large import microaggregate
microaggregate.rows_within = lambda memory, row_bytes: 350
def die(step=None):
    if step is None or (sys.argv[3] == "between" and step.stage == "mending 1" and step.done > 0.5):
        os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[3] == "half a file":
    writing.Copy.close = lambda self: die()
dc.microaggregate(dc.dataset(sys.argv[1], output=sys.argv[2]), k=4, columns=["x", "y", "z"], progress=die)
"""


@pytest.mark.parametrize("when", ["between", "half a file"])
def test_a_killed_run_is_resumed(big: Path, tmp_path: Path, when: str) -> None:
    protect(dc.dataset(big, output=tmp_path / "whole"))
    output = tmp_path / "out"
    words = [sys.executable, "-c", KILLED, str(big), str(output), when]
    died = subprocess.run(words, capture_output=True, check=False)
    assert died.returncode == -9
    assert not output.exists()
    with pytest.raises(dc.InputError, match=r"was stopped, and its work is in .*resume"):
        protect(dc.dataset(big, output=output))
    protect(dc.dataset(big, output=output, resume=True))
    assert contents(output) == contents(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "whole"]


@pytest.mark.parametrize("change", ["input", "k", "seed", "columns", "memory"])
def test_another_run_is_not_taken_for_the_stopped_one(big: Path, tmp_path: Path, change: str) -> None:
    data, output = shutil.copytree(big, tmp_path / "data"), tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        protect(dc.dataset(data, output=output), stop_at("grouping", 2))
    if change == "input":
        os.utime(data / "part-1.parquet", ns=(1, 1))
    other = {"k": {"k": 5}, "seed": {"random_state": 1}, "columns": {"columns": ["x", "y"]}}.get(change, {})
    memory = "3GB" if change == "memory" else None
    with pytest.raises(dc.InputError, match="cannot be continued, as this differs"):
        protect(dc.dataset(data, output=output, resume=True, memory=memory), **other)
    assert work_folder(output).exists()
    assert not output.exists()


def test_what_nobody_stopped_cannot_be_resumed(big: Path, tmp_path: Path) -> None:
    with pytest.raises(dc.InputError, match="nothing to resume"):
        protect(dc.dataset(big, output=tmp_path / "out", resume=True))
    assert not list(tmp_path.iterdir())


def test_two_runs_do_not_share_a_folder(big: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    folder = work_folder(output)
    folder.mkdir(mode=0o700)
    with locked(folder), pytest.raises(dc.InputError, match="another run for this output is at work"):
        protect(dc.dataset(big, output=output, resume=True))


def spoil(folder: Path, how: str) -> str:
    """Make one file of a dataset unusable; a pattern of what is to be said about it."""
    last = folder / "part-2.parquet"
    table = pq.read_table(last)
    if how == "no rows":
        pq.write_table(table.slice(0, 0), last)
        return r"part-2\.parquet has column names but no rows"
    if how == "no bytes":
        last.write_bytes(b"")
        return r"part-2\.parquet is empty"
    if how == "cut short":
        last.write_bytes(last.read_bytes()[:-100])
        return r"part-2\.parquet: the file is damaged"
    if how == "a page overwritten":
        content = bytearray(last.read_bytes())
        place = pq.ParquetFile(last).metadata.row_group(0).column(1).data_page_offset
        content[place : place + 400] = bytes(400)
        last.write_bytes(bytes(content))
        return r"part-2\.parquet: the file is damaged"
    if how == "another page overwritten":
        content = bytearray(last.read_bytes())
        place = pq.ParquetFile(last).metadata.row_group(1).column(5).data_page_offset
        content[place : place + 30] = bytes(30)
        last.write_bytes(bytes(content))
        return r"part-2\.parquet: the file is damaged"
    if how == "text":
        pq.write_table(table.set_column(1, "x", pa.array(["a"] * len(table))), last)
        return r"column 'x' is of type string in .*part-2\.parquet and double in .*part-0"
    if how == "a column is gone":
        pq.write_table(table.drop_columns(["day"]), last)
        return r"part-2\.parquet has no column 'day'"
    if how == "infinite":
        pq.write_table(table.set_column(1, "x", pa.array(np.full(len(table), np.inf))), last)
        return "column 'x' has an infinite value"
    pq.write_table(table.set_column(1, "x", pa.array([None] * len(table), pa.float64())), last)
    return "600 records have missing values, in columns .*x"


@pytest.mark.parametrize(
    "how",
    [
        *("no rows", "no bytes", "cut short", "a page overwritten", "another page overwritten", "text"),
        *("a column is gone", "infinite", "missing"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_and_nothing_is_written(tmp_path: Path, how: str) -> None:
    folder = make(tmp_path / "data")
    said = spoil(folder, how)
    before = contents(folder)
    with pytest.raises(dc.InputError, match=said) as caught:
        protect(dc.dataset(folder, output=tmp_path / "out"))
    assert len(caught.value.faults) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    assert contents(folder) == before


FULL = """
import resource, sys
import discreet as dc
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
try:
    dc.microaggregate(dc.dataset(sys.argv[1], output=sys.argv[2]), k=4, columns=["x", "y", "z"])
except dc.InputError as error:
    print(error)
"""


@pytest.mark.parametrize("limit", [200, 2_000, 30_000])
def test_a_disk_that_is_full(big: Path, tmp_path: Path, limit: int) -> None:
    words = [sys.executable, "-c", FULL, str(big), str(tmp_path / "out"), str(limit)]
    ended = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "larger than is allowed here" in ended.stdout
    assert not list(tmp_path.iterdir())


def test_what_lies_beside_the_files_of_a_release_is_not_released(tmp_path: Path) -> None:
    def drop(step: Progress) -> None:
        out = work_folder(tmp_path / "out") / "out"
        if step.stage == "writing" and out.exists():
            (out / "part-0.parquet.17-ab").write_bytes(b"half")

    with pytest.raises(dc.InputError, match="other files"):
        protect(dc.dataset(make(tmp_path / "data"), output=tmp_path / "out"), drop)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_folders_named_by_values_are_refused_at_once(tmp_path: Path) -> None:
    make(tmp_path / "data" / "sex=f")
    make(tmp_path / "data" / "sex=m")
    with pytest.raises(dc.InputError, match="named by values"):
        protect(dc.dataset(tmp_path / "data" / "**" / "*.parquet", output=tmp_path / "out"))


def test_input_that_changes_on_the_way(tmp_path: Path) -> None:
    folder = make(tmp_path / "data")

    def change(step: Progress) -> None:
        if step.stage == "writing":
            os.utime(folder / "part-0.parquet", ns=(1, 1))

    with pytest.raises(dc.InputError, match="was changed while it was being worked on"):
        protect(dc.dataset(folder, output=tmp_path / "out"), change)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
