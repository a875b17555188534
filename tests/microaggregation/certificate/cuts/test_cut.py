"""Cuts: what they charge a group, group by group and by their index; no partition violates one."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import all_groups, padded
from oracles.microaggregation import partitions

from discreet.microaggregation.certificate.cuts.cut import Cut, coefficients, index_cuts, penalties_of


def random_cuts(random: np.random.Generator, n: int, count: int) -> list[Cut]:
    found = []
    for _ in range(count):
        records = np.sort(random.choice(n, int(random.integers(3, n)), replace=False)).tolist()
        divisor = int(random.integers(2, 6))
        found.append(Cut(tuple(records), tuple(random.integers(1, divisor, len(records)).tolist()), divisor))
    return [Cut((0, 1, 3), (1, 1, 1), 2), *found]


def counted(cut: Cut, group: tuple[int, ...]) -> int:
    share = dict(zip(cut.records, cut.numerators))
    return sum(share.get(v, 0) for v in group) // cut.divisor


@pytest.mark.parametrize("seed", range(5))
def test_sparse_rows_hold_what_each_group_is_charged(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = 8
    cuts, groups = random_cuts(random, n, 30), all_groups(n, 2)
    sizes = np.array([len(group) for group in groups], np.int32)
    start, index, value = coefficients(padded(groups, 3), sizes, index_cuts(cuts, n))
    dense = np.zeros((len(groups), len(cuts)))
    for g in range(len(groups)):
        dense[g, index[start[g] : start[g + 1]]] = value[start[g] : start[g + 1]]
    assert dense.tolist() == [[counted(cut, group) for cut in cuts] for group in groups]
    assert (value > 0).all()


def test_rows_beyond_the_first_capacity_are_kept() -> None:
    cuts = [Cut((0, 1), (1, 1), 2)] * 60
    groups = [(0, 1)] * 40
    start, index, value = coefficients(padded(groups, 2), np.full(40, 2, np.int32), index_cuts(cuts, 2))
    assert start.tolist() == list(range(0, 2401, 60)) and (value == 1.0).all()
    assert sorted(index[:60].tolist()) == list(range(60)) and index.size == 2400


@pytest.mark.parametrize("seed", range(3))
def test_no_partition_violates_a_cut(seed: int) -> None:
    for cut in random_cuts(np.random.default_rng(seed), 7, 10):
        most = max(sum(counted(cut, tuple(group)) for group in found) for found in partitions(list(range(7)), 2))
        assert most <= cut.rhs == sum(cut.numerators) // cut.divisor


def test_penalties_leave_out_cuts_without_weight_and_part_triples_from_the_rest() -> None:
    cuts = [Cut((2, 3, 4), (1, 1, 1), 2), Cut((0, 1, 2), (1, 1, 1), 2), Cut((0, 1, 2), (1, 2, 1), 3)]
    found = penalties_of(cuts, np.array([0.0, 0.5, 0.25]), 5)
    assert found[0].tolist() == [[0, 1, 2]] and found[1].tolist() == [0.5]
    assert found[2].tolist() == [0, 1, 2, 3, 3, 3] and found[3].tolist() == [0, 0, 0]
    assert found[4].tolist() == [3] and found[5].tolist() == [0.25] and found[8].tolist() == [1, 2, 1]
    assert [cut.is_triple for cut in cuts] == [True, True, False]
    assert not Cut((0, 1, 2), (1, 1, 1), 3).is_triple
