"""Separation of modular cuts against all numerators, and its cuts against all partitions, on tiny instances."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from oracles.microaggregation import partitions
from oracles.modular import linked, most_violated, relaxed, violation

from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.cuts.modular import (
    DIVISORS,
    anneal_multipliers,
    separate_modular,
    system_of,
)
from discreet.microaggregation.certificate.cuts.rank_one import support_of

LEAST = 0.01


# Enough for the annealing to meet the largest violation of so few records.
STEPS = 3000


@cache
def fractional(seed: int) -> tuple[int, np.ndarray, np.ndarray]:
    """The seed'th fractional vertex: k, records by fractional groups, weights."""
    random = np.random.default_rng([seed, 17])
    while True:
        n = int(random.integers(5, 8))
        k = int(random.integers(2, n // 2 + 1))
        matrix, x = relaxed(random, n, k)
        split = (x > 1e-6) & (x < 1 - 1e-6)
        if split.any():
            return k, matrix[:, split], x[split]


def numerators(cut: Cut, n: int) -> list[int]:
    tops = dict(zip(cut.records, cut.numerators))
    return [tops.get(v, 0) for v in range(n)]


def separate(matrix: np.ndarray, x: np.ndarray, known: set[Cut], most: int, least: float) -> list[Cut]:
    sizes = matrix.sum(axis=0).astype(np.int32)
    members = np.full((len(sizes), sizes.max()), -1, np.int32)
    for row, column in zip(members, matrix.T):
        row[: column.sum()] = np.flatnonzero(column)
    return separate_modular(support_of(members, sizes, x, len(matrix)), known, most, least)


def found_by_row(matrix: np.ndarray, seeds: int, found: tuple[np.ndarray, np.ndarray]) -> dict[int, tuple]:
    rows = [i for i in range(seeds) if matrix[i].any()]
    assert len(rows) == len(found[0]) == len(found[1])
    return {i: (float(v), a.tolist()) for i, v, a in zip(rows, *found)}


@pytest.mark.parametrize("seed", range(40))
def test_every_cut_holds_for_every_partition_and_is_violated(seed: int) -> None:
    k, matrix, x = fractional(seed)
    n, ones = len(matrix), np.ones(len(matrix), int)
    cuts = separate(matrix, x, set(), 100, LEAST)
    assert cuts
    assert len(set(cuts)) == len(cuts)
    every = list(partitions(list(range(n)), k))
    for cut in cuts:
        a = numerators(cut, n)
        assert cut.divisor in DIVISORS
        assert all(0 < top < cut.divisor for top in cut.numerators)
        assert cut.rhs == sum(a) // cut.divisor
        assert violation(a, cut.divisor, matrix, x, ones) > LEAST
        for groups in every:
            assert sum(sum(a[v] for v in group) // cut.divisor for group in groups) <= cut.rhs
    values = [violation(numerators(cut, n), cut.divisor, matrix, x, ones) for cut in cuts]
    assert (np.diff(values) < 1e-9).all()
    assert np.bincount([v for cut in cuts for v in cut.records]).max() <= 4


@pytest.mark.parametrize("seed", range(40))
def test_the_first_cut_is_the_most_violated_of_all(seed: int) -> None:
    _, matrix, x = fractional(seed)
    n, ones = len(matrix), np.ones(len(matrix), int)
    exact = max(most_violated(i, b, matrix, x, ones) for i in range(n) if matrix[i].any() for b in DIVISORS)
    first = separate(matrix, x, set(), 1, LEAST)[0]
    assert violation(numerators(first, n), first.divisor, matrix, x, ones) == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize("seed", range(20))
def test_annealing_meets_the_largest_violation(seed: int, divisor: int) -> None:
    """From no record above it, and from some record at it, in each linked part; from most records so."""
    _, matrix, x = fractional(seed)
    n, ones = len(matrix), np.ones(len(matrix), int)
    system = system_of(matrix, x, ones, np.zeros(n))
    found = found_by_row(matrix, n, anneal_multipliers(system, n, divisor, STEPS, LEAST))
    part = {i: tuple(linked(matrix, i)) for i in found}
    exact = {rows: most_violated(rows[0], divisor, matrix, x, ones) for rows in set(part.values())}
    for i, (value, a) in found.items():
        assert value <= exact[part[i]] + 1e-7
        if value > 0:
            assert sum(a) % divisor == divisor - 1
            assert not set(np.flatnonzero(a)) - set(part[i])
            assert violation(a, divisor, matrix, x, ones) == pytest.approx(value, abs=1e-9)
    for rows, best in exact.items():
        reached = [found[i][0] for i in found if part[i] == rows]
        assert max(reached) == pytest.approx(best if best > LEAST else 0.0, abs=1e-6)
        assert np.mean(np.array(reached) > best - 1e-6) >= 0.5


@pytest.mark.parametrize("seed", range(20))
def test_rows_of_cuts_give_cuts_of_higher_rank(seed: int) -> None:
    """Cuts among the rows: other right sides, coefficients and slacks; what is found is valid and no more than true."""
    random = np.random.default_rng(seed)
    k, matrix, x = fractional(seed)
    n = len(matrix)
    groups = [np.flatnonzero(column) for column in matrix.T]
    rows, rhs = [*matrix], [1] * n
    tops = []
    while len(tops) < 2:
        divisor = int(random.integers(2, 4))
        top = random.integers(0, divisor, n)
        row = np.array([top[group].sum() // divisor for group in groups])
        # Only rows that x satisfies have a slack; a violated one would not be in a master that x solves.
        if row.any() and row @ x <= top.sum() // divisor + 1e-9:
            tops.append((top, divisor))
            rows.append(row)
            rhs.append(int(top.sum()) // divisor)
    whole, right = np.array(rows, np.int32), np.array(rhs)
    slack = np.maximum(right - whole @ x, 0.0)
    slack[:n] = 0.0
    system = system_of(whole, x, right, slack)
    for divisor in (2, 3):
        found = found_by_row(whole, n, anneal_multipliers(system, n, divisor, STEPS, LEAST))
        exact = {i: most_violated(i, divisor, whole, x, right) for i in found}
        for i, (value, a) in found.items():
            assert value <= exact[i] + 1e-6
            if value == 0:
                continue
            assert violation(a, divisor, whole, x, right) == pytest.approx(value, abs=1e-6)
            for partition in partitions(list(range(n)), k):
                left = 0
                for group in partition:
                    column = [int(v in group) for v in range(n)]
                    column += [int(top[group].sum()) // b for top, b in tops]
                    left += sum(p * q for p, q in zip(a, column)) // divisor
                assert left <= sum(p * q for p, q in zip(a, right)) // divisor
        assert max(v for v, _ in found.values()) == pytest.approx(max(exact.values()), abs=1e-6)


def test_known_cuts_and_the_number_asked_for() -> None:
    _, matrix, x = fractional(1)
    cuts = separate(matrix, x, set(), 100, LEAST)
    assert len(cuts) > 2
    assert separate(matrix, x, set(), 2, LEAST) == cuts[:2]
    assert not set(separate(matrix, x, {cuts[0]}, 100, LEAST)) & {cuts[0]}
    n, ones = len(matrix), np.ones(len(matrix), int)
    values = [violation(numerators(cut, n), cut.divisor, matrix, x, ones) for cut in cuts]
    between = 0.5 * (values[0] + values[-1])
    few = separate(matrix, x, set(), 100, between)
    assert few
    assert all(violation(numerators(cut, n), cut.divisor, matrix, x, ones) > between for cut in few)


def test_nothing_is_cut_off_between_partitions() -> None:
    """Half of one partition and half of another: every cut holds there, so that none may be found."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        n = int(random.integers(6, 9))
        every = list(partitions(list(range(n)), 2))
        columns: dict[tuple[int, ...], float] = {}
        for which in random.choice(len(every), 3, replace=False):
            for group in every[which]:
                columns[tuple(group)] = columns.get(tuple(group), 0.0) + 1 / 3
        matrix = np.array([[int(v in group) for group in columns] for v in range(n)])
        assert separate(matrix, np.array(list(columns.values())), set(), 100, 1e-6) == []


def test_modular_cuts_are_violated_and_hold_for_partitions() -> None:
    # Five records in a ring of pairs of half weight: an odd hole, cut by one half of all five rows.
    members = np.array([(i, (i + 1) % 5) for i in range(5)], np.int32)
    x = np.full(5, 0.5)
    cuts = separate_modular(support_of(members, np.full(5, 2, np.int32), x, 5), set(), 10, 0.01)
    assert cuts
    for cut in cuts:
        top = dict(zip(cut.records, cut.numerators))
        left = sum(w * (sum(top.get(int(v), 0) for v in row) // cut.divisor) for w, row in zip(x, members))
        assert left > cut.rhs + 0.01
        # No partition of the five records violates it.
        for groups in (*partitions(list(range(5)), 2), *partitions(list(range(5)), 3)):
            assert sum(sum(top.get(v, 0) for v in group) // cut.divisor for group in groups) <= cut.rhs
