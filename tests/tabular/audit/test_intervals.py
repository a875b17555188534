"""Intervals of hidden cells: against a list of every table, on a pattern that ships as protected, and by hand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import product_rows, random_problem, summed, truth
from references import reference

from discreet.errors import InputError
from discreet.instruments.totals.additive import read_problem
from discreet.tabular.audit import Intervals, audit
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY, Cells, Problem, Relations
from discreet.work import Deadline


def problem_of(leaves: np.ndarray, hidden: set[int], box: int = 10) -> Problem:
    """A flat table with totals; hidden cells are primary with levels of 1."""
    trees = [[-1] + [0] * k for k in leaves.shape]
    value = summed(leaves, trees).ravel().astype(np.int64)
    rows = product_rows(tuple(len(t) for t in trees), trees)
    status = np.array([PRIMARY if i in hidden else FREE for i in range(value.size)], np.int8)
    one = np.where(status == PRIMARY, 1, 0).astype(np.int64)
    nothing = np.zeros_like(value)
    cells = Cells(value, np.maximum(value - box, 0), value + box, nothing, status, one, one, nothing)
    start = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    entries = [entry for row in rows for entry in row]
    relations = Relations(
        start,
        np.array([c for c, _ in entries]),
        np.array([s for _, s in entries], np.int8),
        np.zeros(len(rows), np.int64),
    )
    return Problem(cells, relations)


def assert_proven(problem: Problem, found: Intervals) -> None:
    """Every witness is a table and attains what it is said to; every proof gives the end it is said to give."""
    rows, value = problem.relations, problem.cells.value
    for witness in found.witnesses:
        move = np.zeros(problem.cells.n, np.int64)
        move[witness.cell] = witness.change
        assert not (rows.residuals(value * witness.denominator + move) - rows.right * (witness.denominator - 1)).any()
        assert (move >= (problem.cells.lower - value) * witness.denominator).all()
        assert (move <= (problem.cells.upper - value) * witness.denominator).all()
    for at, cell in enumerate(found.cell.tolist()):
        for number, inner in (
            (found.upper_witness[at], found.inner_upper[at]),
            (found.lower_witness[at], found.inner_lower[at]),
        ):
            reached = 0
            if number >= 0:
                witness = found.witnesses[number]
                reached = int(witness.change[witness.cell == cell].sum())
            assert value[cell] + reached == inner


@given(st.integers(0, 2**32))
def test_ends_are_those_of_all_tables(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    ends = truth(problem)
    if ends is None:
        return
    found = audit(problem)
    for at, cell in enumerate(found.cell.tolist()):
        low, high = (int(problem.cells.value[cell]) + end for end in ends[cell])
        assert found.lower[at] <= low <= found.inner_lower[at]
        assert found.inner_upper[at] <= high <= found.upper[at]
    assert_proven(problem, found)


def test_a_cycle_by_hand() -> None:
    # 2 x 2 with totals published: f, -f, -f, f; boxes and zero leave -3 .. 2.
    problem = problem_of(np.array([[3, 5], [2, 8]]), {4, 5, 7, 8})
    found = audit(problem)
    assert found.cell.tolist() == [4, 5, 7, 8]
    assert found.lower.tolist() == [0, 3, 0, 5]
    assert found.upper.tolist() == [5, 8, 5, 10]
    assert found.sharp.all() and not found.shortfalls and found.complete


def test_a_cell_alone_in_its_relation_is_known() -> None:
    problem = problem_of(np.array([[3, 5], [2, 8]]), {4})
    found = audit(problem)
    assert found.lower.tolist() == found.upper.tolist() == [3]
    assert {(each.cell, each.kind, each.proven) for each in found.shortfalls} == {(4, 1, True), (4, -1, True)}
    assert [each.missing for each in found.shortfalls] == [1, 1]


def test_a_sensitive_cell_that_is_published_is_exposed() -> None:
    problem = problem_of(np.array([[3, 5], [2, 8]]), {4, 5, 7, 8})
    found = audit(problem, np.zeros(9, np.bool_))
    assert {each.cell for each in found.exposed} == {4, 5, 7, 8}


def halves(top: int) -> Problem:
    """y0 + y1 = y1 + y2 = y2 + y0 = y3 ≤ top, so that y0 = y1 = y2 and y3 = 2 y0 is even."""
    start, cell = np.array([0, 3, 6, 9]), np.array([0, 1, 3, 1, 2, 3, 2, 0, 3])
    sign = np.array([1, 1, -1, 1, 1, -1, 1, 1, -1], np.int8)
    value = np.array([1, 1, 1, 2])
    relations = Relations(start, cell, sign, np.zeros(3, np.int64))
    nothing = np.zeros(4, np.int64)
    status = np.full(4, SECONDARY, np.int8)
    lower, upper = np.zeros(4, np.int64), np.array([2 * top, 2 * top, 2 * top, top])
    return Problem(Cells(value, lower, upper, nothing, status, nothing, nothing, nothing), relations)


def test_halves_are_no_tables_of_whole_numbers() -> None:
    found = audit(halves(5))
    # At most 4 in whole numbers, 5 in fractions.
    assert found.inner_upper.tolist() == found.upper.tolist() == [2, 2, 2, 4]
    assert found.sharp.all() and [(tree.cell, tree.side) for tree in found.trees] == [(3, 1)]
    assert_proven(halves(5), found)


def test_wide_boxes_are_left_to_fractions() -> None:
    top = 3_000_001
    found = audit(halves(top))
    assert found.inner_upper[3] == top - 1 and found.upper[3] == top
    assert found.upper_fractional[3] >= 0
    assert found.lp_sharp.all() and found.sharp.tolist() == [True, True, True, False]
    assert found.witnesses[found.upper_fractional[3]].denominator == 2
    assert_proven(halves(top), found)


def test_the_public_pattern_is_audited_in_full() -> None:
    table = read_problem(reference("sumit_pattern.jj"))
    found = audit(table.problem)
    assert found.cell.size == 793 and found.open_sides == 0
    assert [(each.cell, each.kind, each.possible) for each in found.exposed] == [
        (219, 1, 816324),
        (219, -1, 816326),
        (854, 1, 395495907),
        (854, -1, 395495888),
    ]
    assert_proven(table.problem, found)


def test_threads_change_nothing() -> None:
    rng = np.random.default_rng(5)
    parts = [random_problem(rng) for _ in range(30)]
    problem = _side_by_side(parts)
    alone = audit(problem)
    with ThreadPoolExecutor(3) as pool:
        several = audit(problem, executor=pool)
    for one, other in zip(alone[:9], several[:9]):
        assert np.array_equal(one, other)
    assert len(alone.proofs) == len(several.proofs) and alone.shortfalls == several.shortfalls
    assert all(np.array_equal(a.change, b.change) for a, b in zip(alone.witnesses, several.witnesses))


def _side_by_side(parts: list[Problem]) -> Problem:
    cells = Cells(*(np.concatenate(columns) for columns in zip(*(part.cells for part in parts))))
    shift = np.cumsum([0] + [part.cells.n for part in parts])
    cell = np.concatenate([part.relations.cell + at for part, at in zip(parts, shift)])
    sign = np.concatenate([part.relations.sign for part in parts])
    right = np.concatenate([part.relations.right for part in parts])
    sizes = np.concatenate([np.diff(part.relations.start) for part in parts])
    return Problem(cells, Relations(np.concatenate([[0], np.cumsum(sizes)]), cell, sign, right))


def test_time_that_is_over_leaves_sides_open() -> None:
    table = read_problem(reference("sumit_pattern.jj"))
    found = audit(table.problem, deadline=Deadline(0.0))
    assert not found.complete and found.open_sides > 0
    assert (found.lower <= found.inner_lower).all() and (found.inner_upper <= found.upper).all()
    assert not found.exposed or {each.cell for each in found.exposed} <= {219, 854}


def test_what_is_no_table_is_refused() -> None:
    problem = problem_of(np.array([[3, 5], [2, 8]]), {4, 5, 7, 8})
    cells = problem.cells
    wrong = problem._replace(cells=cells._replace(value=cells.value + (np.arange(9) == 4)))
    with pytest.raises(InputError, match="do not add up: 1, 4"):
        audit(wrong)
    outside = problem._replace(cells=cells._replace(upper=np.where(np.arange(9) == 5, 0, cells.upper)))
    with pytest.raises(InputError, match="outside its own limits: 5"):
        audit(outside)
    with pytest.raises(InputError, match="4 entries for 9 cells"):
        audit(problem, np.zeros(4, np.bool_))
    huge = problem._replace(cells=cells._replace(upper=cells.upper + 2**60))
    with pytest.raises(InputError, match="too large"):
        audit(huge)
