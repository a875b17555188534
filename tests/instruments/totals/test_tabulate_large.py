"""Tables of files of any size are those that are made in memory, to the last unit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc

NAMES = ['a"; DROP TABLE rows; --', "b'c"]


def records(seed: int, n: int = 60, kind: str = "float") -> pa.Table:
    rng = np.random.default_rng(seed)
    value = rng.integers(-30, 400, n) / 4
    values = {
        "float": pa.array(value),
        "whole": pa.array(rng.integers(-5, 90, n)),
        "decimal": pa.array([f"{v:.3f}" for v in value]).cast(pa.decimal128(12, 3)),
        "text": pa.array([f"{v:.2f}" for v in value]),
        "narrow": pa.array(value.astype(np.float32)),
    }
    firm = [None if one == 0 else f"f{one}" for one in rng.integers(0, 6, n).tolist()]
    return pa.table(
        {
            NAMES[0]: rng.choice(["x", "y", "it's"], n),
            NAMES[1]: rng.integers(1, 4, n),
            "value": values[kind],
            "w": rng.integers(0, 30, n) / 10,
            "firm": firm,
        }
    )


def in_parts(table: pa.Table, folder: Path) -> Path:
    place = folder / "it's; a folder"
    place.mkdir(exist_ok=True)
    for part in range(3):
        step = -(-table.num_rows // 3)
        pq.write_table(table.slice(part * step, step), place / f"{part}'.parquet")
    return place


def assert_same(one: Any, other: Any) -> None:
    a, b = one.table, other.table
    assert one.n == other.n and a.decimals == b.decimals and a.count_decimals == b.count_decimals
    assert a.is_of(b)
    assert (a.problem.cells.status == b.problem.cells.status).all()
    np.testing.assert_array_equal(a.counts, b.counts)
    for mine, theirs in zip(a.contributors[:4], b.contributors[:4]):
        np.testing.assert_array_equal(mine, theirs)
    mine, theirs = a.contributors.who, b.contributors.who  # numbers of holdings, which may be others
    assert (mine is None) == (theirs is None)
    if mine is not None:
        np.testing.assert_array_equal(mine > 0, theirs > 0)


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from([None, "value"]),
    st.sampled_from([None, "w"]),
    st.sampled_from([None, "firm"]),
    st.sampled_from(["float", "whole", "decimal", "text", "narrow"]),
)
def test_the_table_is_the_one_in_memory(
    tmp_path_factory: pytest.TempPathFactory, seed: int, value: Any, weight: Any, holding: Any, kind: str
) -> None:
    table = records(seed, kind=kind)
    asked = {"value": value, "weight": weight, "holding": holding, "rules": ["frequency=3"]}
    whole = dc.tabulate(table, NAMES, **asked)
    folder = in_parts(table, tmp_path_factory.mktemp("parts"))
    assert_same(dc.tabulate(str(folder), NAMES, **asked, memory="300MB"), whole)


def test_hierarchies_linked_tables_and_csv(tmp_path: Path) -> None:
    table = records(3)
    asked = {"value": "value", "hierarchies": {NAMES[0]: [("x", "G"), ("y", "G"), ("it's", "K")]}}
    whole = dc.tabulate(table, [[NAMES[0]], NAMES], **asked)
    assert_same(dc.tabulate(dc.dataset(in_parts(table, tmp_path)), [[NAMES[0]], NAMES], **asked), whole)
    pyarrow.csv.write_csv(table, tmp_path / "it's.csv")
    assert_same(dc.tabulate(tmp_path / "it's.csv", [[NAMES[0]], NAMES], **asked), whole)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (NAMES[0], [None, *["x"] * 5]),
        ("value", [None, *[1.0] * 5]),
        ("value", [float("nan"), *[1.0] * 5]),
        ("value", [1e300, *[1.0] * 5]),
        ("value", ["one", *["1"] * 5]),
        ("w", [-1.0, *[1.0] * 5]),
    ],
)
def test_what_cannot_be_counted_is_an_error_there_too(tmp_path: Path, column: str, values: list[Any]) -> None:
    table = records(1, n=6)
    table = table.set_column(table.column_names.index(column), column, pa.array(values))
    for data in (table, str(in_parts(table, tmp_path))):
        with pytest.raises(dc.InputError) as error:
            dc.tabulate(data, NAMES, value="value", weight="w")
        assert "one" not in str(error.value).split("column")[0]


def test_tables_of_counts(tmp_path: Path) -> None:
    table = records(5)
    table = table.append_column("kind", pa.array(["q", "p", "o"] * 20).dictionary_encode())
    names = [*NAMES, "kind"]
    folder = in_parts(table, tmp_path)
    count = pa.table({name: table.column(name) for name in names} | {"n": pa.array(range(60))})
    for found, whole in (
        (dc.Table.from_parquet(folder, names), dc.Table.from_frame(table, names)),
        (dc.Table.from_parquet(in_parts(count, tmp_path), names, count="n"), dc.Table.from_counts(count, "n", names)),
    ):
        assert found.categories == whole.categories
        np.testing.assert_array_equal(found.dense(), whole.dense())
    with pytest.raises(dc.InputError, match="no column 'q'"):
        dc.Table.from_parquet(folder, ["q"])
    with pytest.raises(dc.InputError, match="whole numbers"):
        dc.Table.from_parquet(in_parts(records(5), tmp_path), NAMES, count="w")
