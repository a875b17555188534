"""Columns of every type a Parquet file can hold, in every place of every command: used or refused, no accident."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fed import call

N = 12


COLUMNS: dict[str, Callable[[], Any]] = {
    "list": lambda: pa.array([[i % 3] for i in range(N)]),
    "struct": lambda: pa.array([{"a": i % 3, "b": None} for i in range(N)]),
    "map": lambda: pa.array([[("k", i % 3)] for i in range(N)], pa.map_(pa.string(), pa.int64())),
    "float16": lambda: pa.array(np.array([np.nan, 1.5, 2.5] * 4, np.float16)),
    "bytes": lambda: pa.array([b"\xff%d" % (i % 3) for i in range(N)]),
    "null": lambda: pa.nulls(N),
    "decimal256": lambda: pa.array([Decimal(10) ** 70 + i % 3 for i in range(N)], pa.decimal256(76, 2)),
    "uint64": lambda: pa.array([2**64 - 1 - i % 3 for i in range(N)], pa.uint64()),
    "dictionary": lambda: pa.array([i % 3 for i in range(N)]).dictionary_encode(),
    "bool": lambda: pa.array([i % 2 == 0 for i in range(N)]),
    "nanoseconds": lambda: pa.array([i % 3 for i in range(N)], pa.time64("ns")),
    "long duration": lambda: pa.array([2**60 + i % 3 for i in range(N)]).view(pa.duration("s")),
    "far date": lambda: pa.array([2**31 - 1 - i % 3 for i in range(N)], pa.int32()).view(pa.date32()),
    "nowhere": lambda: pa.array([i % 3 for i in range(N)], pa.timestamp("us", "No/Such")),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_no_type_is_an_accident(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.chdir(tmp_path)
    people = {"age": [20 + i % 4 for i in range(N)], "sex": ["f", "m"] * 6, "income": [100.0 * i for i in range(N)]}
    pq.write_table(pa.table({**people, "x": COLUMNS[kind]()}), "d.parquet")
    for words in (
        ("microaggregate", "d.parquet", "-k", 2, "--columns", "age,income", "--method", "mdav", "-o", "o.parquet"),
        ("microaggregate", "d.parquet", "-k", 2, "--columns", "age,income", "--method", "mdav", "-o", "o.csv"),
        ("microaggregate", "d.parquet", "-k", 2, "--columns", "age,income", "--method", "mdav", "-o", "o.sav"),
        ("microaggregate", "d.parquet", "-k", 2, "--columns", "age,x", "--method", "mdav", "-o", "o.parquet"),
        ("generalize", "d.parquet", "-k", 2, "--qi", "age,sex", "--rounds", 1, "-o", "o.dta"),
        ("generalize", "d.parquet", "-k", 2, "--qi", "age,x", "--rounds", 1, "--missing", "value", "-o", "o.csv"),
        ("verify", "d.parquet", "d.parquet", "-k", 2, "--qi", "x", "--guarantee", "matchings"),
        ("bounds", "d.parquet", "-r", "age", "-r", "x", "--time-limit", 1, "-o", "o.csv"),
        ("simulate", "d.parquet", "-r", "age", "-r", "sex", "--count", "x", "-o", "o.csv"),
        ("plan", "d.parquet", "--variables", "age:x", "--time-limit", 1),
        ("hierarchy", "make", "d.parquet", "--column", "x", "--prefixes", "1", "-o", "o.csv"),
    ):
        code, _, err = call(*words)
        assert code in (0, 1, 2)
        assert "defect" not in err, (words, err)
        left = [path for path in tmp_path.iterdir() if path.name != "d.parquet"]
        assert code == 0 or not left, (words, left)
        for path in left:
            path.unlink()
