"""Questions about some cells: answers are those of the bounds of all cells, and no more work is done than needed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.release import subsets
from oracles.table_cases import random_table

import discreet as dc
from discreet.tables.bounds import chosen_cells
from discreet.tables.bounds.chosen_cells import Question, bound_cells, judge_widths
from discreet.tables.bounds.split import whole_state
from discreet.tables.sharpen.linear_program import LinearProgram
from discreet.tables.table import Table
from discreet.work import Deadline

Axes = tuple[int, ...]
shapes = st.sampled_from([(2, 3, 2, 2), (3, 3, 3), (2,) * 5, (4, 3, 2)])


@st.composite
def questions(draw: st.DrawFn) -> tuple[Table, list[Axes], np.ndarray]:
    """A table, margins of it and its cells with a count of 1 or 2."""
    shape = draw(shapes)
    n = int(np.prod(shape))
    counts = np.array(draw(st.lists(st.integers(0, 6), min_size=n, max_size=n))).reshape(shape)
    axes = st.sampled_from(subsets(len(shape))[:-1])
    public = draw(st.lists(axes, min_size=1, max_size=5, unique=True))
    return Table.from_array(counts), public, np.flatnonzero((counts >= 1) & (counts <= 2))


def sharp_bounds(table: Table, public: list[Axes], cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found = dc.bounds(table.margins([[table.names[a] for a in axes] for axes in public]))
    assert found.sharp.all()
    return np.asarray(found.lower).reshape(-1)[cells], np.asarray(found.upper).reshape(-1)[cells]


@given(questions(), st.sampled_from([1, 2, 3, 5]))
@settings(max_examples=40)
def test_verdicts_are_those_of_the_sharp_bounds(case: tuple[Table, list[Axes], np.ndarray], width: int) -> None:
    table, public, cells = case
    verdicts = judge_widths(table, public, cells, width, {}, Deadline(60))
    lower, upper = sharp_bounds(table, public, cells)
    assert not (verdicts.wide & (upper - lower < width)).any()
    assert not (verdicts.narrow & (upper - lower >= width)).any()
    assert verdicts.narrow.any() or verdicts.wide.all()


@given(questions(), st.sampled_from([1, 2, 3, 5]))
@settings(max_examples=40)
def test_group_moves_change_no_verdict(case: tuple[Table, list[Axes], np.ndarray], width: int) -> None:
    """As on large atoms, here on small ones, where all bounds are known."""
    table, public, cells = case
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chosen_cells, "REACH_FROM", 0)
        verdicts = judge_widths(table, public, cells, width, {}, Deadline(60))
    lower, upper = sharp_bounds(table, public, cells)
    assert not (verdicts.wide & (upper - lower < width)).any()
    assert not (verdicts.narrow & (upper - lower >= width)).any()
    assert verdicts.narrow.any() or verdicts.wide.all()


def test_without_exact_work_no_verdict_is_wrong_and_programs_prove_dangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on atoms that are too large for more than searches and linear programs, here on small ones."""
    rng, proven = np.random.default_rng(1), [0, 0]
    monkeypatch.setattr(chosen_cells, "REACH_FROM", 0)
    monkeypatch.setattr(chosen_cells, "SEARCH_LIMIT", 0)
    monkeypatch.setattr(chosen_cells, "AGAIN", 1)
    monkeypatch.setattr(chosen_cells, "EXCHANGE_WORK", (20_000,))
    monkeypatch.setattr(chosen_cells, "REACH_WORK", (2_000, 20_000))
    public = list(combinations(range(6), 2))
    for _ in range(6):
        table = Table.from_array(rng.poisson(0.5, (2,) * 6))
        cells = np.flatnonzero((table.dense().reshape(-1) >= 1) & (table.dense().reshape(-1) <= 2))
        lower, upper = sharp_bounds(table, public, cells)
        for number, size in enumerate((0, chosen_cells.PROGRAM_SIZE)):
            with monkeypatch.context() as patched:
                patched.setattr(chosen_cells, "PROGRAM_SIZE", size)
                verdicts = judge_widths(table, public, cells, 3, {}, Deadline(60))
            assert not (verdicts.wide & (upper - lower < 3)).any()
            assert not (verdicts.narrow & (upper - lower >= 3)).any()
            proven[number] += int(verdicts.narrow.any())
    assert proven[0] < proven[1]


