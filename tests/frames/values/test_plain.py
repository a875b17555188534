"""Numbers go to Arrow and back as Arrow itself takes them, and without pandas."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.frames.values.plain import plain_array, plain_values


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


TASKS = """
import sys
from discreet.frames.datasets.dataset import Part
from discreet.instruments.large import grouping
part = Part(sys.argv[1], (0, 1), 0, (200,))
assert grouping.summarize(sys.argv[2], part, 0, ["x", "y"], 1, 1.0)["rows"] == 200
assert "pandas" not in sys.modules
"""


def test_a_worker_that_reads_numbers_needs_no_pandas(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": np.arange(200.0), "y": np.arange(200)}), tmp_path / "a.parquet")
    words = [sys.executable, "-c", TASKS, str(tmp_path / "a.parquet"), str(tmp_path)]
    subprocess.run(words, check=True, timeout=120)
