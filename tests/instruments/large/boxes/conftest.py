"""People in three files, cut into blocks of some two hundred."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.instruments.large.boxes import generalize as stages

KEYS = ["age", "sex", "region", "born"]


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1200 people in three files, with a number, two kinds of categories, a date, and what is left as it is."""
    rng = np.random.default_rng(3)
    folder = tmp_path_factory.mktemp("data") / "people"
    folder.mkdir()
    for number, n in enumerate((500, 300, 400)):
        table = pa.table(
            {
                "age": pa.array(rng.integers(0, 90, n)),
                "illness": pa.array(rng.choice(["none", "cold", "flu"], n).tolist()),
                "sex": pa.array(rng.choice(["f", "m"], n).tolist()),
                "region": pa.array(rng.choice(["n", "s", "e", "w"], n).tolist()).dictionary_encode(),
                "born": pa.array(rng.integers(0, 40, n).astype(np.int32)).cast(pa.date32()),
                "weight": pa.array(rng.choice([1.5, 2.5], n)),
            }
        ).replace_schema_metadata({b"source": b"register", b"pandas": b"{}"})
        pq.write_table(table, folder / f"{number}.parquet", row_group_size=200, compression="zstd")
    return folder


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of some two hundred records, so that a small dataset has several; memory for any number of values."""
    monkeypatch.setattr(stages, "rows_within", lambda memory, row: 10**6 if row == stages.HELD else 250)


def whole(folder: Path) -> Any:
    return pa.concat_tables([pq.read_table(path) for path in sorted(folder.glob("*.parquet"))])
