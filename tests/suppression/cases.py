"""Small tables of keys at random, and what every solution over patterns must satisfy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.suppression.patterns import Patterns, patterns_of
from discreet.suppression.tuples import Tuples, tuples_of


class Case(NamedTuple):
    """A table, what blanks cost, k, and its tuples and patterns."""

    codes: np.ndarray
    cost: np.ndarray
    k: int
    tuples: Tuples
    patterns: Patterns


def case(seed: int, n: int = 8, d: int = 3, values: int = 3) -> Case:
    rng = np.random.default_rng(seed)
    codes, cost, k = rng.integers(0, values, (n, d)), rng.integers(1, 5, d), int(rng.integers(2, min(n, 4) + 1))
    tuples = tuples_of(codes)
    return Case(codes, cost, k, tuples, patterns_of(tuples, cost, k))


def owners(patterns: Patterns) -> np.ndarray:
    """The tuple of each place."""
    return np.repeat(np.arange(patterns.first.size - 1), np.diff(patterns.first))


def loads(patterns: Patterns, records: np.ndarray) -> np.ndarray:
    return np.bincount(patterns.pattern, records, patterns.cost.size).astype(np.int64)


def is_solution(given: Case, records: np.ndarray) -> bool:
    """All records of each tuple are somewhere, and every pattern is used by k or by none."""
    load = loads(given.patterns, records)
    placed = np.bincount(owners(given.patterns), records, given.tuples.size.size)
    return bool(
        (records >= 0).all() and ((load == 0) | (load >= given.k)).all() and (placed == given.tuples.size).all()
    )
