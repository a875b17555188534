"""Attackers who know cells of their own, against a list of every table that they must think possible."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import product_rows, random_problem, short, subsets, summed, truth

from discreet.tabular.audit import audit, protects
from discreet.tabular.problem import FREE, PRIMARY, Cells, Problem, Relations


@given(st.integers(0, 2**32))
def test_levels_hold_against_who_knows_cells(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    ends = truth(problem)
    if ends is None:
        return
    wrong = short(problem, ends)
    known = subsets(np.flatnonzero(problem.cells.hidden).tolist(), 6)[-3:]
    sets = [np.array(own, np.int64) for own in known]
    for found in (audit(problem, known=sets), protects(problem, known=sets)):
        against = {tuple(attack.known.tolist()): attack.shortfalls for attack in found.attacks}
        for own in known:
            other = truth(problem, own)
            assert other is not None
            new = short(problem, other, own) - wrong
            listed = {(each.cell, each.kind): each.proven for each in against.get(own, ())}
            assert new <= set(listed)
            assert {key for key, proven in listed.items() if proven} <= new | wrong


def test_a_respondent_undoes_a_cycle() -> None:
    # Whoever knows one corner of a cycle of four computes the other three.
    trees = [[-1, 0, 0], [-1, 0, 0]]
    value = summed(np.array([[3, 5], [2, 8]]), trees).ravel().astype(np.int64)
    rows = product_rows((3, 3), trees)
    entries = [entry for row in rows for entry in row]
    hidden = np.isin(np.arange(9), [4, 5, 7, 8])
    status = np.where(hidden, PRIMARY, FREE).astype(np.int8)
    level, nothing = hidden.astype(np.int64), np.zeros(9, np.int64)
    start = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    cell, sign = (np.array([entry[k] for entry in entries]) for k in (0, 1))
    relations = Relations(start, cell, sign.astype(np.int8), np.zeros(len(rows), np.int64))
    problem = Problem(Cells(value, nothing, value * 2, nothing, status, level, level, nothing), relations)
    assert not protects(problem).shortfalls
    inside = protects(problem, known=[np.array([4]), np.array([0])])
    assert [attack.known.tolist() for attack in inside.attacks] == [[4]], "a published cell tells nothing"
    assert {each.cell for each in inside.exposed} == {5, 7, 8}
