"""Slow, obvious twins of the protection of households: orders, sets and matchings by exhaustion."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from discreet.generalization.covering import Covering
from discreet.generalization.domain import INTERVAL, MEAN, Attribute, Codes
from oracles.generalization import has_regular_subgraph, ncp
from oracles.generalization_domains import joint_domain


def random_households(
    sizes: Sequence[int], seed: int, *, missing: bool = False, shared: int = 2
) -> tuple[list[Attribute], list[Attribute], np.ndarray]:
    """Attributes of persons, attributes that households share, and the household of each person, in random order."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(rng.permutation(len(sizes)) + 10, sizes)
    rng.shuffle(unit)
    attributes = list(joint_domain(unit.size, seed, missing=missing, weights=True).attributes)
    first = np.unique(unit, return_index=True)[1][np.unique(unit, return_inverse=True)[1]]
    same = [Attribute(**(vars(a) | {"codes": a.codes[first]})) for a in attributes[:shared]]
    return attributes[shared:], same, unit


def row_cost(attributes: Sequence[Attribute], people: Sequence[int], share: bool = False) -> float:
    """What a row that covers these persons costs, weights scaled to mean 1."""
    mean = float(np.mean([a.weight for a in attributes]))
    return sum(a.weight / mean * ncp(a, [int(a.codes[i]) for i in people], share) for a in attributes)


def set_cost(attributes: Sequence[Attribute], households: Sequence[Sequence[int]]) -> float:
    """The least cost of the rows over a set of households, by trying all orders of all but the first."""
    first, *others = households
    return min(
        sum(row_cost(attributes, people) for people in zip(first, *orders))
        for orders in itertools.product(*(list(itertools.permutations(other)) for other in others))
    )


def least_loss(attributes: Sequence[Attribute], households: Sequence[Sequence[int]], k: int) -> float:
    """The least loss of k matches for each of the households of one size, over all regular graphs and all orders.

    By dynamic programming over sets: the state is how often each household may still be covered.
    """
    n = len(households)
    cost = {
        chosen: set_cost(attributes, [households[h] for h in chosen]) for chosen in itertools.combinations(range(n), k)
    }
    states = {(k,) * n: 0.0}
    for _ in range(n):
        following: dict[tuple[int, ...], float] = {}
        for left, total in states.items():
            for chosen, extra in cost.items():
                if all(left[h] > 0 for h in chosen):
                    rest = tuple(x - (h in chosen) for h, x in enumerate(left))
                    following[rest] = min(total + extra, following.get(rest, np.inf))
        states = following
    return states[(0,) * n] / (n * len(households[0]) * len(attributes))


def contains(attribute: Attribute, codes: Codes, own: int) -> bool:
    """Whether the box over `codes` contains a value: what an intruder who knows it asks of a published row."""
    if attribute.kind == MEAN or own < 0 or own in codes:
        return True
    known = [int(code) for code in codes if code >= 0]
    if not known:
        return False
    if attribute.kind == INTERVAL:
        places = attribute.position[known]
        wide = np.isnan(places).any() and not np.isnan(places).all()
        return bool(wide or places.min() <= attribute.position[own] <= places.max())
    if attribute.hierarchy is None:
        return False
    names = {attribute.hierarchy.leaves[code] for code in known}
    node = min((c for c in attribute.hierarchy.coverage().values() if names <= set(c)), key=len)
    return attribute.hierarchy.leaves[own] in node


def household_candidates(
    attributes: Sequence[Attribute], covering: Covering, unit: np.ndarray
) -> tuple[np.ndarray, list[int], list[int]]:
    """Which published households each original fits: its members, or some of them, fit the rows one to one."""
    published, originals = sorted(set(covering.unit.tolist()) - {-1}), sorted(set(unit.tolist()))

    def fits(person: int, row: int) -> bool:
        return all(contains(a, a.codes[covering.members[row]], int(a.codes[person])) for a in attributes)

    def fit(people: Sequence[int], rows: Sequence[int]) -> bool:
        return any(
            all(fits(person, row) for person, row in zip(order, rows))
            for order in itertools.permutations(people, len(rows))
        )

    found = np.array(
        [
            [fit(np.flatnonzero(unit == h).tolist(), np.flatnonzero(covering.unit == p).tolist()) for p in published]
            for h in originals
        ]
    )
    return found, originals, published


def check_covering(covering: Covering, unit: np.ndarray, k: int) -> None:
    """Everything that the guarantee for households says about sets, matchings and units, straight from the words."""
    rows, lost = covering.rows, set(covering.lost.tolist())
    assert sorted(lost) == covering.lost.tolist()
    sets = [row[:size].tolist() for row, size in zip(covering.members, covering.size)]
    for row, own in zip(covering.members.tolist(), sets):
        assert len(set(own)) == len(own) >= k
        assert set(row[len(own) :]) <= {own[0]}
    people = sorted(set(range(unit.size)) - lost)
    assert sorted({i for own in sets for i in own}) == people
    assert rows == len(people)
    if covering.matchings is not None:
        assert covering.home is None
        carried = [covering.matchings[:, t] for t in range(k)]
        assert covering.matchings.shape == (rows, k)
        assert all(len(set(row)) == k and set(row) <= set(own) for row, own in zip(covering.matchings.tolist(), sets))
    else:
        assert covering.home is not None
        carried = [covering.home]
        assert all(i in own for i, own in zip(covering.home.tolist(), sets))
        for a, b in itertools.combinations(sets, 2):
            assert a == b or not set(a) & set(b)
    linked = np.unique(covering.unit[covering.unit >= 0])
    for origin in carried:
        assert sorted(origin.tolist()) == people
        for number in linked:
            _, several = _households(origin[covering.unit == number], unit)
            assert not several
    for number in linked:
        mine = np.flatnonzero(covering.unit == number)
        among = {tuple(sorted(unit[sets[r]].tolist())) for r in mine}
        assert len(among) == 1
        (households,) = among
        assert len(set(households)) == len(households) >= k


def _households(people: np.ndarray, unit: np.ndarray) -> tuple[int, bool]:
    found = np.unique(unit[people])
    return int(found[0]), found.size > 1


def has_k_matchings(candidates: np.ndarray, k: int) -> bool:
    return has_regular_subgraph(candidates, k)
