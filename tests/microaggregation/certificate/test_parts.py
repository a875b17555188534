"""The parts of column generation: master, cuts, rounding, and the pieces of the paper by name."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from oracles.certificate import all_groups, optimum, random_points, reduced_costs

from discreet.microaggregation.certificate import column_generation
from discreet.microaggregation.certificate.columns import Columns, groups_of, labels_of, normalized
from discreet.microaggregation.certificate.compact import solve_compact
from discreet.microaggregation.certificate.cuts import (
    PATTERNS,
    coefficients,
    index_cuts,
    separate_rank_one,
    separate_triples,
    support_of,
)
from discreet.microaggregation.certificate.interior import solve_master
from discreet.microaggregation.certificate.rounding import rounding_mst, simple_rounding
from discreet.microaggregation.certificate.seed_pricing import (
    complete_enumeration,
    exact_pricing,
    heuristic_pricing,
    pricing_problem,
    reduced_cost,
    routine,
)
from discreet.microaggregation.certificate.space import group_costs, measure
from discreet.microaggregation.certificate.standing import Cut
from discreet.microaggregation.problem import check_partition, renumber, sse
from discreet.solvers.master_lp import MasterLP


def padded(groups: list[tuple[int, ...]], width: int) -> np.ndarray:
    rows = np.full((len(groups), width), -1, np.int32)
    for g, group in enumerate(groups):
        rows[g, : len(group)] = group
    return rows


def whole_master(
    points: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, np.ndarray, np.ndarray]:
    """The linear relaxation over all groups, by the simplex method."""
    n = len(points)
    members = padded(all_groups(n, k), 2 * k - 1)
    sizes = (members >= 0).sum(axis=1).astype(np.int32)
    costs = group_costs(measure(points, k).distance, members, sizes)
    lp = MasterLP(np.ones(n), np.ones(n))
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    lp.add_columns(costs, start, members[members >= 0], np.ones(int(sizes.sum())))
    solution = lp.solve()
    assert solution.solved
    return members, sizes, costs, solution.value, solution.duals, solution.x


def test_columns_are_kept_once_with_their_cost() -> None:
    points = np.random.default_rng(0).standard_normal((12, 3))
    columns = Columns(measure(points, 3), 5)
    assert list(columns.add(np.array([[3, 1, 2, -1, -1], [0, 4, 5, 6, -1]], np.int32), np.array([3, 4], np.int32))) == [
        0,
        1,
    ]
    assert list(columns.add(np.array([[2, 3, 1]], np.int32), np.array([3], np.int32))) == []
    assert columns.members[0].tolist() == [1, 2, 3, -1, -1]
    assert columns.costs[0] == pytest.approx(np.square(points[1:4] - points[1:4].mean(axis=0)).sum())
    labels = renumber(np.array([0, 1, 2] * 4))
    members, sizes = groups_of(labels, 5)
    assert sizes.tolist() == [4, 4, 4]
    assert np.array_equal(renumber(labels_of(members, 12)), labels)
    assert columns.add_partition(labels).size == 3
    assert len(columns.rows_of(labels)) == 3
    assert normalized(np.array([[5, -1, 2]], np.int32), 4).tolist() == [[2, 5, -1, -1]]


@pytest.mark.parametrize("sparse", [False, True])
def test_interior_and_simplex_agree(sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.microaggregation.certificate import interior

    if sparse:
        monkeypatch.setattr(interior, "DENSE", 0)
    for seed in range(5):
        points = np.random.default_rng(seed).standard_normal((10, 2))
        members, sizes, costs, value, _, _ = whole_master(points, 2)
        box = np.full(10, 100.0)
        found = solve_master(members, sizes, costs, box, box, tolerance=1e-7)
        assert found.value == pytest.approx(value, rel=1e-4)
        assert found.multipliers.sum() == pytest.approx(value, rel=1e-3)


def test_cuts_hold_for_every_partition() -> None:
    """No partition of 7 records into groups of 2 and 3 violates any pattern, in any permutation."""
    for size, patterns in PATTERNS.items():
        for numerators, divisor in patterns:
            kept = tuple(a for a in numerators if a)
            cut = Cut(tuple(range(len(kept))), kept, divisor)
            for a, b in combinations(range(7), 2):
                rest = [v for v in range(7) if v not in (a, b)]
                for c, d in combinations(rest, 2):
                    last = [v for v in rest if v not in (c, d)]
                    members = padded([(a, b), (c, d), tuple(last)], 3)
                    _, _, value = coefficients(members, np.array([2, 2, 3], np.int32), index_cuts([cut], 7))
                    assert value.sum() <= cut.rhs, (size, numerators)


def test_separation_finds_the_odd_triangle() -> None:
    """Three half groups that pairwise share a record: the classical violated subset row."""
    members = padded([(0, 1, 3), (1, 2, 4), (0, 2, 5), (3, 4, 5)], 3)
    x = np.array([0.5, 0.5, 0.5, 0.5])
    support = support_of(members, np.full(4, 3, np.int32), x, 6)
    cuts = separate_triples(support, set(), 10, 0.01)
    assert Cut((0, 1, 2), (1, 1, 1), 2) in cuts
    assert not [cut for cut in separate_triples(support, set(cuts), 10, 0.01) if cut in cuts]


def test_separated_cuts_are_violated_as_stated() -> None:
    found = 0
    for seed in range(30):
        points = np.random.default_rng(seed).standard_normal((11, 2))
        members, sizes, _, _, _, x = whole_master(points, 3)
        support = support_of(members, sizes, x, 11)
        if not len(support.weight):
            continue
        for cut in separate_triples(support, set(), 50, 0.01) + separate_rank_one(support, set(), 50, 0.01):
            start, _, value = coefficients(members, sizes, index_cuts([cut], 11))
            activity = value @ x[np.repeat(np.arange(len(x)), np.diff(start))]
            assert activity > cut.rhs + 0.009
            found += 1
    assert found > 5


@pytest.mark.parametrize("seed", range(8))
def test_pricing_of_the_paper(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random_points(random, 9)
    distance = measure(points, 2).distance
    multipliers = random.random(9) * (distance.mean() + 0.1)
    for size in (2, 3, 4):
        groups = list(combinations(range(9), size))
        costs = reduced_costs(points, groups, multipliers, [], [])
        enumerated, modeled = (f(distance, multipliers, size) for f in (complete_enumeration, exact_pricing))
        if costs.min() >= -1e-6:
            assert enumerated is None or costs.min() < 0
            continue
        for group in (enumerated, modeled):
            assert group is not None
            assert reduced_cost(distance, multipliers, group) == pytest.approx(costs.min(), abs=1e-6)
        heuristic = heuristic_pricing(distance, multipliers, size)
        members = [v for group in heuristic for v in group]
        assert len(members) == len(set(members))
        assert all(reduced_cost(distance, multipliers, group) < 0 for group in heuristic)


def test_table_2() -> None:
    table = {n: [routine(n, size) for size in range(3, 10)] for n in (30, 40, 50, 100, 200)}
    assert table[30] == table[100] == ["CE"] * 4 + ["EP"] * 3
    assert table[200] == ["CE"] * 3 + ["EP"] * 4


def test_pricing_stops_at_the_first_size_that_yields() -> None:
    points = np.random.default_rng(3).standard_normal((12, 2))
    found = pricing_problem(measure(points, 3).distance, np.full(12, 5.0), 3)
    assert found
    assert {len(group) for group in found} == {3}
    assert pricing_problem(measure(points, 3).distance, np.zeros(12), 3) == []


def test_roundings_give_partitions() -> None:
    for seed in range(20):
        points = np.random.default_rng(seed).standard_normal((12, 2))
        members, _, _, _, _, x = whole_master(points, 3)
        simple = simple_rounding(points, 3, members, x)
        assert simple is not None
        check_partition(renumber(simple), 12, 3)
        for labels in rounding_mst(12, 3, members, x):
            check_partition(renumber(labels), 12, 3)


def test_simple_rounding_keeps_a_whole_solution() -> None:
    points = np.random.default_rng(1).standard_normal((9, 2))
    members = padded([(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 4, 8)], 5)
    labels = simple_rounding(points, 3, members, np.array([1.0, 1.0, 1.0, 0.0]))
    assert renumber(labels).tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert renumber(rounding_mst(9, 3, members, np.array([1.0, 1.0, 1.0, 0.0]))[0]).tolist() == [
        0,
        0,
        0,
        1,
        1,
        1,
        2,
        2,
        2,
    ]


@pytest.mark.parametrize("seed", range(5))
def test_the_papers_method_against_brute_force(seed: int) -> None:
    points = np.random.default_rng(seed).standard_normal((11, 2))
    best = optimum(points, 3)
    found = column_generation(points, 3)
    assert found.detail["priced_out"] == 1
    assert found.detail["master"] <= best * (1 + 1e-7)
    assert found.sse >= best * (1 - 1e-9)
    if found.status == "optimal":
        assert found.sse == pytest.approx(best)


@pytest.mark.parametrize("seed", range(3))
def test_the_compact_model_against_brute_force(seed: int) -> None:
    points = np.random.default_rng(seed).standard_normal((7, 2))
    assert sse(points, solve_compact(points, 2)) == pytest.approx(optimum(points, 2))
