from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import margin_of, sharp_bounds

from discreet.errors import InputError
from discreet.solvers import cpsat
from discreet.tables.bounds.whole_table import Solution, solve
from discreet.tables.table import Margins, Table
from discreet.work import Deadline


def check_witnesses(solution: Solution, cells: list[tuple[int, ...]]) -> None:
    for cell in cells:
        for side, bound in ((1, solution.inner_upper), (-1, solution.inner_lower)):
            x = solution.witness(cell, side)
            assert x[cell] == bound[cell]
            assert x.min() >= 0
            assert all(np.array_equal(margin_of(x, g), v) for g, v in solution.margins.values.items())


@given(small_tables())
@settings(max_examples=120, deadline=None)
def test_sharp_on_small_tables(case: tuple[Table, Margins]) -> None:
    _, margins = case
    truth = sharp_bounds(margins.shape, margins.values)
    for whole in (False, True):
        solution = solve(margins, whole=whole)
        assert solution.lower_sharp.all()
        assert solution.upper_sharp.all()
        assert np.array_equal(solution.lower, truth[0])
        assert np.array_equal(solution.upper, truth[1])
    check_witnesses(solve(margins), list(np.ndindex(*margins.shape))[:6])


@pytest.mark.skipif(not cpsat.available(), reason="needs OR-Tools (extra: exact)")
@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_cp_sat_on_larger_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(2, 5, rng.integers(3, 6)).tolist())
    table = random_table(seed, shape, float(rng.choice([0.5, 3.0, 30.0])))
    names = table.names
    chosen = [
        tuple(rng.choice(len(shape), rng.integers(1, len(shape)), replace=False)) for _ in range(rng.integers(2, 6))
    ]
    margins = table.margins([[names[a] for a in g] for g in chosen])
    solution = solve(margins)
    assert solution.lower_sharp.all()
    assert solution.upper_sharp.all()
    cell = int(rng.integers(table.size))
    for side, bound in ((1, solution.upper), (-1, solution.lower)):
        assert extreme(margins, cell, side) == bound.reshape(-1)[cell]
    check_witnesses(solution, [np.unravel_index(cell, shape)])


def extreme(margins: Margins, cell: int, side: int) -> int:
    """One variable per cell, one row per margin count, straight into CP-SAT."""
    rows, sums = [], []
    index = np.arange(margins.size).reshape(margins.shape)
    for axes, values in margins.values.items():
        rest = [a for a in range(len(margins.shape)) if a not in axes]
        rows += list(index.transpose([*axes, *rest]).reshape(values.size, -1))
        sums += values.reshape(-1).tolist()
    starts = np.cumsum([0, *(len(r) for r in rows)])
    model = cpsat.IntegerModel(repr((margins.shape, sums)), starts, np.concatenate(rows), np.ones(starts[-1], np.int64))
    limits = np.zeros(margins.size, np.int64), np.full(margins.size, margins.total)
    answer = cpsat.shared_worker().solve(model, *limits, np.array(sums), np.array(sums), extremize=(cell, side))
    assert answer.status == "optimal"
    return int(answer.x[cell])


@pytest.mark.parametrize("seed", range(6))
def test_one_more_margin_gives_the_same_as_from_scratch(seed: int) -> None:
    table = random_table(seed, (2, 3, 2, 2), 4.0)
    first = table.margins([("V1", "V2"), ("V2", "V3"), ("V3", "V4")])
    before = solve(first)
    for release in (("V1", "V4"), ("V1", "V2", "V3"), ("V2", "V4")):
        more = before.margins.add(table.margin(release))
        warm, cold = solve(more, previous=before), solve(more)
        assert np.array_equal(warm.lower, cold.lower)
        assert np.array_equal(warm.upper, cold.upper)
        assert warm.lower_sharp.all()
        assert warm.upper_sharp.all()
        before = warm


