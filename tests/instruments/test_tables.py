"""The public face of the table room."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import discreet as dc
from discreet.instruments.tables import METHODS


@pytest.fixture(scope="module")
def table() -> dc.Table:
    return dc.Table.from_counts(dc.datasets.autoworkers())


@pytest.fixture(scope="module")
def bounds(table: dc.Table) -> dc.Bounds:
    return dc.bounds(table.margins([("A", "B"), ("B", "C"), ("A", "C"), ("D", "E", "F")]))


def test_records_and_counts_make_the_same_table() -> None:
    frame = dc.datasets.survey(300, seed=2)[["sex", "education", "dwelling"]]
    counted = frame.value_counts().reset_index()
    one, two = dc.Table.from_frame(frame), dc.Table.from_counts(counted)
    assert one.names == two.names
    assert one.categories == two.categories
    assert np.array_equal(one.dense(), two.dense())
    three = dc.Table.from_frame(pl.from_pandas(frame))
    assert np.array_equal(one.dense(), three.dense())
    back = one.to_frame()
    assert isinstance(back, pd.DataFrame)
    assert np.array_equal(dc.Table.from_counts(back).dense(), one.dense())


def test_missing_categories_and_broken_counts_are_all_named() -> None:
    frame = pd.DataFrame({"a": ["x", None, "y"], "b": [1, 2, 2], "count": [1.5, -1, np.nan]})
    with pytest.raises(dc.InputError) as caught:
        dc.Table.from_counts(frame)
    assert len(caught.value.faults) >= 3


@pytest.mark.parametrize("method", [m for m in METHODS if m != "frechet"])
def test_every_method_contains_the_truth_and_claims_no_more_than_it_knows(table: dc.Table, method: str) -> None:
    small = table.margin(tuple("ABCE"))
    margins = small.margins([tuple(r) for r in ("AB", "BC", "AC", "CE")])
    exact, found = dc.bounds(margins), dc.bounds(margins, method=method)
    assert (found.lower <= exact.lower).all()
    assert (found.upper >= exact.upper).all()
    assert (found.lower == exact.lower)[found.lower_sharp].all()
    assert (found.upper == exact.upper)[found.upper_sharp].all()


def test_bad_calls_say_all_that_is_wrong(table: dc.Table) -> None:
    margins = table.margins([("A", "B"), ("B", "C"), ("A", "C")])
    with pytest.raises(dc.InputError, match="unknown method"):
        dc.bounds(margins, method="magic")
    with pytest.raises(dc.InputError, match="decomposable"):
        dc.bounds(margins, method="frechet")
    with pytest.raises(dc.InputError, match="give the released margins"):
        dc.bounds(table)  # type: ignore[arg-type]
    with pytest.raises(dc.InputError, match="distribution"):
        dc.simulate(margins, distribution="normal")
    with pytest.raises(dc.InputError, match="time_limit"):
        dc.bounds(margins, time_limit=-1)


def test_counts_that_are_estimated_say_so() -> None:
    margins = dc.Table.from_array(np.full((2, 2, 2), 5)).margins([("V1",), ("V2",), ("V3",)])
    exact = dc.count_tables(margins)
    assert exact.exact
    assert exact.value == 9801
    assert "counted" in exact.summary()
    rough = dc.count_tables(margins, work_limit=10, random_state=1)
    assert not rough.exact
    assert "estimated" in rough.summary()
    assert abs(rough.log10 - exact.log10) < 5 * rough.log10_error + 1e-9
