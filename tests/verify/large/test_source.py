"""Folders that are to be published: what is not read is not called safe."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from verify.large.streaming import write_parts

from discreet.errors import InputError
from discreet.verify import verify

DATA = pa.table({"x": [1.0, 1.0, 1.0, 4.0, 4.0, 4.0]})
CLAIM = {"k": 3, "quasi_identifiers": ["x"], "guarantee": "microaggregation"}


@pytest.mark.parametrize(
    "name", [".original.parquet", "_original.parquet", "notes.csv", ".kept/original.parquet", "_SUCCESS"]
)
def test_what_stands_beside_the_data_is_not_called_safe(name: str, tmp_path: Path) -> None:
    before, after = write_parts(DATA, tmp_path / "before"), write_parts(DATA, tmp_path / "after")
    assert verify(before, after, **CLAIM).safe
    other = after / name
    other.parent.mkdir(exist_ok=True)
    pq.write_table(DATA, other)
    with pytest.raises(InputError, match="1 other files"):
        verify(before, after, **CLAIM)
    assert verify(before, after / "part*.parquet", **CLAIM).safe
    assert verify(after / "part*.parquet", before, **CLAIM).safe


def test_values_in_names_of_folders_are_not_called_safe(tmp_path: Path) -> None:
    before, after = write_parts(DATA, tmp_path / "before"), tmp_path / "after"
    after.mkdir()
    write_parts(DATA, after / "name=somebody")
    with pytest.raises(InputError, match="named by values"):
        verify(before, after, **CLAIM)
