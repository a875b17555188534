"""Cuts on few records: they hold for every partition, and what is found is violated."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from oracles.certificate import padded, whole_master

from discreet.microaggregation.certificate.cuts.cut import Cut, coefficients, index_cuts
from discreet.microaggregation.certificate.cuts.rank_one import (
    PATTERNS,
    separate_rank_one,
    separate_triples,
    support_of,
)


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
