"""Hints for the checker of cells: whatever solver is asked, tables have the margins and "infeasible" is so."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import random_table
from oracles.tables import margin_of, sharp_bounds

from discreet.verify.cells.equations import Equations
from discreet.verify.cells.solvers import IntegerQuestions, Relaxation


def equations_of(seed: int) -> tuple[Equations, np.ndarray, np.ndarray]:
    """All two-way margins of a small table, and the sharp bounds of its cells."""
    counts = random_table(seed, (2, 3, 2), 2.0).dense()
    margins = {axes: margin_of(counts, axes) for axes in combinations(range(3), 2)}
    truth = sharp_bounds(counts.shape, {axes: np.asarray(values) for axes, values in margins.items()})
    assert truth is not None
    return Equations(counts.shape, margins.items()), truth[0].reshape(-1), truth[1].reshape(-1)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_vertices_are_tables_and_multipliers_bound(seed: int) -> None:
    equations, lower, upper = equations_of(seed)
    relaxation = Relaxation(equations)
    for cell in range(equations.n):
        for side, end in ((1, upper), (-1, lower)):
            answer = relaxation.extreme(cell, side, math.inf)
            if answer is None:
                assert equations.least[cell] == equations.top[cell] == end[cell]
                continue
            _, table = answer
            if table is not None:
                assert equations.has(table) and side * table[cell] <= side * end[cell]


@pytest.mark.parametrize("exact", [True, False], ids=["CP-SAT", "HiGHS"])
def test_answers_about_ranges_are_right(exact: bool) -> None:
    if exact:
        pytest.importorskip("ortools")
    for seed in range(4):
        equations, lower, upper = equations_of(seed)
        questions = IntegerQuestions(equations)
        questions.exact = exact
        try:
            for cell in range(0, equations.n, 3):
                status, table = questions.ask(cell, int(upper[cell]), int(upper[cell]), 20.0)
                assert status == "feasible" and table is not None and equations.has(table)
                assert table[cell] == upper[cell]
                assert questions.ask(cell, int(upper[cell]) + 1, 10**6, 20.0)[0] == "infeasible"
                assert questions.ask(cell, 0, int(lower[cell]) - 1, 20.0)[0] == "infeasible"
        finally:
            questions.close()


def test_numbers_beyond_the_solvers_are_not_decided() -> None:
    huge = 1 << 55
    equations = Equations((2, 2), [((0,), np.array([huge, huge])), ((1,), np.array([huge, huge]))])
    questions = IntegerQuestions(equations)
    for exact in (True, False):
        questions.exact = exact
        assert questions.ask(0, 5, 5, 1.0) == ("unknown", None)
    questions.close()


def test_a_dead_process_is_no_answer() -> None:
    pytest.importorskip("ortools")
    equations, _, upper = equations_of(1)
    questions = IntegerQuestions(equations)
    assert questions.ask(0, int(upper[0]), int(upper[0]), 20.0)[0] == "feasible"
    assert questions._child is not None
    questions._child.kill()
    questions._child.wait()
    assert questions.ask(0, int(upper[0]), int(upper[0]), 20.0) == ("unknown", None)
    assert questions.ask(0, int(upper[0]), int(upper[0]), 20.0)[0] == "feasible", (
        "the next one has a process of its own"
    )
    questions.close()
    questions.close()
