"""The tasks of a large microaggregation, one after the other by hand: records go round and come back as means."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.frames.datasets.dataset import Part
from discreet.instruments.large import grouping
from discreet.instruments.large.grouping import StoppedError, deal, group, publish, sample_name, summarize, watch
from discreet.instruments.large.setup import Setup
from discreet.scale.plan import grow, spread_of
from discreet.scale.spill import gather

N, K, CUT = 60, 3, 37
COLUMNS = ["x", "y"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A file in two parts, the plan of one round in at most three blocks, and the folders of the work."""
    random = np.random.default_rng(1)
    x, y = random.normal(size=N), random.integers(0, 9, N).astype(float)
    x[[5, 50]] = np.nan
    pq.write_table(pa.table({"x": pa.array(x, from_pandas=True), "y": y, "id": list(range(N))}), tmp_path / "a.parquet")
    sample = np.column_stack([np.nan_to_num(x), y, spread_of(np.arange(N))])
    tree = grow(sample, N, 30)
    setup = Setup(COLUMNS, ["f8", "f8"], K, "fast", 1, False, "suppress", [0.0, 0.0], [1.0, 2.0], [tree.to_dict()],
                  [0, CUT], N)  # fmt: skip
    setup.save(tmp_path)
    (tmp_path / "out").mkdir()
    return tmp_path


def parts(folder: Path) -> list[Part]:
    file = str(folder / "a.parquet")
    return [Part(file, (0, 1), 0, (CUT, N - CUT))]


def values(folder: Path) -> np.ndarray:
    table = pq.read_table(folder / "a.parquet")
    return np.column_stack([table[name].to_numpy().astype(float) for name in COLUMNS])


def test_a_part_is_summed_up_piece_by_piece(folder: Path) -> None:
    found = summarize(str(folder), parts(folder)[0], 0, COLUMNS, 1, 1.0)
    x = values(folder)
    kept = ~np.isnan(x).any(axis=1)
    assert found["faults"] == [] and found["rows"] == kept.sum() == 58 and found["gaps"] == [2, 0]
    for piece, rows in zip(found["pieces"], (slice(0, CUT), slice(CUT, N))):
        own = x[rows][kept[rows]]
        assert piece["n"] == len(own) and piece["low"] == own.min(axis=0).tolist()
        np.testing.assert_allclose(piece["mean"], own.mean(axis=0))
        np.testing.assert_allclose(piece["squares"], ((own - own.mean(axis=0)) ** 2).sum(axis=0))
    sample = np.load(folder / sample_name(0))
    np.testing.assert_array_equal(sample[:, :2], x[kept])
    np.testing.assert_array_equal(sample[:, 2], spread_of(np.flatnonzero(kept)))


def test_a_damaged_part_is_told_and_not_raised(folder: Path) -> None:
    (folder / "b.parquet").write_bytes(b"PAR1 nothing")
    found = summarize(str(folder), Part(str(folder / "b.parquet"), (0, 1), 0, (5,)), 0, COLUMNS, 1, 1.0)
    assert len(found["faults"]) == 1 and not (folder / sample_name(0)).exists()


def test_records_are_dealt_grouped_and_published_in_their_places(folder: Path) -> None:
    x = values(folder)
    kept = np.flatnonzero(~np.isnan(x).any(axis=1))
    counts = np.array(deal(str(folder), parts(folder)[0], 0)["counts"])
    assert counts.sum() == len(kept) and counts.shape[0] == 2 and counts.shape[1] >= 2
    results, held = [], []
    for block in np.flatnonzero(counts.sum(axis=0)).tolist():
        slices = [(grouping.dealt_name(piece), block) for piece in (0, 1)]
        batches = list(gather([(str(folder / name), number) for name, number in slices]))
        held += [place for batch in batches for place in batch.column(0).to_pylist()]
        results.append(group(str(folder), 0, block, slices, int(counts[:, block].sum())))
    assert sorted(held) == kept.tolist()
    fits = [all(one["fits"][j] for one in results) for j in range(2)]
    assert publish(str(folder), "a.parquet", parts(folder), 0, len(results), fits, ["id"])["rows"] == N
    out = pq.read_table(folder / "out" / "a.parquet")
    assert out.column_names == COLUMNS
    y = np.column_stack([out[name].to_numpy() for name in COLUMNS])
    assert np.isnan(y[[5, 50]]).all() and not np.isnan(y[kept]).any()
    error = np.zeros(2)
    sizes = []
    for mean in np.unique(y[kept], axis=0):
        rows = kept[(y[kept] == mean).all(axis=1)]
        sizes.append(len(rows))
        np.testing.assert_allclose(x[rows].mean(axis=0), mean, rtol=1e-12, atol=1e-12)
        error += ((x[rows] - mean) ** 2).sum(axis=0) / np.array([1.0, 4.0])
    assert min(sizes) >= K
    np.testing.assert_allclose(np.sum([one["sse"] for one in results], axis=0), error)
    told = np.zeros(2 * K, int)
    for one in results:
        told[: len(one["sizes"])] += np.array(one["sizes"][: 2 * K])
    assert told.tolist() == np.bincount(sizes, minlength=2 * K).tolist()


def test_fewer_than_two_groups_stay_together(folder: Path) -> None:
    counts = np.array(deal(str(folder), parts(folder)[0], 0)["counts"])
    block = int(counts[1].argmin())
    n = min(int(counts[1, block]), 2 * K - 1)
    setup = grouping.setup_of(str(folder))
    assert grouping._groups(setup, np.zeros((n, 2)), None, 0, 0).tolist() == [0] * n


def test_a_task_that_was_called_off_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    watch(None)
    monkeypatch.setattr("discreet.scale.stopping", lambda: True)
    with pytest.raises(StoppedError):
        watch(None)
