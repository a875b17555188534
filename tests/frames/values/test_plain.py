"""Numbers go to Arrow and back as Arrow itself takes them, and without pandas."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.frames.values.plain import plain_array, plain_floats, plain_values


@pytest.mark.parametrize("kind", [np.int64, np.float64, np.float32, np.int8, np.uint64])
def test_an_array_is_the_one_that_arrow_makes(kind: type) -> None:
    values = np.arange(19).astype(kind)
    assert plain_array(values).equals(pa.array(values))
    assert plain_array(values[::3]).equals(pa.array(values[::3]))
    gaps = values % 5 == 0
    assert plain_array(values, gaps).equals(pa.array(values, mask=gaps))
    assert plain_array(values, ~gaps & gaps).null_count == 0


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64()])
def test_values_are_those_that_arrow_gives(kind: pa.DataType) -> None:
    array = pa.array(range(20), kind)
    for one in (array, array[3:], array[4:9], array[20:]):
        np.testing.assert_array_equal(plain_values(one), one.to_numpy())
        assert plain_values(one).dtype == one.to_numpy().dtype
    for other in (pa.array([1, None], kind), pa.array([1], pa.int8())):
        with pytest.raises(ValueError, match="without gaps"):
            plain_values(other)


def test_floats_with_gaps_are_those_that_arrow_gives() -> None:
    array = pa.array([None if i % 3 == 1 or i > 30 else i / 7 for i in range(40)] + [float("nan")])
    for one in (array, array[3:], array[5:20], array[31:40], array[31:], array[40:41], array[41:], array[3:4]):
        np.testing.assert_array_equal(plain_floats(one), one.to_numpy(zero_copy_only=False))
    bare = pa.Array.from_buffers(pa.float64(), 0, [pa.py_buffer(b""), pa.py_buffer(b"")])
    assert plain_floats(bare).size == 0
    assert np.isnan(plain_floats(pa.nulls(3, pa.float64()))).all()


TASKS = """
import sys
from discreet.frames.datasets.dataset import Part
from discreet.instruments.large import grouping
part = Part(sys.argv[1], (0, 1), 0, (70_000,))
assert grouping.summarize(sys.argv[2], part, 0, ["x", "y", "gaps", "small"], 1, 1.0)["rows"] == 60_000
assert "pandas" not in sys.modules
"""


def test_a_worker_that_reads_numbers_needs_no_pandas(tmp_path: Path) -> None:
    numbers = np.arange(70_000)  # more than one batch of the reader
    gaps = pa.array(numbers.astype(np.float64), mask=numbers >= 60_000)
    table = {"x": numbers / 8, "y": numbers, "gaps": gaps, "small": numbers.astype(np.int32)}
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    words = [sys.executable, "-c", TASKS, str(tmp_path / "a.parquet"), str(tmp_path)]
    subprocess.run(words, check=True, timeout=120)
