"""What a dictionary lists and no row has is refused in files that do not fit as well."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from verify.large.streaming import outcome, streamed

import discreet as dc

N = 300
RNG = np.random.default_rng(0)
TOWNS = ["A", "B", "C"]


@pytest.fixture(scope="module")
def release() -> tuple[pa.Table, pa.Table]:
    data = pa.table({"a": RNG.normal(size=N), "town": RNG.choice(TOWNS, N)})
    return data, dc.microaggregate(data, k=4, columns=["a"], random_state=1).data


def listing(table: pa.Table, *more: str) -> pa.Table:
    words = table.column("town").to_pylist()
    values = [*TOWNS, *more]
    codes = pa.array([values.index(word) for word in words], pa.int32())
    at = table.column_names.index("town")
    return table.set_column(at, "town", pa.DictionaryArray.from_arrays(codes, pa.array(values)))


@pytest.mark.parametrize("guarantee", ["microaggregation", "classes"])
def test_what_stands_in_no_row(
    guarantee: str, release: tuple[pa.Table, pa.Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("discreet.verify.large.sample"), "MOST_PERSONS", 100)
    before, after = release
    claim = {"k": 4, "quasi_identifiers": ["a"], "guarantee": guarantee, "accept": ["town"]}
    assert outcome(streamed(before, listing(after), tmp_path, **claim)) == "safe"
    forged = streamed(before, listing(after, "Ann is ill"), tmp_path, **claim)
    assert forged.outcome == "unsafe" and any("lists values that stand in no row" in why for why in forged.failures)
    known = streamed(listing(before, "D"), listing(after, "D"), tmp_path, **claim)
    assert known.safe and any("stand in no published row" in limit for limit in known.limits)
    monkeypatch.setattr(import_module("discreet.verify.large.idle_values"), "MOST_ENTRIES", 2)
    assert streamed(before, listing(after), tmp_path, **claim).outcome == "cannot tell"