@pytest.mark.parametrize(("variables", "mean"), [(10, 0.6), (11, 0.3)])
def test_group_moves_settle_large_sparse_tables(variables: int, mean: float) -> None:
    """Every third of the three-way margins: no exact work, and the verdict that exact work on single cells gives."""
    shape = (2,) * variables
    table = Table.from_array(np.random.default_rng(1).poisson(mean, shape))
    public = list(combinations(range(variables), 3))[::7]
    cells = np.flatnonzero((table.dense().reshape(-1) >= 1) & (table.dense().reshape(-1) <= 2))
    verdicts = judge_widths(table, public, cells, 3, {}, Deadline(60))
    assert verdicts.means == "bounds and witnesses"
    assert verdicts.wide.all()
    for cell in cells[:: cells.size // 4]:
        margins = table.margins([[table.names[a] for a in axes] for axes in public])
        program = LinearProgram(whole_state(margins))
        ends = [program.extreme(int(cell), side, Deadline(60)) for side in (1, -1)]
        assert all(end is not None for end in ends)
        assert ends[0][cell] - ends[1][cell] >= 3 - 1e-6


@given(questions(), st.integers(1, 4))
@settings(max_examples=25)
def test_what_is_carried_changes_no_answer(case: tuple[Table, list[Axes], np.ndarray], width: int) -> None:
    table, public, cells = case
    less = judge_widths(table, public[:1], cells, width, {}, Deadline(60))
    later = judge_widths(table, public, cells, width, less.carried, Deadline(60))
    fresh = judge_widths(table, public, cells, width, {}, Deadline(60))
    assert later.wide.all() == fresh.wide.all()
    assert later.narrow.any() == fresh.narrow.any()


@given(questions())
@settings(max_examples=25)
def test_bounds_of_some_cells_are_those_of_all(case: tuple[Table, list[Axes], np.ndarray]) -> None:
    table, public, cells = case
    found = bound_cells(table, public, cells, {}, Deadline(60))
    lower, upper = sharp_bounds(table, public, cells)
    assert found.sharp.all()
    assert np.array_equal(found.lower, lower)
    assert np.array_equal(found.upper, upper)


def test_where_nothing_is_public_a_cell_is_anything() -> None:
    found = bound_cells(random_table(1, (2, 3)), [], np.arange(2), {}, Deadline(None))
    assert not found.sharp.any()
    assert judge_widths(random_table(1, (2, 3)), [(0,)], np.arange(0), 3, {}, Deadline(None)).means == "no cells"


@given(questions(), st.sampled_from([None, 1, 2, 4]))
@settings(max_examples=30)
def test_the_tally_of_open_sides_never_rises(case: tuple[Table, list[Axes], np.ndarray], width: int | None) -> None:
    """So no means can seem to have closed fewer than no sides; and only wanted sides are in it."""
    table, public, cells = case
    if not cells.size:
        return
    question = Question(table, public, cells, width)
    states = list(question.split.states())
    tallies: list[list[int]] = []

    def follow() -> None:
        question._review()
        tallies.append([state.open_count for state in states])
        for state in states:
            highs, lows = state.inner_upper < state.upper, state.inner_lower > state.lower
            assert tallies[-1][states.index(state)] == int((state.wanted & highs).sum() + (state.wanted & lows).sum())

    for state in states:
        state.moved = follow
    question.recall({})
    started = len(tallies)
    question.pursue(Deadline(60))
    for before, after in zip(tallies[max(0, started - 1) :], tallies[started:]):
        assert all(a <= b for a, b in zip(after, before))
    done, failed = question.settled()
    assert done.all() or failed.any()
    assert failed.any() or not any(state.open_count and width is None for state in states)
