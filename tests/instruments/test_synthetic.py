"""Synthetic tables: they have the margins, are drawn as they should be, and say what the margins fix."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from oracles.tables import all_tables, factorial_weight, margin_of

import discreet as dc
from discreet.errors import InfeasibleError, InputError, UnsafeReleaseError
from discreet.instruments import synthetic
from discreet.instruments.synthetic import seed_of, simulate, whole_with_table
from discreet.tables.table import Table
from discreet.work import Deadline, Reporter

COUNTS = np.array([[3, 4, 5], [6, 2, 7]])
TABLE = Table.from_array(COUNTS)
MARGINS = TABLE.margins([("V1",), ("V2",)])


@pytest.mark.parametrize("distribution", ["uniform", "loglinear"])
def test_tables_have_the_margins_and_come_as_often_as_they_should(distribution: str) -> None:
    counts = np.array([[2, 1], [1, 2]])
    margins = Table.from_array(counts).margins([("V1",), ("V2",)])
    every = list(all_tables((2, 2), {(0,): margin_of(counts, (0,)), (1,): margin_of(counts, (1,))}))
    weights = np.array([1.0 if distribution == "uniform" else np.exp(factorial_weight(x)) for x in every])
    drawn = simulate(margins, size=1200, distribution=distribution, pinned="say", random_state=1)
    seen = Counter(tuple(table.dense().reshape(-1).tolist()) for table in drawn)
    assert set(seen) == {tuple(x.reshape(-1).tolist()) for x in every}
    for x, share in zip(every, weights / weights.sum()):
        assert abs(seen[tuple(x.reshape(-1).tolist())] / 1200 - share) < 5 * np.sqrt(share / 1200)
    assert drawn[0].tables == len(every)


def test_one_table_or_a_list_and_the_same_by_the_same_seed() -> None:
    one = simulate(MARGINS, random_state=4, pinned="say")
    again = simulate(MARGINS, random_state=4, pinned="say", size=1)
    assert isinstance(again, list) and np.array_equal(one.dense(), again[0].dense())
    others = {simulate(MARGINS, random_state=seed, pinned="say").dense().tobytes() for seed in range(6)}
    assert len(others) > 1
    assert one.result(MARGINS).verify().safe


def test_small_counts_that_margins_fix_are_refused_or_said() -> None:
    counts = np.array([[[1, 0], [0, 0]], [[0, 0], [30, 40]], [[0, 0], [50, 60]]])
    margins = Table.from_array(counts).margins([("V1", "V2"), ("V2", "V3")])
    with pytest.raises(UnsafeReleaseError, match="1 counts of 1 to 2 are fixed"):
        simulate(margins)
    told = simulate(margins, pinned="say")
    assert told.pinned.reshape(counts.shape)[0, 0, 0] and not told.undecided.any()
    assert told.unchanged() == [{"V1": "0", "V2": "0", "V3": "0", "count": 1}]
    assert told.notices() == [f"{told.pinned.sum()} of 12 cells could not be changed: the margins fix them (1 of them are not empty)"]  # fmt: skip # noqa: E501
    assert simulate(margins, sensitive=0).pinned.any(), "nothing is too small where nobody says so"


@pytest.mark.parametrize("pinned", ["refuse", "say"])
def test_the_original_itself_is_never_given(pinned: str) -> None:
    with pytest.raises(UnsafeReleaseError, match="determine every cell"):
        simulate(TABLE.margins([("V1", "V2")]), pinned=pinned)  # type: ignore[arg-type]


def test_what_could_not_be_ruled_out_is_refused() -> None:
    ends = np.zeros(6, np.int64), np.full(6, 9), np.full(6, 5), np.full(6, 5)
    with pytest.raises(UnsafeReleaseError, match="of 6 cells that may be so small"):
        synthetic._told(TABLE, None, ends, "refuse", 2)
    told = synthetic._told(TABLE, None, ends, "say", 2)
    assert told.undecided.all() and not told.pinned.any()
    assert told.notices() == ["of 6 cells it is not known whether the margins fix them"]


def test_a_walk_without_time_is_an_error_and_so_is_a_table_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(synthetic.Enumeration, "count", lambda *_: None)
    large = Table.from_array(np.arange(24).reshape(4, 6) + 5).margins([("V1",), ("V2",)])
    assert simulate(large, size=2, random_state=1)[0].total == 396
    with pytest.raises((InputError, InfeasibleError), match="time"):
        simulate(large, size=50, steps=10**9, time_limit=0.2)
    monkeypatch.setattr(synthetic, "WALK_LIMIT", 23)
    with pytest.raises(InputError, match="more than the 23 that can be walked"):
        whole_with_table(large, Deadline(None), Reporter(None))


def test_faults_come_at_once() -> None:
    with pytest.raises(InputError) as caught:
        simulate(MARGINS, distribution="hat", pinned="no", sensitive=-1, size=0, steps=0)  # type: ignore[arg-type]
    assert len(caught.value.faults) == 5
    for wrong in (-1, 1 << 62, "x", 1.5):
        with pytest.raises(InputError, match="random_state"):
            seed_of(wrong)  # type: ignore[arg-type]
    assert seed_of(None) == 0 and seed_of(np.int64(7)) == 7
    assert dc.simulate is simulate
