from __future__ import annotations

import numpy as np
import pytest
from oracles.table_cases import all_ways, random_table
from oracles.tables import all_tables, factorial_weight, margin_of
from scipy.stats import chi2

import discreet as dc
from discreet.errors import InputError
from discreet.tables.draw.sampling import RandomWalk
from discreet.tables.state.atom import AtomState
from discreet.tables.theory.lattice import Lattice


def fibre(margins: dc.Margins) -> tuple[AtomState, dict[tuple[int, ...], int]]:
    lattice = Lattice(margins.shape, tuple(margins.values))
    state = AtomState(lattice, {g: margins.values[g] for g in lattice.generators})
    assert state.shuttle()
    tables = [tuple(x.reshape(-1).tolist()) for x in all_tables(margins.shape, margins.values)]
    return state, {x: i for i, x in enumerate(tables)}


def few() -> dc.Table:
    return dc.Table.from_array(np.random.default_rng(7).poisson(0.9, (3, 3, 3)))


def fits(counts: np.ndarray, share: np.ndarray) -> bool:
    expected = counts.sum() * share
    return bool(chi2.sf(((counts - expected) ** 2 / expected).sum(), counts.size - 1) > 1e-3)


@pytest.mark.parametrize("factorial", [False, True])
def test_walk_has_its_law(factorial: bool) -> None:
    state, place = fibre(all_ways(few(), 2))
    assert 10 < len(place) < 400
    walk = RandomWalk(state.lattice, np.array(next(iter(place))), state.lower, state.upper, 5, factorial=factorial)
    walk.settle(5000)
    counts = np.zeros(len(place))
    for _ in range(60 * len(place)):
        counts[place[tuple(walk.sample(300).tolist())]] += 1
    share = np.array([np.exp(factorial_weight(np.array(x))) if factorial else 1.0 for x in place])
    assert fits(counts, share / share.sum())


def test_walk_connects_tables_that_basic_moves_do_not() -> None:
    # Only two tables, one basic move cannot join: they differ by a move of degree 6 on a 2x3x3 table.
    difference = np.zeros((2, 3, 3), np.int64)
    for a, b, sign in ((0, 0, 1), (0, 1, -1), (1, 1, 1), (1, 2, -1), (2, 2, 1), (2, 0, -1)):
        difference[0, a, b], difference[1, a, b] = sign, -sign
    table = dc.Table.from_array(np.maximum(difference, 0))
    state, place = fibre(all_ways(table, 2))
    assert len(place) == 2
    walk = RandomWalk(state.lattice, table.dense().reshape(-1), state.lower, state.upper, 1)
    walk.settle(2000)
    counts = np.zeros(2)
    for _ in range(1000):
        counts[place[tuple(walk.sample(200).tolist())]] += 1
    assert fits(counts, np.array([0.5, 0.5]))


@pytest.mark.parametrize("distribution", ["uniform", "loglinear"])
@pytest.mark.parametrize(
    "releases", [[("V1", "V2"), ("V2", "V3")], [("V1", "V2"), ("V2", "V3"), ("V1", "V3")], [("V1",)]]
)
def test_simulated_tables_have_the_margins_and_repeat(distribution: str, releases: list[tuple[str, ...]]) -> None:
    margins = random_table(1, (2, 3, 3), 5.0).margins(releases)
    one = dc.simulate(margins, random_state=7, distribution=distribution)
    two = dc.simulate(margins, random_state=7, distribution=distribution)
    assert np.array_equal(one.dense(), two.dense())
    for axes, values in margins.values.items():
        assert np.array_equal(margin_of(one.dense(), axes), values)


def test_matching_persons_is_the_law_of_the_model() -> None:
    margins = dc.Table.from_array([[[2, 1], [0, 1]], [[1, 0], [1, 2]]]).margins([("V1", "V2"), ("V2", "V3")])
    _, place = fibre(margins)
    drawn = dc.simulate(margins, distribution="loglinear", size=4000, random_state=2)
    counts = np.zeros(len(place))
    for table in drawn:
        counts[place[tuple(table.dense().reshape(-1).tolist())]] += 1
    share = np.array([np.exp(factorial_weight(np.array(x))) for x in place])
    assert fits(counts, share / share.sum())


def test_enumerated_draws_are_uniform() -> None:
    margins = all_ways(few(), 2)
    _, place = fibre(margins)
    counts = np.zeros(len(place))
    for table in dc.simulate(margins, size=50 * len(place), random_state=3):
        counts[place[tuple(table.dense().reshape(-1).tolist())]] += 1
    assert fits(counts, np.full(len(place), 1 / len(place)))


def test_a_large_decomposable_table_is_drawn_at_once() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (500, 30)).astype(np.int32)
    table = dc.Table.from_coordinates(codes, np.ones(500), [f"v{i}" for i in range(30)], [(0, 1)] * 30)
    margins = table.margins([(f"v{i}", f"v{i + 1}") for i in range(29)])
    drawn = dc.simulate(margins, distribution="loglinear", random_state=1)
    assert np.array_equal(drawn.margin(["v3", "v4"]).dense(), table.margin(["v3", "v4"]).dense())


@pytest.mark.parametrize("distribution", ["uniform", "loglinear"])
def test_a_walk_reports_and_ends_in_time(distribution: str) -> None:
    margins = all_ways(random_table(1, (3, 3, 3, 3), 40.0), 2)
    seen: list[str] = []
    options = {"distribution": distribution, "random_state": 1, "progress": lambda p: seen.append(p.stage)}
    one = dc.simulate(margins, steps=120_000, **options)
    assert "walking" in seen
    assert np.array_equal(one.margin(["V1", "V2"]).dense(), margins.margin(["V1", "V2"]).dense())
    with pytest.raises(dc.InputError, match="0 of 3 tables were drawn within the time limit"):
        dc.simulate(margins, steps=1 << 40, size=3, time_limit=1.0, **options)


def test_legs_do_not_change_a_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    margins = all_ways(random_table(1, (3, 3, 3), 20.0), 2)
    whole = dc.simulate(margins, steps=700, random_state=3, size=2)
    monkeypatch.setattr("discreet.tables.draw.sampling.LEG", 13)
    assert [t.dense().tolist() for t in dc.simulate(margins, steps=700, random_state=3, size=2)] == [
        t.dense().tolist() for t in whole
    ]


def test_a_walk_that_never_comes_by_a_table_is_an_error_that_says_what_else_to_do() -> None:
    counts = np.eye(12, 33, dtype=np.int64).reshape(12, 3, 11)
    margins = dc.Table.from_array(counts).margins([("V1",), ("V2",)])
    with pytest.raises(InputError, match=r"too few persons in too many cells.*distribution='loglinear'"):
        dc.simulate(margins, random_state=1, pinned="say")
    drawn = dc.simulate(margins, random_state=1, pinned="say", distribution="loglinear")
    assert drawn.dense().sum() == 12
