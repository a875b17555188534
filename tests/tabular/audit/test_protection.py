"""The fast check of levels: against a list of every table, and on a large flat table whose vertices are fractions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import product_rows, random_problem, short, summed, truth
from references import reference

from discreet.instruments.totals.additive import read_problem
from discreet.tabular.audit import protects
from discreet.tabular.audit.decide import LARGE
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY, Cells, Problem, Relations
from discreet.work import Deadline


@given(st.integers(0, 2**32))
def test_levels_are_decided_as_by_all_tables(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    ends = truth(problem)
    if ends is None:
        return
    wrong = short(problem, ends)
    found = {(each.cell, each.kind): each.proven for each in protects(problem).shortfalls}
    assert wrong <= set(found)
    assert {key for key, proven in found.items() if proven} <= wrong


def test_the_public_pattern_is_refused_by_two_cells() -> None:
    found = protects(read_problem(reference("sumit_pattern.jj")).problem)
    assert [(each.cell, each.kind, each.possible) for each in found.exposed] == [
        (219, 1, 816324),
        (219, -1, 816326),
        (854, 1, 395495907),
        (854, -1, 395495888),
    ]
    assert not found.undecided


def flat(size: int, cubes: int, seed: int) -> Problem:
    """A flat three-way table; random cubes are hidden whatever their capacities, and a corner of each is sensitive."""
    rng = np.random.default_rng(seed)
    trees = [[-1] + [0] * size] * 3
    value = summed(rng.integers(1, 100, (size,) * 3), trees).astype(np.int64)
    status = np.full(value.shape, FREE, np.int8)
    for _ in range(cubes):
        corner = [rng.permutation(np.arange(1, size + 1))[:2] for _ in range(3)]
        chosen = np.ix_(*corner)
        status[chosen] = np.where(status[chosen] == FREE, SECONDARY, status[chosen])
        status[tuple(c[0] for c in corner)] = PRIMARY
    rows = product_rows(value.shape, trees)
    entries = [entry for row in rows for entry in row]
    start = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    flat_value, flat_status = value.ravel(), status.ravel()
    level = np.where(flat_status == PRIMARY, 1 + flat_value // 7, 0)
    nothing = np.zeros_like(flat_value)
    cells = Cells(flat_value, nothing, 2 * flat_value + 2, nothing, flat_status, level, level, nothing)
    cell, sign = (np.array([entry[k] for entry in entries]) for k in (0, 1))
    return Problem(cells, Relations(start, cell, sign.astype(np.int8), np.zeros(len(rows), np.int64)))


def test_a_large_component_is_decided() -> None:
    problem = flat(14, 330, 3)
    assert problem.cells.hidden.sum() > LARGE
    found = protects(problem)
    assert found.complete and len(found.undecided) <= 2
    for witness in found.witnesses:
        move = np.zeros(problem.cells.n, np.int64)
        move[witness.cell] = witness.change
        if witness.denominator == 1:
            assert not problem.relations.residuals(problem.cells.value + move).any()
            moved = problem.cells.value + move
            assert (moved >= problem.cells.lower).all() and (moved <= problem.cells.upper).all()


def test_without_time_nothing_is_claimed() -> None:
    problem = flat(6, 30, 4)
    sure = {(each.cell, each.kind) for each in protects(problem).exposed}
    hasty = protects(problem, deadline=Deadline(0.0))
    assert {(each.cell, each.kind) for each in hasty.exposed} <= sure


def test_moves_that_are_told_are_checked_before_they_count() -> None:
    problem = flat(6, 30, 4)
    plain = protects(problem)
    told = [(each.cell, each.change) for each in plain.witnesses if each.denominator == 1]
    again = protects(problem, moves=told)
    assert again.programs <= plain.programs
    assert {(e.cell, e.kind) for e in again.shortfalls} == {(e.cell, e.kind) for e in plain.shortfalls}
    hasty = protects(problem, moves=told, deadline=Deadline(0.0))
    assert {(e.cell, e.kind) for e in hasty.shortfalls} == {(e.cell, e.kind) for e in plain.shortfalls}
    wrong = [(cell, change + np.eye(1, cell.size, 0, np.int64)[0]) for cell, change in told]
    published = [(np.array([np.flatnonzero(~problem.cells.hidden)[-1]]), np.array([1]))]
    lied = protects(problem, moves=[*wrong, *published])
    assert {(e.cell, e.kind) for e in lied.exposed} == {(e.cell, e.kind) for e in plain.exposed}
