"""Microaggregation in blocks: what comes out is a microaggregation of the very dataset, whatever did the work."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import discreet as dc
from tests.instruments.large.conftest import COLUMNS, make


def published(folder: Path) -> list[pa.Table]:
    return [pq.read_table(path) for path in sorted(folder.glob("*.parquet"))]


@pytest.mark.usefixtures("small_blocks")
def test_every_group_is_k_and_its_means_are_exact(big: Path, tmp_path: Path) -> None:
    result = dc.microaggregate(dc.dataset(big, output=tmp_path / "out"), k=4, columns=COLUMNS)
    before, after = pa.concat_tables(published(big)), pa.concat_tables(published(tmp_path / "out"))
    x = np.column_stack([before[name].to_numpy().astype(np.float64) for name in COLUMNS])
    y = np.column_stack([after[name].to_numpy() for name in COLUMNS])
    _, groups, sizes = np.unique(y, axis=0, return_inverse=True, return_counts=True)
    assert sizes.min() >= 4
    assert result.n == len(x) and result.groups == len(sizes)
    assert {int(s): int(c) for s, c in zip(*np.unique(sizes, return_counts=True))} == dict(result.counts)
    for group in range(len(sizes)):
        rows = groups.reshape(-1) == group
        np.testing.assert_allclose(y[rows][0], x[rows].mean(axis=0), rtol=1e-12, atol=1e-12)
    scaled = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    lost = ((scaled - (y - x.mean(axis=0)) / x.std(axis=0, ddof=1)) ** 2).sum()
    assert result.sse == pytest.approx(lost)
    assert result.information_loss == pytest.approx(100 * lost / (3 * (len(x) - 1)))
    assert result.detail["blocks"] > 5
    assert result.verify().safe


@pytest.mark.usefixtures("small_blocks")
def test_everything_else_is_as_it_was(big: Path, tmp_path: Path) -> None:
    dc.microaggregate(dc.dataset(big, output=tmp_path / "out"), k=3, columns=["x", "z"])
    for before, after in zip(published(big), published(tmp_path / "out"), strict=True):
        assert after.num_rows == before.num_rows
        assert after.schema.metadata == before.schema.metadata
        for field in before.schema:
            new = after.schema.field(field.name)
            assert new.metadata == field.metadata
            if field.name not in ("x", "z"):
                assert new == field
                assert after[field.name].to_pylist() == before[field.name].to_pylist()
    assert pq.ParquetFile(tmp_path / "out" / "part-1.parquet").metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.usefixtures("small_blocks")
def test_the_same_bits_from_any_number_of_threads(big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for threads in ("1", "2", "8"):
        monkeypatch.setenv("DISCREET_THREADS", threads)
        dc.microaggregate(dc.dataset(big, output=tmp_path / threads), k=5, columns=COLUMNS, random_state=7)
        found.append([path.read_bytes() for path in sorted((tmp_path / threads).glob("*"))])
    assert found[0] == found[1] == found[2]


def test_the_loss_is_that_of_memory(tmp_path: Path) -> None:
    folder = make(tmp_path / "data", sizes=(30_000, 30_000), group=10_000)
    large = dc.microaggregate(dc.dataset(folder, memory="50MB"), k=3, columns=COLUMNS)
    small = dc.microaggregate(pa.concat_tables(published(folder)), k=3, columns=COLUMNS)
    assert large.detail["blocks"] > 1
    assert large.information_loss < 1.01 * small.information_loss
    assert large.data.n == 60_000


@pytest.mark.usefixtures("small_blocks")
def test_records_with_gaps_are_blank_and_whole_numbers_stay_whole(tmp_path: Path) -> None:
    folder = make(tmp_path / "data")
    first = folder / "part-0.parquet"
    table = pq.read_table(first)
    gaps = pa.array(np.arange(len(table)) % 100 == 0)
    pq.write_table(table.set_column(1, table.schema.field("x"), pc.if_else(gaps, None, table["x"])), first)
    result = dc.microaggregate(
        dc.dataset(folder, output=tmp_path / "out"), k=3, columns=["x", "z"], missing="suppress", round=True
    )
    assert result.suppressed == 9
    after = pq.read_table(tmp_path / "out" / "part-0.parquet")
    assert after["x"].is_null().equals(pa.chunked_array([gaps])) and after["z"].is_null().equals(after["x"].is_null())
    assert after.schema.field("z").type == pa.int32()
    assert result.verify().safe


@pytest.mark.usefixtures("small_blocks")
def test_one_column_and_many_ties(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    values = np.where(np.arange(3000) % 3 == 0, np.arange(3000.0), 7.0)
    pq.write_table(pa.table({"x": values, "y": np.full(3000, 2)}), folder / "a.parquet")
    result = dc.microaggregate(dc.dataset(folder), k=3, columns=["x", "y"])
    assert result.method == "univariate"
    assert result.data.read()["y"].to_pylist() == [2] * 3000
    whole = dc.microaggregate(pq.read_table(folder / "a.parquet"), k=3, columns=["x", "y"])
    assert result.information_loss <= 1.01 * whole.information_loss
