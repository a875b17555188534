"""A dataset of a few Parquet files with columns of several types, and what it is as one table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

COLUMNS = ["x", "y", "z"]


def make(folder: Path, sizes: tuple[int, ...] = (900, 1500, 600), seed: int = 0, group: int = 400) -> Path:
    """Files of so many rows in row groups, with what a table may carry beside its values."""
    random = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    schema = pa.schema(
        [
            pa.field("region", pa.dictionary(pa.int32(), pa.string())),
            pa.field("x", pa.float64(), metadata={b"unit": b"euro"}),
            pa.field("y", pa.float32()),
            pa.field("z", pa.int32()),
            pa.field("day", pa.date32()),
            pa.field("note", pa.large_string()),
        ],
        metadata={b"source": b"register"},
    )
    for number, n in enumerate(sizes):
        table = pa.table(
            [
                pa.array(np.array(["north", "south", "west"])[random.integers(0, 3, n)]).dictionary_encode(),
                pa.array(random.lognormal(3, 1, n)),
                pa.array(random.standard_normal(n).astype(np.float32)),
                pa.array(random.integers(0, 500, n).astype(np.int32)),
                pa.array(random.integers(0, 3, n).astype(np.int32)).cast(pa.date32()),
                pa.array([None if i % 7 == 0 else "as it was" for i in range(n)], pa.large_string()),
            ],
            schema=schema,
        )
        pq.write_table(table, folder / f"part-{number}.parquet", row_group_size=group, compression="zstd")
    return folder


@pytest.fixture(scope="session")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("data") / "big")


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few hundred records, so that a small dataset has many of them."""
    from discreet.instruments.large import microaggregate

    monkeypatch.setattr(microaggregate, "rows_within", lambda memory, row_bytes: 350)
