"""Files of a release: columns have the types that they came with, unless their values became boxes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import discreet as dc


def test_a_column_that_nothing_widens_keeps_its_type(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    rng = np.random.default_rng(0)
    for number in range(2):
        table = pa.table(
            {"x": pa.array([1.5, -0.0, 0.0] * 100), "y": pa.array(rng.integers(0, 60, 300)), "z": range(300)}
        )
        pq.write_table(table.append_column("same", pa.array(["a"] * 300)), folder / f"{number}.parquet")
    result = dc.generalize(dc.dataset(folder), 2, quasi_identifiers=["x", "y", "same"], random_state=0, accept=["z"])
    after = result.data.read()
    assert result.widened["x"] == result.widened["same"] == 0
    assert after.schema.field("x").type == pa.float64()
    assert sorted(map(str, after["x"].to_pylist())) == ["0.0"] * 400 + ["1.5"] * 200


def test_ordered_categories_that_are_left_keep_their_order(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    kind = pa.dictionary(pa.int8(), pa.string(), ordered=True)
    for number in range(2):
        places = pa.array([2, 0, 1] * 100, pa.int8())
        shade = pa.DictionaryArray.from_arrays(places, ["low", "mid", "high"], ordered=True)
        table = pa.table([pa.array(range(300)), shade], schema=pa.schema([("x", pa.int64()), ("shade", kind)]))
        pq.write_table(table, folder / f"{number}.parquet")
    after = dc.generalize(dc.dataset(folder), 2, quasi_identifiers=["x"], random_state=0).data.read()
    assert after.schema.field("shade").type == kind
    assert after["shade"].unify_dictionaries().chunk(0).dictionary.to_pylist() == ["low", "mid", "high"]
