from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.households import random_households, row_cost

from discreet.generalization.households.exchange import Effort, Given, Sets, exchange, improve, set_costs
from discreet.generalization.households.slots import persons_of, slot_codes, slot_domain
from discreet.scale import workers
from discreet.work import Deadline, Reporter


def _start(size: int, count: int, k: int, seed: int) -> tuple:
    members, shared, unit = random_households([size] * count, seed)
    persons = persons_of(members, shared, "distinct")
    placed = np.argsort(unit, kind="stable").reshape(count, size)
    return [*members, *shared], persons, slot_domain(persons, placed), placed


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 3), st.integers(0, 10**6), st.booleans())
def test_one_exchange_is_the_best_of_all(size: int, seed: int, classes: bool) -> None:
    """Three sets give up one household each: over all ways to hand these out, in all orders, none costs less."""
    attributes, persons, households, placed = _start(size, 6, 2, seed)
    ids = np.array([[0, 1], [2, 3], [4, 5]])
    slot = np.array([1, 1, 1])
    given = Given(ids, slot_codes(persons, placed[ids]), np.full(3, 2), np.zeros((3, 2), np.int32), np.array([0, 3]))
    giver, order, _ = exchange(households.tables, given, slot, size, len(persons.members), classes)
    assert sorted(giver.tolist()) == [0, 1, 2]

    def cost(own: int, people: np.ndarray) -> float:
        return sum(row_cost(attributes, pair) for pair in zip(placed[own].tolist(), people.tolist()))

    found = sum(cost(ids[r, 0], placed[ids[giver[r], 1]][order[r]]) for r in range(3))
    best = min(
        sum(
            min(cost(ids[r, 0], placed[ids[h, 1]][list(o)]) for o in itertools.permutations(range(size)))
            for r, h in enumerate(hands)
        )
        for hands in itertools.permutations(range(3))
    )
    assert found == pytest.approx(best, abs=1e-4)


@pytest.mark.parametrize("classes", [False, True])
@settings(max_examples=8, deadline=None)
@given(size=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_rounds_never_raise_the_loss_and_keep_the_sets_regular(classes: bool, size: int, seed: int) -> None:
    k, count = 3, 12
    _, persons, households, placed = _start(size, count, k, seed)
    if classes:
        ids = np.arange(count).reshape(-1, k)
    else:
        ids = (np.arange(count)[:, None] + np.arange(k)) % count
    sets = Sets(ids.copy(), placed[ids], np.full(len(ids), k))
    before = set_costs(persons, households.tables, sets).sum()
    with workers(None) as pool:
        done = improve(
            persons,
            households.tables,
            sets,
            Effort(6, seed, pool, Deadline(None), Reporter(None)),
            classes=classes,
        )
    assert done == 6
    assert set_costs(persons, households.tables, sets).sum() <= before + 1e-4
    assert (np.bincount(sets.households.ravel()) == ids.size // count).all()
    assert all(len(set(row)) == k for row in sets.households.tolist())
    assert (np.sort(sets.placed, axis=2) == np.sort(placed[sets.households], axis=2)).all()
    if not classes:
        assert (sets.households[:, 0] == np.arange(count)).all()
        assert (sets.placed[:, 0] == placed).all()


def test_long_households_and_a_passed_deadline_leave_all_as_it_is() -> None:
    for size, deadline in ((9, Deadline(None)), (2, Deadline(0))):
        _, persons, households, placed = _start(size, 6, 2, 1)
        ids = (np.arange(6)[:, None] + np.arange(2)) % 6
        sets = Sets(ids.copy(), placed[ids], np.full(6, 2))
        with workers(None) as pool:
            assert improve(persons, households.tables, sets, Effort(3, 1, pool, deadline, Reporter(None))) == 0
        assert (sets.households == ids).all()
