"""The order in which means are tried: none changes the bounds, and only wanted sides keep them at work."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.table_cases import all_ways, random_table

from discreet.solvers import cpsat
from discreet.tables.bounds.one_atom import Effort, Sharpener
from discreet.tables.bounds.split import whole_state
from discreet.tables.bounds.whole_table import solve
from discreet.tables.sharpen.first_table import first_table
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Margins
from discreet.work import Deadline, Reporter


@pytest.mark.parametrize("seed", range(40))
def test_walks_alone_give_the_same_as_searches(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without jumps to the shuttle's bounds everything goes through linear programs and dives."""
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(2, 4, rng.integers(3, 6)).tolist())
    table = random_table(seed, shape, float(rng.choice([0.3, 1.5, 20.0])))
    k = len(shape)
    chosen = [rng.choice(k, int(rng.integers(2, k)), replace=False) for _ in range(int(rng.integers(3, 7)))]
    margins = table.margins([[table.names[a] for a in g] for g in chosen])
    some = Margins(margins.names, margins.categories, dict(list(margins.values.items())[:-1] or margins.values.items()))
    expected = solve(margins)
    monkeypatch.setattr("discreet.tables.bounds.one_atom.SWEEPS", ())
    monkeypatch.setattr("discreet.tables.bounds.one_atom.Sharpener._brief_search", lambda self: None)
    for found in (solve(margins), solve(margins, previous=solve(some))):
        assert np.array_equal(found.lower, expected.lower)
        assert np.array_equal(found.upper, expected.upper)
        assert found.lower_sharp.all()
        assert found.upper_sharp.all()


def test_pins_found_before_any_move_is_made() -> None:
    table = random_table(3, (2, 2, 2, 2), 6.0)
    state = solve(all_ways(table, 2)).parts[0].state
    sharpener = Sharpener(state, Deadline(None), Reporter(None), Effort())
    sharpener.pinned = -1
    sharpener._refresh()
    assert sharpener.pinned == int((state.lower == state.upper).sum())


def test_without_the_integer_solver_open_sides_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpsat, "available", lambda: False)
    effort = Effort(brief=1, short=1, long=1)
    table = random_table(7, (3, 3, 3), 0.7)
    exact = solve(all_ways(table, 2))
    solution = solve(all_ways(table, 2), effort=effort)
    assert (solution.lower <= exact.lower).all()
    assert (solution.upper >= exact.upper).all()
    if not (solution.lower_sharp.all() and solution.upper_sharp.all()):
        assert any("exact" in reason for reason in solution.reasons)


def test_too_large_for_the_integer_solver_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.tables.sharpen.integer_program.COORDINATES_LIMIT", 8)
    margins = all_ways(random_table(7, (3, 3, 3), 0.7), 2)
    exact, solution = solve(margins), solve(margins, effort=Effort(brief=1, short=1, long=1))
    assert (solution.lower <= exact.lower).all()
    assert (solution.upper >= exact.upper).all()
    if cpsat.available() and not (solution.lower_sharp.all() and solution.upper_sharp.all()):
        assert any("too large for the integer solver" in reason for reason in solution.reasons)


def half_wanted() -> AtomState:
    """A table of which every other cell is wanted, with a first table and all else open."""
    state = whole_state(all_ways(random_table(4, (4, 4, 4), 3.0), 2))
    state.wanted[::2] = False
    effort = Effort(integer=True)
    assert first_table(state, Sharpener(state, Deadline(None), Reporter(None), effort).integer, Deadline(60)) == "found"
    return state


def test_wanted_sides_decide_when_integer_programs_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables by integer programs are asked for as long as each closes four wanted sides, not fewer, nor of others."""
    if not cpsat.available():
        pytest.skip("needs OR-Tools (extra: exact)")
    state = half_wanted()
    sharpener = Sharpener(state, Deadline(None), Reporter(None), Effort(many=8))
    closed: list[int] = []
    settle = sharpener._settle

    def counted(cell: int, side: int, tries: int) -> None:
        assert state.wanted[cell]
        before = len(state.open_sides())
        settle(cell, side, tries)
        closed.append(before - len(state.open_sides()))

    monkeypatch.setattr(sharpener, "_settle", counted)
    sharpener._wide()
    assert min(closed) >= 0
    for asked in range(4, len(closed)):
        assert sum(closed[:asked]) >= 4 * asked
    assert len(state.open_sides()) <= 8 or sum(closed) < 4 * len(closed)
    assert len(closed) > 4, "the case must be one in which it pays to go on"


def test_sides_of_other_cells_are_left_alone() -> None:
    state = half_wanted()
    unwanted = ~state.wanted
    Sharpener(state, Deadline(60), Reporter(None), Effort()).run()
    assert not state.open_count
    apart = (state.inner_upper < state.upper) | (state.inner_lower > state.lower)
    assert apart[unwanted].any()
    assert not apart[state.wanted].any()
