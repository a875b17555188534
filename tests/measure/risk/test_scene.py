"""The arrays that the intruder compares: both directions of the truth, ends and variances, sets and who covers."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measure.risk.scene import identity, ranked, set_scene, truth_of
from discreet.measure.utility.columns import Categories, Numbers, plain_categories, plain_numbers


def test_both_directions_of_the_truth() -> None:
    truth = truth_of(np.array([[2, 0], [0, 2], [-1, 1]]), 4)
    assert truth.records.tolist() == [[1, 0], [-1, 2], [0, 1], [-1, -1]]
    for person, rows in enumerate(truth.records.tolist()):
        for draw, row in enumerate(rows):
            assert row < 0 or truth.persons[row, draw] == person
    assert identity(2).records.tolist() == [[0], [1]]


def test_numbers_have_ends_a_middle_and_a_variance() -> None:
    x = plain_numbers(np.array([0.0, 4.0, np.nan]))
    y = Numbers(np.array([0.0, -np.inf, np.nan]), np.array([2.0, np.inf, np.nan]))
    scene = set_scene([x], [y], identity(3))
    records = scene.records
    assert records.low[:, 0].tolist() == [0, -np.inf, -np.inf]
    assert records.place[:, 0].tolist() == [1, 2, 2]  # what may be anything is as wide as the original
    assert records.spread[:, 0] == pytest.approx([4 / 12, 16 / 12, 16 / 12])
    assert scene.scales.number_covers.tolist() == [True]
    assert scene.scales.number == pytest.approx([1 / 8])
    filled = set_scene([x], [plain_numbers(np.array([0.0, 4.0, 1.0]))], identity(3))
    assert filled.scales.number_covers.tolist() == [False]  # a missing number is covered by a blank only


def test_sets_are_bits_and_singles_are_themselves() -> None:
    x = plain_categories(np.array([0, 1, -1]), 2)
    y = Categories(np.array([0, 1, -1]), np.array([0, 1, 4]), np.array([0, -1, 1, 2]), 2, True)
    scene = set_scene([x], [y], identity(3))
    assert scene.persons.code[:, 0].tolist() == [1, 2, 0]  # 0 is missing
    cells = scene.cells
    assert cells.single.tolist() == [1, -1, -2]
    assert int(cells.bits[cells.row[1], 0]) == 0b101  # missing and 1; what the original does not have is nobody's
    assert cells.miss == pytest.approx([0, 2 / 3, 2 / 3])
    assert scene.scales.category_covers.tolist() == [True]
    assert scene.scales.category == pytest.approx([2 / (1 - 3 / 9)])


def test_ranks_replace_what_is_not_covered_only() -> None:
    x, y = np.array([1.0, 100.0, 10.0]), np.array([0.0, 5.0, 7.0])
    wide = Numbers(x - 1, x + 1)
    before = set_scene([plain_numbers(x), plain_numbers(x)], [plain_numbers(y), wide], identity(3))
    after = ranked(before)
    assert after.persons.place[:, 0] == pytest.approx([1 / 6, 5 / 6, 3 / 6])
    assert after.records.place[:, 0] == pytest.approx([1 / 6, 3 / 6, 5 / 6])
    assert after.persons.place[:, 1].tolist() == x.tolist()
    assert (after.persons.value == before.persons.value).all()
