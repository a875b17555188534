"""Other tables whose cells have values from given sets, against all tables there are."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.tabular.among import other_tables
from discreet.tabular.problem import FREE, Cells, Problem, Relations
from discreet.work import Deadline

SETS = st.sets(st.integers(-4, 4), min_size=0, max_size=4)


def full_of(a: int, b: int, c: int, d: int) -> tuple[int, ...]:
    return a, b, c, d, a + b, c + d, a + c, b + d, a + b + c + d


def grid(values: list[int], sets: list[set[int]]) -> tuple[Problem, dict[int, np.ndarray], list[list[int]]]:
    """Four cells with the sums of rows, columns and all; what each can be, by its distance from what it is."""
    value = np.array(full_of(*values))
    rows = [(0, 1, 4), (2, 3, 5), (0, 2, 6), (1, 3, 7), (4, 5, 8), (6, 7, 8)]
    relations = Relations(
        np.arange(0, 19, 3), np.array(rows).ravel(), np.tile(np.array([1, 1, -1], np.int8), 6), np.zeros(6, np.int64)
    )
    possible = [sorted({int(v)} | {int(v) + step for step in own}) for v, own in zip(value, sets)]
    low, high = (np.array([own[end] for own in possible]) for end in (0, -1))
    nothing = np.zeros(9, np.int64)
    cells = Cells(value, low, high, nothing, np.full(9, FREE, np.int8), nothing, nothing, nothing)
    gaps = {at: np.array(own) for at, own in enumerate(possible) if own[-1] - own[0] >= len(own)}
    return Problem(cells, relations), gaps, possible


@settings(max_examples=120, deadline=None)
@given(st.lists(st.integers(5, 9), min_size=4, max_size=4), st.lists(SETS, min_size=9, max_size=9))
def test_what_is_told_exactly_is_what_all_tables_share(values: list[int], sets: list[set[int]]) -> None:
    problem, gaps, possible = grid(values, sets)
    full = [full_of(*leaves) for leaves in itertools.product(*possible[:4])]
    tables = [table for table in full if all(v in own for v, own in zip(table, possible))]
    found = other_tables(problem, gaps, Deadline(None))
    alike = [len(set(column)) == 1 for column in zip(*tables)]
    assert found.exact.tolist() == alike and found.untold.tolist() == [not each for each in alike]
    for witness in found.witnesses:
        other = problem.cells.value.copy()
        other[witness.cell] += witness.change
        assert tuple(other.tolist()) in tables


def test_nothing_is_claimed_when_time_is_over() -> None:
    problem, gaps, _ = grid([5, 5, 5, 5], [{-2, 2}] * 9)
    found = other_tables(problem, gaps, Deadline(0.0))
    assert not found.exact.any() and not found.untold.any() and found.witnesses == ()
