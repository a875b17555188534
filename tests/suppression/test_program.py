"""The program for free tuples, against trying every way to publish their records."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from oracles.suppression import least_classes
from suppression.cases import Case, case, is_solution, loads, owners

from discreet.suppression.program import Answer, reassign
from discreet.suppression.state import cost_of, first_records


def answer(given: Case, records: np.ndarray, free: np.ndarray, nodes: int = 1000) -> Answer:
    staying = np.where(np.isin(owners(given.patterns), free), 0, records)
    allowed = np.ones(given.patterns.cost.size, np.bool_)
    outside = loads(given.patterns, staying)
    return reassign(given.patterns, given.tuples.size, given.k, records, outside, allowed, free, nodes, np.inf)


def ways(given: Case, t: int) -> Iterator[list[int]]:
    """Every multiset of places that the records of a tuple can be at."""
    places = range(given.patterns.first[t], given.patterns.first[t + 1])
    for chosen in itertools.combinations_with_replacement(places, int(given.tuples.size[t])):
        yield list(chosen)


def cheapest(given: Case, records: np.ndarray, free: np.ndarray) -> int:
    least = cost_of(given.patterns, records)
    staying = np.where(np.isin(owners(given.patterns), free), 0, records)
    for chosen in itertools.product(*(list(ways(given, int(t))) for t in free)):
        tried = staying.copy()
        np.add.at(tried, list(itertools.chain(*chosen)), 1)
        cost = cost_of(given.patterns, tried)
        if cost < least and is_solution(given, tried):
            least = cost
    return least


@pytest.mark.parametrize("seed", range(20))
def test_all_tuples_free_is_the_whole_problem(seed: int) -> None:
    given = case(seed)
    records = first_records(given.tuples, given.patterns, given.k)
    found = answer(given, records, np.arange(given.tuples.size.size))
    after = records.copy()
    after[found.places] = found.records
    assert is_solution(given, after) and found.exhausted
    assert cost_of(given.patterns, after) == least_classes(given.codes, given.cost, given.k)
    assert found.saved == cost_of(given.patterns, records) - cost_of(given.patterns, after)


@pytest.mark.parametrize("seed", range(15))
def test_a_few_tuples_free(seed: int) -> None:
    given = case(seed, n=9, d=2)
    start = first_records(given.tuples, given.patterns, given.k)
    # From the best solution of all but two tuples, so that patterns of several kinds are in use.
    count = given.tuples.size.size
    rng = np.random.default_rng(seed)
    first = answer(given, start, np.sort(rng.permutation(count)[: max(1, count - 2)]))
    records = start.copy()
    records[first.places] = first.records
    free = np.sort(rng.permutation(count)[:3])
    found = answer(given, records, free)
    after = records.copy()
    after[found.places] = found.records
    moved = ~np.isin(owners(given.patterns), free)
    assert is_solution(given, after) and (after[moved] == records[moved]).all()
    assert cost_of(given.patterns, after) == cheapest(given, records, free)
