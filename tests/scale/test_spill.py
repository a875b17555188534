"""The shuffle: what is scattered by block is gathered by block, nothing else is read, and halves do not appear."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa

from discreet.scale.spill import complete, gather, scatter_table


def test_rows_come_together_by_block(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    tables, keys, paths = [], [], []
    for number in range(3):
        n = 50 + number
        tables.append(pa.table({"row": np.arange(n) + 100 * number, "word": [f"w{i}" for i in range(n)]}))
        keys.append(random.integers(0, 4, n))
        paths.append(str(tmp_path / f"{number}.arrow"))
        counts = scatter_table(paths[-1], tables[-1], keys[-1], 5)
        assert counts.tolist() == np.bincount(keys[-1], minlength=5).tolist()
    for block in range(5):
        found = pa.Table.from_batches(list(gather([(path, block) for path in paths])))
        wanted = [table.take(np.flatnonzero(key == block)) for table, key in zip(tables, keys)]
        assert found.to_pylist() == pa.concat_tables(wanted).to_pylist()


def test_a_file_that_was_not_finished_does_not_appear(tmp_path: Path) -> None:
    with suppress(RuntimeError), complete(tmp_path / "half") as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert not list(tmp_path.iterdir())
