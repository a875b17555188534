from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import is_regular, loss, lost_variance
from oracles.generalization_domains import joint_domain, random_domain

from discreet.errors import InputError
from discreet.generalization.covering import Covering, class_sets, cover, draw_rows
from discreet.generalization.domain import Domain
from discreet.work import Deadline, Reporter


def _cover(domain: Domain, k: int, **given: object) -> Covering:
    return cover(domain, k, **{"seed": 0, "deadline": Deadline(None), "report": Reporter(None)} | given)  # type: ignore[arg-type]


def _sets(covering: Covering) -> list[list[int]]:
    return [row[:size].tolist() for row, size in zip(covering.members, covering.size)]


def _follows_the_contract(covering: Covering, domain: Domain) -> None:
    sets = _sets(covering)
    for row, own in zip(covering.members.tolist(), sets):
        assert len(set(own)) == len(own)
        assert set(row[len(own) :]) <= {own[0]}
    assert covering.loss == pytest.approx(loss(domain, sets), abs=1e-11)
    weights = np.array([a.weight for a in domain.attributes])
    assert covering.loss == pytest.approx(
        float(np.average([covering.losses[a.name] for a in domain.attributes], weights=weights)), abs=1e-11
    )
    assert (covering.unit == np.arange(domain.n)).all()
    assert covering.lost.size == 0


