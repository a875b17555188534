"""The search finds the cheapest pattern, says so with a proof that holds in fractions, and names what is impossible."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.tabular_suppress import cheapest, protects, proven_bound

from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Cells, Problem
from discreet.tabular.suppress import Conflict, Suppression, requirements_of, suppress
from discreet.work import Deadline, Reporter
from tests.tabular.suppress.conftest import flat_problem, problems

QUIET = Reporter(None)


def solved(problem: Problem, attackers: list[list[int]], limit: float | None = None) -> Suppression | Conflict | None:
    return suppress(problem, requirements_of(problem, attackers), Deadline(limit), QUIET)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems(), pick=st.integers(0, 11))
def test_the_cheapest_of_all_patterns_with_its_proof(problem: Problem, pick: int) -> None:
    attackers = [[pick % problem.cells.n]] if pick % 3 == 0 else []
    expected = cheapest(problem, attackers)
    found = solved(problem, attackers)
    if expected is None:
        assert isinstance(found, Conflict)
        return
    assert isinstance(found, Suppression)
    assert found.cost == expected
    assert found.status == "optimal"
    assert protects(problem, found.hidden, attackers)
    assert found.lower_bound == expected
    certificate = json.loads(json.dumps(found.certificate))
    assert proven_bound(problem, certificate, attackers) == expected


def table(rng: np.random.Generator, side: int, share: float) -> Problem:
    """A two-way table of counts in which the smallest cells are sensitive."""
    inner = rng.integers(1, 500, (side, side))
    value, relations = flat_problem(inner)
    place = np.arange((side + 1) ** 2).reshape(side + 1, side + 1)[:-1, :-1].ravel()
    small = place[np.argsort(inner.ravel(), kind="stable")[: int(share * side * side)]]
    status = np.full(value.size, FREE, np.int8)
    status[small] = PRIMARY
    level = np.where(status == PRIMARY, -(-value * 15 // 100), 0)
    zero = np.zeros_like(value)
    upper = np.full_like(value, 2 * value.max())
    return Problem(Cells(value, zero, upper, value, status, level, level, zero), relations)


def test_a_table_of_400_cells_is_proven() -> None:
    problem = table(np.random.default_rng(4), 20, 0.05)
    found = solved(problem, [])
    assert isinstance(found, Suppression)
    assert found.status == "optimal"
    assert proven_bound(problem, found.certificate) == found.cost
    again = solved(problem, [])
    assert isinstance(again, Suppression)
    assert np.array_equal(found.hidden, again.hidden)


def test_a_time_limit_leaves_a_bound_that_is_proven() -> None:
    problem = table(np.random.default_rng(5), 24, 0.04)
    full = solved(problem, [])
    assert isinstance(full, Suppression)

    class Counted(Deadline):
        """Passes after so many questions, so that the test does not depend on a clock."""

        asked = 0

        @property
        def passed(self) -> bool:
            self.asked += 1
            return self.asked > 900

    found = suppress(problem, requirements_of(problem), Counted(None), QUIET)
    assert isinstance(found, Suppression)
    assert found.lower_bound <= full.cost <= found.cost
    assert proven_bound(problem, found.certificate) == found.lower_bound


def test_nothing_to_hide_beside_what_must_be() -> None:
    value, relations = flat_problem(np.array([[5, 6], [7, 8]]))
    n = value.size
    status = np.array([PRIMARY, PRIMARY, FREE, PRIMARY, PRIMARY, FREE, FREE, FREE, FREE], np.int8)
    one = np.where(status == PRIMARY, 1, 0)
    zero = np.zeros(n, np.int64)
    found = solved(Problem(Cells(value, zero, value * 2, value, status, one, one, zero), relations), [])
    assert isinstance(found, Suppression)
    assert (found.cost, found.status, found.hidden.sum()) == (0, "optimal", 4)


@pytest.mark.parametrize("status", [SECONDARY, FIXED])
def test_cells_that_must_be_hidden_or_published_are(status: int) -> None:
    problem = table(np.random.default_rng(6), 8, 0.1)
    free = solved(problem, [])
    assert isinstance(free, Suppression)
    changed = problem.cells.status.copy()
    chosen = np.flatnonzero((free.hidden if status == FIXED else ~free.hidden) & (changed == FREE))[:2]
    changed[chosen] = status
    other = Problem(problem.cells._replace(status=changed), problem.relations)
    found = solved(other, [])
    assert isinstance(found, Suppression)
    assert found.hidden[chosen].all() == (status == SECONDARY)
    assert found.cost >= free.cost


def test_the_smallest_conflict_is_one_relation() -> None:
    value, relations = flat_problem(np.array([[5, 6, 3], [7, 8, 2], [1, 4, 9]]))
    status = np.full(value.size, FREE, np.int8)
    status[0] = PRIMARY
    status[[1, 2, 3]] = FIXED  # the rest of its row
    level = np.where(status == PRIMARY, 2, 0)
    zero = np.zeros(value.size, np.int64)
    found = solved(Problem(Cells(value, zero, value * 2, value, status, level, level, zero), relations), [])
    assert isinstance(found, Conflict)
    assert (found.cell, found.need, found.unmet, found.relations.tolist()) == (0, 2, 2, [0])
