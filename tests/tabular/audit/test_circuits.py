"""Small moves of +1 and -1: what is found is a witness of the wanted size, and cycles and cubes are found."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import product_rows, random_problem, summed

from discreet.tabular.audit.circuits import circuit, graph, scratch
from discreet.tabular.audit.moves import holds
from discreet.tabular.audit.neighborhood import near
from discreet.tabular.audit.system import components, hidden_system
from discreet.tabular.problem import PRIMARY, Cells, Problem, Relations


@given(st.integers(0, 2**32))
def test_a_circuit_is_a_move_of_the_wanted_size(seed: int) -> None:
    for part in components(hidden_system(random_problem(np.random.default_rng(seed)))):
        known, work = graph(part), scratch(part)
        for column in range(part.n):
            for sign in (1, -1):
                for step in (1, 2):
                    if (part.high[column] if sign > 0 else -part.low[column]) < step:
                        continue
                    found = circuit(known, work, column, sign, step)
                    # The search leaves nothing behind, whatever it found.
                    assert not work.used.any() and not work.balance.any()
                    if found is not None:
                        assert holds(part, found) and sign * found[column] >= step


@pytest.mark.parametrize("dimensions", [2, 3])
def test_cycles_and_cubes_are_found(dimensions: int) -> None:
    trees = [[-1, 0, 0, 0]] * dimensions
    value = summed(np.full((3,) * dimensions, 5), trees)
    hidden = np.zeros(value.shape, np.bool_)
    hidden[np.ix_(*[[1, 3]] * dimensions)] = True
    rows = product_rows(value.shape, trees)
    entries = [entry for row in rows for entry in row]
    flat, nothing = value.ravel(), np.zeros(value.size, np.int64)
    status = np.where(hidden.ravel(), PRIMARY, 2).astype(np.int8)
    start = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    cell, sign = (np.array([entry[k] for entry in entries]) for k in (0, 1))
    relations = Relations(start, cell, sign.astype(np.int8), np.zeros(len(rows), np.int64))
    problem = Problem(Cells(flat, nothing, flat + 7, nothing, status, nothing, nothing, nothing), relations)
    (part,) = components(hidden_system(problem))
    found = circuit(graph(part), scratch(part), 0, 1, 4)
    assert found is not None
    assert np.abs(found).tolist() == [5] * 2**dimensions, "as far as the boxes allow"
    assert near(graph(part), 0, 100).tolist() == list(range(2**dimensions))