@pytest.mark.parametrize("method", ["auto", "hungarian", "greedy", "ring", "mondrian", "min-cost-flow"])
@settings(max_examples=8, deadline=None)
@given(n=st.integers(4, 40), k=st.integers(2, 4), seed=st.integers(0, 10**6), missing=st.booleans())
def test_matchings_are_disjoint_and_within_the_sets(method: str, n: int, k: int, seed: int, missing: bool) -> None:
    domain = joint_domain(n, seed, missing=missing, weights=True)
    options = {"rounds": 3} if method == "auto" else {}
    covering = _cover(domain, k, method=method, seed=seed, **options)
    _follows_the_contract(covering, domain)
    assert covering.matchings is not None
    assert covering.home is None
    assert is_regular(np.sort(covering.matchings, axis=1), k)
    assert all((np.sort(column) == np.arange(n)).all() for column in covering.matchings.T)
    assert all(set(row) <= set(own) for row, own in zip(covering.matchings.tolist(), _sets(covering)))
    # Every record is in as many sets as its sets have members: totals of means are kept.
    values = np.random.default_rng(seed).normal(size=n)
    assert sum(values[own].mean() for own in _sets(covering)) == pytest.approx(values.sum(), abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(n=st.integers(4, 40), k=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_classes_of_mondrian(n: int, k: int, seed: int) -> None:
    domain = joint_domain(n, seed)
    covering = _cover(domain, k, guarantee="classes", method="mondrian")
    _follows_the_contract(covering, domain)
    assert covering.matchings is None
    assert covering.home is not None
    assert covering.size.min() >= k
    for r, own in enumerate(_sets(covering)):
        assert covering.home[r] in own
        assert all(_sets(covering)[j] == own for j in own)


def test_classes_by_partition() -> None:
    pytest.importorskip("discreet.generalization.classes.partition")
    domain = joint_domain(120, 3)
    covering = _cover(domain, 3, guarantee="classes", certify=True, deadline=Deadline(3.0))
    _follows_the_contract(covering, domain)
    assert covering.size.min() >= 3
    assert covering.lower_bound is not None
    assert covering.lower_bound <= covering.loss
    assert covering.loss <= _cover(domain, 3, guarantee="classes", method="mondrian").loss


def test_the_sets_of_classes() -> None:
    members, size = class_sets(np.array([7, 2, 7, 7, 2]))
    assert members.tolist() == [[0, 2, 3], [1, 4, 1], [0, 2, 3], [0, 2, 3], [1, 4, 1]]
    assert size.tolist() == [3, 2, 3, 3, 2]


def test_the_mean_over_rows_is_the_share_of_variance_that_is_lost() -> None:
    domain = joint_domain(50, 1)
    covering = _cover(domain, 4, rounds=5)
    skewed = domain.attributes[0]
    assert skewed.position is not None
    x = skewed.position[skewed.codes]
    assert x.var() == pytest.approx(1.0)
    assert covering.losses["skewed"] == pytest.approx(np.mean([lost_variance(x[own]) for own in _sets(covering)]))


def test_all_faults_at_once() -> None:
    domain = random_domain(10, 0)
    with pytest.raises(InputError) as caught:
        _cover(domain, 11, guarantee="classes", method="ring", l=12, rounds=3)
    for words in ("k = 11", "l = 12", "makes no classes", "leave out rounds"):
        assert words in str(caught.value)
    with pytest.raises(InputError, match="guarantee must be one of"):
        _cover(domain, 2, guarantee="hope")
    with pytest.raises(InputError, match="cannot keep to l"):
        _cover(domain, 3, method="ring", l=2, values=np.zeros(10, np.int64))
    with pytest.raises(InputError, match="no option 'speed'"):
        _cover(domain, 3, speed=2)


def test_everybody_shows_l_values() -> None:
    domain, values = joint_domain(80, 2), np.arange(80) % 5
    covering = _cover(domain, 4, values=values, l=3, rounds=10)
    assert covering.matchings is not None
    rows = np.argsort(covering.matchings, axis=0)  # rows[p, u]: where p is in matching u
    for t in range(4):
        shown = values[covering.matchings[:, t]]
        assert min(len(set(shown[rows[p]])) for p in range(80)) >= 3


def _blocks(sizes: list[int], k: int) -> Iterator[tuple[int, int, int]]:
    """Rows of groups of k units with `size` rows each, and the units: row, unit, number within the unit."""
    row = unit = 0
    for size in sizes:
        for _ in range(k):
            for member in range(size):
                yield row, unit, member
                row += 1
            unit += 1


def _households(sizes: list[int], k: int) -> Covering:
    """Closed groups of k households; matching t shifts households by t, member for member."""
    rows = list(_blocks(sizes, k))
    place = {(unit, member): row for row, unit, member in rows}
    matchings = np.array(
        [[place[unit // k * k + (unit % k + t) % k, member] for t in range(k)] for _, unit, member in rows]
    )
    unit = np.array([unit for _, unit, _ in rows])
    nothing = np.zeros(0, np.int64)
    return Covering(
        members=matchings,
        size=np.full(len(rows), k),
        matchings=matchings,
        home=None,
        unit=np.where(np.array([sizes[u // k] for u in unit]) == 1, -1, unit),
        lost=nothing,
        loss=0.0,
        losses={},
        lower_bound=None,
        method="by hand",
        status="complete",
        detail={},
    )


@settings(max_examples=20, deadline=None)
@given(sizes=st.lists(st.integers(1, 3), min_size=1, max_size=5), k=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_whole_households_are_drawn(sizes: list[int], k: int, seed: int) -> None:
    covering = _households(sizes, k)
    drawn = draw_rows(covering, seed)
    assert covering.matchings is not None
    rows = covering.rows
    assert sorted(drawn.origin) == sorted(drawn.order) == list(range(rows))
    assert (covering.matchings[np.arange(rows), drawn.drawn] == drawn.origin).all()
    for unit in np.unique(covering.unit[covering.unit >= 0]):
        inside = np.flatnonzero(covering.unit == unit)
        assert np.unique(covering.unit[drawn.origin[inside]]).size == 1
        assert np.unique(drawn.drawn[inside]).size == 1
        places = np.flatnonzero(np.isin(drawn.order, inside))
        assert places[-1] - places[0] == inside.size - 1  # they stand together
    again = draw_rows(covering, seed)
    assert (again.order == drawn.order).all()
    assert (again.origin == drawn.origin).all()
    still = draw_rows(covering, seed, shuffle=False)
    assert (still.order == np.arange(rows)).all()


def test_each_match_and_each_order_is_as_likely_as_the_others() -> None:
    covering, times = _households([2, 2], 3), 1500
    found, orders = np.zeros((12, 3)), np.zeros((12, 12))
    together = 0
    for seed in range(times):
        drawn = draw_rows(covering, seed)
        found[np.arange(12), drawn.drawn] += 1
        orders[drawn.order, np.arange(12)] += 1
        together += drawn.drawn[0] == drawn.drawn[11]
    deviation = np.sqrt(times * (1 / 3) * (2 / 3))
    assert np.abs(found - times / 3).max() < 5 * deviation
    assert np.abs(orders - times / 12).max() < 5 * np.sqrt(times * (1 / 12) * (11 / 12))
    assert abs(together - times / 3) < 5 * deviation  # two groups are drawn apart


def test_without_a_seed_every_draw_differs() -> None:
    covering = _cover(random_domain(60, 1), 3, method="hungarian")
    assert (draw_rows(covering, None).order != draw_rows(covering, None).order).any()


def test_over_all_draws_a_person_is_at_each_row_equally_often() -> None:
    """Two components of households, all choices: the draw is uniform over matchings of each."""
    covering = _households([2, 1], 2)
    seen = {tuple(draw_rows(covering, seed, shuffle=False).drawn) for seed in range(200)}
    joint = {(a, a, a, a, b, b) for a, b in itertools.product(range(2), repeat=2)}
    assert seen == joint


def test_classes_carry_their_own_records_in_random_order() -> None:
    covering = _cover(joint_domain(30, 4), 3, guarantee="classes", method="mondrian")
    drawn = draw_rows(covering, 1)
    assert (drawn.origin == np.arange(30)).all()
    assert (drawn.drawn == 0).all()
    assert sorted(drawn.order) == list(range(30))
    assert (drawn.order != np.arange(30)).any()
    with pytest.raises(InputError, match="random order"):
        draw_rows(covering, 1, shuffle=False)
