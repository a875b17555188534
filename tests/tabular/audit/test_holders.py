"""Contributors who know their part of several cells, against a list of every table they must think possible."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.patterns import random_problem, short, truth

from discreet.tabular.additive import Contributors
from discreet.tabular.audit import against_holders, audit, guards, protects, respondents
from discreet.tabular.holder import Holder
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY, Cells, Problem, Relations
from discreet.verify.tabular import verify_pattern
from discreet.verify.tabular.pattern import as_move


def random_holder(rng: np.random.Generator, problem: Problem) -> Holder:
    """Parts of one to three hidden cells, some of them all of a cell."""
    cells = problem.cells
    own = rng.permutation(np.flatnonzero(cells.hidden))[: rng.integers(1, 4)]
    alone = rng.random(own.size) < 0.3
    lower = np.where(alone, cells.value[own], rng.integers(cells.lower[own], cells.value[own] + 1))
    return Holder(own, lower, np.where(alone, cells.value[own], cells.upper[own]))


def obvious(problem: Problem, holder: Holder) -> set[tuple[int, int]] | None:
    """Levels that do not hold against the holder, by listing every table within his boxes; None: too many tables."""
    cells = problem.cells
    lower, upper, levels = cells.lower.copy(), cells.upper.copy(), [*map(np.copy, cells[5:])]
    apart = []
    for cell, low, high in zip(*holder):
        lower[cell], upper[cell] = max(lower[cell], low), min(upper[cell], high)
        if lower[cell] == upper[cell]:
            apart.append(int(cell))
        for level, most in zip(levels, (cells.value - lower, upper - cells.value, upper - lower)):
            level[cell] = min(level[cell], most[cell])
    seen = problem._replace(cells=Cells(cells.value, lower, upper, cells.cost, cells.status, *levels))
    ends = truth(seen)
    return None if ends is None else short(seen, ends, apart)


@pytest.mark.parametrize("seed", range(120))
def test_levels_against_a_holder_are_those_of_the_list(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    hidden = problem.cells.hidden
    ends = truth(problem)
    if not hidden.any() or ends is None:
        return
    holder = random_holder(rng, problem)
    wrong, everybody = obvious(problem, holder), short(problem, ends)
    if wrong is None:
        return
    for method in (audit, protects):
        found = against_holders(problem, hidden, method(problem), [holder])
        listed = {(each.cell, each.kind) for attack in found.attacks for each in attack.shortfalls if each.proven}
        assert listed == wrong - everybody
        assert not found.undecided
    parts = {int(cell): (low, high) for cell, low, high in zip(*(column.tolist() for column in holder))}
    verdict = verify_pattern(problem, witnesses=found.witnesses, holders=[parts])
    if verdict.outcome != "cannot tell":
        assert (verdict.outcome == "unsafe") == bool(wrong | everybody)


def row_of_three() -> Problem:
    """100 = 40 + 60: two cells are hidden, the first is sensitive, and everybody knows them to within themselves."""
    value = np.array([100, 40, 60])
    nothing, level = np.zeros(3, np.int64), np.array([0, 10, 0])
    status = np.array([FREE, PRIMARY, SECONDARY], np.int8)
    cells = Cells(value, nothing, 2 * value, np.ones(3, np.int64), status, level, level, nothing)
    start, signs = np.array([0, 3]), np.array([-1, 1, 1], np.int8)
    return Problem(cells, Relations(start, np.arange(3), signs, np.array([0])))


def test_who_dominates_a_cell_undoes_its_neighbor() -> None:
    problem = row_of_three()
    hidden = problem.cells.hidden
    plain = protects(problem)
    assert not plain.exposed and not plain.undecided
    who = np.array([[1, 2], [3, 4], [1, 5]])
    top = np.array([[55, 20], [20, 20], [55, 5]])
    known = Contributors(*(np.array([5, 2, 2]),) * 2, top, problem.cells.value, who)
    holders = respondents(problem, known, hidden).holders
    # Holdings 3 and 4 have a part of the sensitive cell itself, 1 has 55 of the 60 beside it, 5 the rest.
    assert [holder.cell.tolist() for holder in holders] == [[2], [1], [1], [2]]
    found = against_holders(problem, hidden, plain, holders)
    assert [(each.cell, each.kind, each.possible) for each in found.exposed] == [(1, 1, 5)]
    moves = [as_move(witness) for witness in plain.witnesses]
    assert moves
    parts = [{int(c): (int(a), int(b)) for c, a, b in zip(*one)} for one in holders]
    verdict = verify_pattern(problem, witnesses=plain.witnesses, holders=parts)
    assert verdict.outcome == "unsafe"
    assert verify_pattern(problem, witnesses=plain.witnesses, holders=parts[1:]).outcome == "safe"


def test_where_amounts_are_negative_a_part_tells_nothing() -> None:
    problem = row_of_three()
    who = np.array([[1, 2], [3, 4], [1, 5]])
    known = Contributors(*(np.array([5, 2, 2]),) * 2, np.ones((3, 2), np.int64), problem.cells.value + 2, who)
    assert respondents(problem, known, problem.cells.hidden) == ([], [])


def test_the_map_says_what_is_hidden_from_a_holder() -> None:
    """150 = 40 + 60 + 50: without the last one only whoever has 55 of the 60 learns too much of the first."""
    value = np.array([150, 40, 60, 50])
    nothing, level = np.zeros(4, np.int64), np.array([0, 10, 0, 0])
    status = np.array([FREE, PRIMARY, SECONDARY, SECONDARY], np.int8)
    cells = Cells(value, nothing, 2 * value, np.ones(4, np.int64), status, level, level, nothing)
    relations = Relations(np.array([0, 4]), np.arange(4), np.array([-1, 1, 1, 1], np.int8), np.array([0]))
    problem = Problem(cells, relations)
    holder = Holder(np.array([2]), np.array([55]), np.array([120]))
    found = against_holders(problem, cells.hidden, protects(problem), [holder])
    assert not found.exposed
    assert guards(problem, found).guards == ((2, ()), (3, ()))
    assert guards(problem, found, (), [holder]).guards == ((2, ()), (3, (1,)))
