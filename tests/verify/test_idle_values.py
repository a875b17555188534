"""What a dictionary lists and no row has goes out with the file: news is refused, whoever accepts the column."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet as dc
from discreet.verify.file import File

TOWNS = ["A", "B", "C"]
CALL = {"k": 4, "quasi_identifiers": ["x"], "guarantee": "microaggregation"}


@pytest.fixture
def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 500, 60)
    original = pd.DataFrame({"x": x, "town": rng.choice(TOWNS, 60)})
    return original, dc.microaggregate(original, k=4, columns=["x"], random_state=0).data


def listing(frame: pd.DataFrame, *more: str) -> pd.DataFrame:
    return frame.assign(town=pd.Categorical(frame["town"], categories=[*TOWNS, *more]))


@pytest.mark.parametrize("accept", [(), ("town",)])
def test_a_value_that_stands_nowhere_is_refused(
    tables: tuple[pd.DataFrame, pd.DataFrame], accept: tuple[str, ...], tmp_path: Path
) -> None:
    original, published = tables
    written = tmp_path / "p.parquet"
    pq.write_table(pa.Table.from_pandas(listing(published, "Ann is ill"), preserve_index=False), written)
    for forged in (listing(published, "Ann is ill"), written):
        verdict = dc.verify(original, forged, accept=accept, **CALL)
        assert verdict.outcome == "unsafe"
        assert any("dictionary of column town lists values" in failure for failure in verdict.failures)
        assert "Ann" not in verdict.summary()
    for honest in (published, listing(published), listing(published).assign(x=published["x"].astype("category"))):
        assert dc.verify(original, honest, accept=accept, **CALL).safe


def test_what_the_original_lists_is_a_limit(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    original, published = tables
    words = "list values of the original that stand in no published row"
    verdict = dc.verify(listing(original, "D"), listing(published, "D"), **CALL)
    assert verdict.safe and any(words in limit for limit in verdict.limits)
    text = File(data=original.to_csv(index=False).encode())
    assert dc.verify(text, listing(published, "D"), **CALL).outcome == "unsafe"
    assert not any(words in limit for limit in dc.verify(text, listing(published), **CALL).limits)


def test_values_are_looked_for_in_every_chunk(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    original, published = tables
    whole = pa.Table.from_pandas(published, preserve_index=False)
    towns = whole.column("town").to_pylist()
    parts = [pa.array(towns[:30]).dictionary_encode(), pa.array([*towns[30:], "Z"]).dictionary_encode()[:30]]
    chunked = whole.set_column(whole.column_names.index("town"), "town", pa.chunked_array(parts))
    assert dc.verify(original, chunked, **CALL).outcome == "unsafe"
    gaps = [None, *towns[1:]]
    some = whole.set_column(whole.column_names.index("town"), "town", pa.array(gaps).dictionary_encode())
    assert dc.verify(original.assign(town=gaps), some, **CALL).safe