@given(small_tables(), st.data())
@settings(max_examples=60, deadline=None)
def test_margins_one_by_one_give_the_same_as_all_at_once(case: tuple[Table, Margins], data: st.DataObject) -> None:
    _, margins = case
    order = data.draw(st.permutations(list(margins.values)))
    before = None
    for count in range(1, len(order) + 1):
        some = Margins(margins.names, margins.categories, {axes: margins.values[axes] for axes in order[:count]})
        before = solve(some, previous=before)
    truth = sharp_bounds(margins.shape, margins.values)
    assert before is not None
    assert np.array_equal(before.lower, truth[0])
    assert np.array_equal(before.upper, truth[1])
    assert before.lower_sharp.all()
    assert before.upper_sharp.all()
    check_witnesses(before, list(np.ndindex(*margins.shape))[:6])


@pytest.mark.parametrize(("order", "seed"), [(2, 1), (3, 2), (3, 3)])
def test_the_last_margin_of_an_order(order: int, seed: int) -> None:
    table = random_table(seed, (2, 2, 2, 2, 2, 2), 12.0)
    full = all_ways(table, order)
    *most, last = full.values
    before = solve(Margins(full.names, full.categories, {axes: full.values[axes] for axes in most}))
    warm, cold = solve(before.margins.add(table.margin([full.names[a] for a in last])), previous=before), solve(full)
    assert np.array_equal(warm.lower, cold.lower)
    assert np.array_equal(warm.upper, cold.upper)
    assert warm.lower_sharp.all()
    assert warm.upper_sharp.all()
    check_witnesses(warm, list(np.ndindex(*table.shape))[::7])


def test_a_table_that_is_known_stays_known() -> None:
    """One more margin of a determined table costs no search; one that does not fit is an error."""
    counts = np.zeros((2, 2, 2, 2), np.int64)
    counts[0, 0, 0, 0], counts[1, 1, 1, 1] = 3, 2
    table = Table.from_array(counts)
    before = solve(all_ways(table, 2))
    assert np.array_equal(before.lower, counts)
    after = solve(before.margins.add(table.margin(("V1", "V2", "V3"))), previous=before)
    assert np.array_equal(after.upper, counts)
    assert not after.work
    wrong = counts.sum(axis=3)
    wrong[0, 0, 0] -= 1
    wrong[0, 1, 1] -= 1
    wrong[0, 0, 1] += 1
    wrong[0, 1, 0] += 1
    with pytest.raises(InputError):
        solve(before.margins.add(Table(("V1", "V2", "V3"), table.categories[:3], np.abs(wrong))), previous=before)


def test_a_margin_that_says_nothing_new_costs_nothing() -> None:
    table = random_table(1, (2, 2, 2, 2), 4.0)
    before = solve(all_ways(table, 2))
    after = solve(before.margins.add(table.margin(("V1",))), previous=before)
    assert after.parts[0].state is before.parts[0].state


def test_time_zero_leaves_sides_open_but_never_wrong() -> None:
    table = random_table(2, (3, 3, 3, 3), 5.0)
    margins = all_ways(table, 2)
    solution = solve(margins, deadline=Deadline(0.0))
    x = table.dense()
    assert (solution.lower <= x).all()
    assert (solution.upper >= x).all()
    assert not solution.upper_sharp.all()
    assert solution.timed_out
    assert solution.reasons


def test_repeats_to_the_last_bit() -> None:
    margins = all_ways(random_table(5, (3, 2, 3, 2), 3.0), 2)
    one, two = solve(margins), solve(margins)
    for cell in list(np.ndindex(*margins.shape))[::5]:
        assert np.array_equal(one.witness(cell, 1), two.witness(cell, 1))


def test_large_atoms_are_searched_within_a_time_limit_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.tables.bounds.whole_table.SEARCH_LIMIT", 8)
    margins = all_ways(random_table(1, (2, 2, 2, 2), 6.0), 2)
    exact, outer = solve(margins, deadline=Deadline(60.0)), solve(margins)
    assert exact.lower_sharp.all()
    assert exact.upper_sharp.all()
    assert (outer.lower <= exact.lower).all()
    assert (outer.upper >= exact.upper).all()
    assert not outer.upper_sharp.any()
    assert any("time limit" in reason for reason in outer.reasons)
