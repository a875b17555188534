"""A text that is protected in blocks: the bytes of one that was not stopped, and its fields as they are in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import discreet as dc
from discreet.frames.datasets import delimited
from discreet.scale.run import work_folder
from tests.instruments.large.test_failures import stop_at

pytestmark = pytest.mark.usefixtures("small_blocks")


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Some thousand rows in lots of a hundred, with gaps, quotes and line breaks."""
    monkeypatch.setattr(delimited, "CHUNK", 4000)
    random = np.random.default_rng(5)
    rows = [f'{i},"{random.normal():.3f}",{random.integers(0, 90)},"say ""{i % 7}""\nand more"' for i in range(1500)]
    path = tmp_path / "in.csv"
    path.write_text("\n".join(["id,x,y,note", *rows]) + "\n")
    return path


def protect(path: Path, output: Path, progress: object = None, *, resume: bool = False) -> dc.Microaggregation:
    data = dc.dataset(path, output=output, resume=resume)
    return dc.microaggregate(data, 4, columns=["x", "y"], accept=["id"], progress=progress)  # type: ignore[call-overload,no-any-return]


def test_fields_that_are_left_stand_and_a_stopped_run_goes_on_to_the_same_bytes(text: Path, tmp_path: Path) -> None:
    whole = protect(text, tmp_path / "whole.csv")
    assert whole.detail["parts"] > 3 and whole.verify().safe
    before, after = (path.read_text().split("\n") for path in (text, tmp_path / "whole.csv"))
    assert before[0] == after[0] and len(before) == len(after)
    for was, now in zip(before[1:-1:2], after[1:-1:2]):
        old, new = was.split(","), now.split(",")
        assert (new[0], new[3]) == (old[0], old[3]) and new[1][0] == new[1][-1] == '"'
    assert before[2::2] == after[2::2]
    for stage in ("grouping", "writing"):
        output = tmp_path / f"{stage}.csv"
        with pytest.raises(KeyboardInterrupt):
            protect(text, output, stop_at(stage, 1))
        assert not output.exists() and work_folder(output).exists()
        protect(text, output, resume=True)
        assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
        assert not work_folder(output).exists()


def test_the_same_groups_as_in_parquet(text: Path, tmp_path: Path) -> None:
    pq.write_table(dc.dataset(text).read(), tmp_path / "in.parquet")
    protect(text, tmp_path / "out.csv")
    protect(tmp_path / "in.parquet", tmp_path / "out.parquet")
    one, other = dc.dataset(tmp_path / "out.csv").read(["x", "y"]), pq.read_table(tmp_path / "out.parquet")
    sizes = [
        np.unique(np.column_stack([table[name].to_numpy() for name in ("x", "y")]), axis=0, return_counts=True)[1]
        for table in (one, other)
    ]
    assert min(map(min, sizes)) >= 4 and one.num_rows == other.num_rows == 1500


def test_a_column_that_turns_to_text_late_is_named(text: Path, tmp_path: Path) -> None:
    with text.open("a") as handle:
        handle.write("1500,many,3,\n")
    with pytest.raises(dc.InputError, match="column 'x' is not numeric"):
        protect(text, tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]
