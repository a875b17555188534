"""Every method at every size of count: compared in Python's integers, which neither round nor wrap around."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.tables import one_parameter_bounds, sharp_bounds, two_way_bounds

import discreet as dc
from discreet.instruments.tables import METHODS

SIZES = (2**31 + 1, 2**40 + 3, 2**53 + 9, 2**59 + 1)
LARGEST = 2**62


def bounded(table: dc.Table, releases: list[list[str]], method: str) -> dc.Bounds:
    return dc.bounds(table.margins(releases), method=method, time_limit=2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", SIZES)
@settings(max_examples=2, deadline=None)
@given(data=st.data())
def test_two_way_tables(method: str, size: int, data: st.DataObject) -> None:
    counts = np.array(data.draw(st.lists(st.integers(0, size), min_size=6, max_size=6)), np.int64).reshape(2, 3)
    counts[0, 0] = size
    bounds = bounded(dc.Table.from_array(counts), [["V1"], ["V2"]], method) if method != "reducible" else None
    if bounds is None:
        return
    truth = two_way_bounds([int(r) for r in counts.sum(axis=1)], [int(c) for c in counts.sum(axis=0)])
    for place in np.ndindex(2, 3):
        low, high = truth[place[0]][place[1]]
        assert bounds.whole[0][place] <= low
        assert high <= bounds.whole[1][place]
        if method in ("auto", "exact", "frechet") or bounds.sharp[place]:
            assert (bounds.whole[0][place], bounds.whole[1][place]) == (low, high)
    assert bounds.verify().outcome != "unsafe"


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("frechet", "reducible")])
@pytest.mark.parametrize("size", SIZES)
@settings(max_examples=2, deadline=None)
@given(data=st.data())
def test_one_degree_of_freedom(method: str, size: int, data: st.DataObject) -> None:
    counts = np.array(data.draw(st.lists(st.integers(0, size // 4), min_size=8, max_size=8)), np.int64).reshape(2, 2, 2)
    counts[0, 1, 0] = size // 2
    bounds = bounded(dc.Table.from_array(counts), [["V1", "V2"], ["V1", "V3"], ["V2", "V3"]], method)
    for place, (low, high) in zip(np.ndindex(2, 2, 2), one_parameter_bounds(counts)):
        assert bounds.whole[0][place] <= low
        assert high <= bounds.whole[1][place]
        if bounds.sharp[place]:
            assert (bounds.whole[0][place], bounds.whole[1][place]) == (low, high)
    verdict = bounds.verify()
    assert verdict.outcome != "unsafe", verdict.summary()


@pytest.mark.parametrize("factor", [1, 2**31 - 1, 2**57 + 1])
@pytest.mark.parametrize("seed", range(2))
def test_multiples_of_small_tables_are_never_cut_off(seed: int, factor: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 3, (2, 3, 2))
    releases = [["V1", "V2"], ["V2", "V3"], ["V1", "V3"]]
    small = sharp_bounds(counts.shape, dict(dc.Table.from_array(counts).margins(releases).values))
    assert small is not None
    for method in METHODS:
        if method in ("frechet", "reducible"):
            continue
        bounds = bounded(dc.Table.from_array(counts * factor), releases, method)
        for place in np.ndindex(*counts.shape):
            assert bounds.whole[0][place] <= int(small[0][place]) * factor
            assert int(small[1][place]) * factor <= bounds.whole[1][place]


def test_the_linear_program_does_not_fall_short_of_a_count() -> None:
    counts = np.array([[[539671665, 3], [1, 7]], [[2, 9], [11, 539671664]]])
    releases = [["V1", "V2"], ["V2", "V3"], ["V1", "V3"]]
    linear = bounded(dc.Table.from_array(counts), releases, "lp")
    assert (linear.upper >= counts).all()
    assert (linear.upper == np.rint(linear.upper)).all()
    assert [tuple(b) for b in zip(*(w.reshape(-1).tolist() for w in linear.whole))] == one_parameter_bounds(counts)


def test_beyond_the_largest_total_is_an_error() -> None:
    assert dc.Table.from_array([[LARGEST, 0], [0, 0]]).total == LARGEST
    for counts in (
        [[LARGEST + 1, 0], [0, 0]],
        [[LARGEST, 1], [0, 0]],
        np.full((2, 2), 2**61),
        np.array([[2**63, 0], [0, 0]], np.uint64),
        [[1e30, 0.0], [0.0, 0.0]],
    ):
        with pytest.raises(dc.InputError, match="2\\^62"):
            dc.Table.from_array(counts)


def test_the_largest_total_is_bounded_by_all() -> None:
    table = dc.Table.from_array(np.array([[LARGEST - 6, 1, 0], [2, 0, 3]]))
    for method in METHODS:
        if method == "reducible":
            continue
        bounds = bounded(table, [["V1"], ["V2"]], method)
        assert (bounds.whole[0] <= table.counts).all()
        assert (table.counts <= bounds.whole[1]).all()
        assert bounds.verify().outcome != "unsafe"


def test_large_tables_are_counted_or_estimated_and_drawn() -> None:
    table = dc.Table.from_array(np.array([[2**60, 3], [5, 2**60]]))
    margins = table.margins([["V1"], ["V2"]])
    assert dc.count_tables(margins, time_limit=5).log10 > 17
    drawn = dc.simulate(margins, random_state=1)
    assert np.array_equal(drawn.margin(["V1"]).counts, table.margin(["V1"]).counts)
    with pytest.raises(dc.InputError, match="uniform"):
        dc.simulate(margins, random_state=1, distribution="loglinear")
