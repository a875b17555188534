"""Units behind the secret file: matchings that tear one, stray, or keep the order of its members."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.verify.units.behind import class_faults, joined, ordered_members, shared, unit_faults, unit_origins
from discreet.verify.units.unit import Units, grouped

HOMES = np.repeat(np.arange(4), 2)  # four households of two
BOTH = (grouped(HOMES), grouped(HOMES))


def turned(homes: int) -> np.ndarray:
    """The matching that takes every household to the one so many places on, member to member."""
    return (np.arange(8) + 2 * homes) % 8


def test_whole_units_matched_with_whole_units_are_faultless() -> None:
    assert unit_faults(np.stack([turned(0), turned(1), turned(2)], axis=1), BOTH, "household") == []


def test_a_torn_unit_is_counted() -> None:
    torn = turned(1)
    torn[[1, 3]] = torn[[3, 1]]
    (fault,) = unit_faults(np.stack([turned(0), torn], axis=1), BOTH, "household")
    assert fault.startswith("2 matches")


def test_a_unit_matched_twice_with_one_is_a_fault() -> None:
    swapped = turned(0).reshape(-1, 2)[:, ::-1].ravel()
    (fault,) = unit_faults(np.stack([turned(0), swapped], axis=1), BOTH, "household")
    assert fault.startswith("4 published units") and "twice" in fault


def test_a_unit_of_another_size_is_no_match() -> None:
    before = grouped(np.array([0, 0, 1, 1, 1, 2]))
    after = grouped(np.array([0, 0, 1, 2, 2, 2]))
    faults = unit_faults(np.array([[0], [1], [2], [3], [4], [5]]), (before, after), "household")
    assert faults and "whole one of its size" in faults[0]


def test_loose_rows_go_to_loose_rows() -> None:
    before, after = grouped(np.array([0, 0, -1])), grouped(np.array([0, 0, -1]))
    assert unit_faults(np.array([[0], [1], [2]]), (before, after), "household") == []
    faults = unit_faults(np.array([[0], [2], [1]]), (before, after), "household")
    assert any("1 rows without a household" in fault for fault in faults)


def test_components_are_joined_by_the_units_they_share() -> None:
    component = np.array([0, 0, 2, 2, 4, 5])
    assert joined(component, grouped(np.array([0, 1, 1, 2, 3, -1]))).tolist() == [0, 0, 0, 0, 4, 5]


def test_origins_of_units_are_places_among_heads() -> None:
    before = grouped(np.array([5, -1, 5, 7, 7]))  # heads: rows 0, 1 and 3
    after = grouped(np.array([-1, 0, 0, 1, 1]))
    assert unit_origins(np.array([1, 4, 3, 0, 2]), (before, after)).tolist() == [1, 2, 0]


@pytest.mark.parametrize("size", [2, 3])
def test_members_in_order_are_noticed(size: int) -> None:
    count = 400
    homes = grouped(np.repeat(np.arange(count), size))
    kept = np.arange(count * size)
    assert ordered_members(kept, (homes, homes))
    assert ordered_members(kept.reshape(count, size)[:, ::-1].ravel(), (homes, homes))
    drawn = np.random.default_rng(0).permuted(kept.reshape(count, size), axis=1).ravel()
    assert not ordered_members(drawn, (homes, homes))


def test_shared_counts_units_that_carry_the_same_classes() -> None:
    after = grouped(np.array([0, 0, 1, 1, 2, -1, -1]))
    assert shared(np.array([4, 5, 5, 4, 4, 6, 6]), after).tolist() == [2, 2, 2, 2, 1, 2, 2]


def test_classes_of_units_hold_k_units_each_of_one_origin() -> None:
    classes = np.array([0, 1, 0, 1, 2, 3, 2, 3])
    assert class_faults(np.arange(8), classes, BOTH, 2, "household") == []
    (few,) = class_faults(np.arange(8), classes, BOTH, 3, "household")
    assert few.startswith("8 rows")
    torn = class_faults(np.array([0, 2, 1, 3, 4, 5, 6, 7]), classes, BOTH, 2, "household")
    assert torn and torn[0].startswith("2 published units")


def test_no_units_at_all() -> None:
    none: Units = grouped(np.array([-1, -1]))
    assert unit_faults(np.array([[0], [1]]), (none, none), "household") == []
    assert class_faults(np.arange(2), np.zeros(2, np.int64), (none, none), 2, "household") == []
