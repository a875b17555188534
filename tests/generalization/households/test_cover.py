from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.households import (
    check_covering,
    has_k_matchings,
    household_candidates,
    least_loss,
    random_households,
    row_cost,
)

from discreet.errors import InputError
from discreet.generalization import domain as domains
from discreet.generalization.covering import Covering, cover, draw_rows
from discreet.generalization.households.cover import cover_households
from discreet.generalization.households.sizes import Nouns
from discreet.work import Deadline, Reporter

GUARANTEES = ("matchings", "classes")


def _cover(members: list, shared: list, unit: np.ndarray, k: int, **given: object) -> Covering:
    how = {"seed": 0, "deadline": Deadline(None), "report": Reporter(None)} | given
    return cover_households(members, shared, unit, k, **how)  # type: ignore[arg-type]


def _loss(attributes: list, covering: Covering) -> float:
    sets = [row[:size].tolist() for row, size in zip(covering.members, covering.size)]
    return float(np.mean([row_cost(attributes, own) for own in sets])) / len(attributes)


@pytest.mark.parametrize("guarantee", GUARANTEES)
@settings(max_examples=12, deadline=None)
@given(
    counts=st.lists(st.integers(0, 8), min_size=1, max_size=4),
    k=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    missing=st.booleans(),
)
def test_every_household_has_k_matches_member_for_member(
    guarantee: str, counts: list[int], k: int, seed: int, missing: bool
) -> None:
    sizes = [size + 1 for size, count in enumerate(counts) for _ in range(count + k - 1 if count else 0)]
    if not sizes:
        return
    members, shared, unit = random_households(sizes, seed, missing=missing)
    covering = _cover(members, shared, unit, k, guarantee=guarantee, seed=seed)
    check_covering(covering, unit, k)
    assert covering.lost.size == 0
    assert Counter(Counter(covering.unit.tolist()).values()) == Counter(sizes)
    assert covering.loss == pytest.approx(_loss([*members, *shared], covering), abs=1e-9)
    weights = [a.weight for a in (*members, *shared)]
    each = [covering.losses[a.name] for a in (*members, *shared)]
    assert covering.loss == pytest.approx(float(np.average(each, weights=weights)), abs=1e-9)
    # What is shared is covered alike in all rows of a published household.
    for number in np.unique(covering.unit):
        for a in shared:
            seen = {tuple(sorted(a.codes[row].tolist())) for row in covering.members[covering.unit == number]}
            assert len(seen) == 1


@pytest.mark.parametrize("guarantee", GUARANTEES)
@settings(max_examples=10, deadline=None)
@given(size=st.integers(1, 3), count=st.integers(3, 6), k=st.integers(2, 3), seed=st.integers(0, 10**6))
def test_an_intruder_finds_k_disjoint_matchings_of_households(
    guarantee: str, size: int, count: int, k: int, seed: int
) -> None:
    members, shared, unit = random_households([size] * count, seed)
    covering = _cover(members, shared, unit, k, guarantee=guarantee)
    candidates, _, _ = household_candidates([*members, *shared], covering, unit)
    assert has_k_matchings(candidates, k)


@pytest.mark.parametrize("guarantee", GUARANTEES)
@settings(max_examples=10, deadline=None)
@given(size=st.integers(1, 3), count=st.integers(3, 5), k=st.integers(2, 3), seed=st.integers(0, 10**6))
def test_the_loss_is_near_the_least_and_never_below_it(
    guarantee: str, size: int, count: int, k: int, seed: int
) -> None:
    members, shared, unit = random_households([size] * count, seed)
    covering = _cover(members, shared, unit, k, guarantee=guarantee, certify=True, deadline=Deadline(0.5))
    households = [np.flatnonzero(unit == h).tolist() for h in np.unique(unit)]
    least = least_loss([*members, *shared], households, k)
    assert covering.loss >= least - 1e-9
    assert covering.lower_bound is not None
    assert covering.lower_bound <= least + 1e-9
    if guarantee == "matchings":
        assert covering.loss <= 1.25 * least + 1e-9
        if count == k == 2:
            assert covering.loss == pytest.approx(least, abs=1e-6)


def test_couples_are_told_apart_by_no_order_of_their_members() -> None:
    """Couples of one pattern each, written down in either order: nothing has to be widened."""
    age = np.array([40.0, 30, 30, 40, 40, 30, 30, 40, 40, 30, 30, 40])
    sex = np.array([0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0])
    unit = np.repeat(np.arange(6), 2)
    members = [domains.numeric("age", age), domains.categorical("sex", sex, 2)]
    for guarantee in GUARANTEES:
        assert _cover(members, [], unit, 3, guarantee=guarantee).loss == 0.0


def test_households_of_one_person_are_persons() -> None:
    members, shared, unit = random_households([1] * 30, 3)
    covering = _cover(members, shared, unit, 3, method="hungarian")
    alone = cover(
        domains.domain([*members, *shared]),
        3,
        method="hungarian",
        seed=0,
        deadline=Deadline(None),
        report=Reporter(None),
    )
    assert covering.loss == pytest.approx(alone.loss, abs=1e-12)


@pytest.mark.parametrize("method", ["hungarian", "greedy", "ring", "min-cost-flow", "mondrian"])
def test_every_method_serves(method: str) -> None:
    members, shared, unit = random_households([2] * 12 + [3] * 9, 1)
    check_covering(_cover(members, shared, unit, 3, method=method), unit, 3)


def test_boxes_wider_than_their_matches_are_aligned_as_a_whole() -> None:
    members, _, unit = random_households([3] * 14, 2)
    keys = [a for a in members if a.kind != domains.MEAN]
    covering = _cover(keys, [], unit, 4, method="mondrian")
    check_covering(covering, unit, 4)
    assert covering.size.max() > 4


@pytest.mark.parametrize("guarantee", GUARANTEES)
def test_rare_sizes(guarantee: str) -> None:
    sizes = [1] * 6 + [2] * 8 + [4] * 2 + [5] * 1
    members, shared, unit = random_households(sizes, 4)
    of = np.bincount(unit)[unit]
    with pytest.raises(InputError, match=r"2 households of size 4 \(8 persons\), 1 household of size 5 \(5 persons\)"):
        _cover(members, shared, unit, 4, guarantee=guarantee)
    dropped = _cover(members, shared, unit, 4, rare="suppress", guarantee=guarantee)
    check_covering(dropped, unit, 4)
    assert dropped.lost.tolist() == np.flatnonzero(of >= 4).tolist()
    loose = _cover(members, shared, unit, 4, rare="unlink", guarantee=guarantee)
    check_covering(loose, unit, 4)
    assert loose.lost.size == 0
    single = loose.unit < 0
    assert single.sum() == 13
    assert set(np.flatnonzero(of >= 4)) == set(loose.members[single].ravel())
    joined = _cover(members, shared, unit, 4, rare="merge", guarantee=guarantee)
    check_covering(joined, unit, 4)
    assert Counter(unit[joined.lost].tolist()) == {
        int(u): size - 2 for u, size in zip(*np.unique(unit, return_counts=True)) if size >= 4
    }
    candidates, originals, published = household_candidates([*members, *shared], joined, unit)
    small = [h for h, u in enumerate(originals) if (unit == u).sum() > 1]
    rows = [p for p, u in enumerate(published) if (joined.unit == u).sum() > 1]
    assert has_k_matchings(candidates[np.ix_(small, rows)], 4)


def test_units_of_fifty_rows() -> None:
    """A panel: each person was asked fifty times, in no order that the file keeps."""
    rng = np.random.default_rng(0)
    persons, waves = 16, 50
    wave = np.stack([rng.permutation(waves) for _ in range(persons)])
    level = rng.integers(0, 20, persons)
    score = level[:, None] + wave + rng.integers(0, 2, (persons, waves))
    unit = np.repeat(np.arange(persons), waves)
    members = [
        domains.numeric("wave", wave.ravel().astype(float)),
        domains.numeric("score", score.ravel().astype(float)),
    ]
    for guarantee in GUARANTEES:
        covering = _cover(members, [], unit, 4, guarantee=guarantee)
        check_covering(covering, unit, 4)
        assert covering.losses["wave"] < 0.02


def test_a_draw_takes_whole_households_each_with_probability_one_over_k() -> None:
    k, count = 3, 9
    members, shared, unit = random_households([2] * count, 8)
    covering = _cover(members, shared, unit, k)
    numbers = np.unique(covering.unit)
    seen: Counter[tuple[int, int]] = Counter()
    draws = 600
    for seed in range(draws):
        drawn = draw_rows(covering, seed)
        assert sorted(drawn.origin.tolist()) == list(range(unit.size))
        for number in numbers:
            (household,) = set(unit[drawn.origin[covering.unit == number]].tolist())
            seen[int(number), household] += 1
        placed = covering.unit[drawn.order]
        assert (placed[::2] == placed[1::2]).all()
    assert len(seen) == k * count
    assert max(abs(times - draws / k) for times in seen.values()) < 6 * np.sqrt(draws * (1 / k) * (1 - 1 / k))


def test_classes_show_the_same_sets_in_the_same_order() -> None:
    """What a release computes from a set must not tell which of its households stands in a row."""
    members, shared, unit = random_households([3] * 11 + [1] * 7, 9)
    covering = _cover(members, shared, unit, 3, guarantee="classes")
    sets: dict[frozenset[int], set[tuple[int, ...]]] = {}
    for row, size in zip(covering.members.tolist(), covering.size):
        sets.setdefault(frozenset(row), set()).add((*row, int(size)))
    assert all(len(orders) == 1 for orders in sets.values())


@pytest.mark.parametrize("guarantee", GUARANTEES)
def test_threads_do_not_matter(guarantee: str) -> None:
    members, shared, unit = random_households([2] * 80 + [3] * 40, 6)
    found = []
    for threads in (1, 3):
        with ThreadPoolExecutor(threads) as pool:
            found.append(_cover(members, shared, unit, 3, guarantee=guarantee, executor=pool))
    assert (found[0].members == found[1].members).all()


@pytest.mark.parametrize("guarantee", GUARANTEES)
def test_without_time_the_guarantee_holds(guarantee: str) -> None:
    members, shared, unit = random_households([2] * 20 + [4] * 9, 6)
    covering = _cover(members, shared, unit, 4, guarantee=guarantee, deadline=Deadline(0))
    check_covering(covering, unit, 4)
    assert covering.status == "time limit"


def test_everything_wrong_is_said_at_once() -> None:
    members, shared, unit = random_households([2] * 6, 1)
    with pytest.raises(InputError) as error:
        _cover(members[:1], members[1:], unit, 1, rare="hide", guarantee="luck", l=2)
    text = str(error.value)
    for words in (
        "rare must be",
        "guarantee must be",
        "k must be",
        "l = 2 is not available with households",
        "differs",
    ):
        assert words in text
    with pytest.raises(InputError, match="not available with persons as units"):
        _cover(members, shared, unit, 2, l=2, nouns=Nouns("person", "row"))
    with pytest.raises(InputError, match="makes no classes"):
        _cover(members, shared, unit, 2, guarantee="classes", method="ring")
    with pytest.raises(InputError, match="unknown method"):
        _cover(members, shared, unit, 2, method="magic")
    with pytest.raises(InputError, match="at least one"):
        _cover([], [], unit, 2)
    with pytest.raises(InputError, match="every person needs a household"):
        _cover(members, shared, unit[1:], 2)


def test_households_may_have_nothing_but_what_they_share() -> None:
    unit = np.repeat(np.arange(8), 3)
    shared = [domains.categorical("region", np.repeat(np.arange(8) % 2, 3), 2)]
    for guarantee in GUARANTEES:
        assert _cover([], shared, unit, 4, guarantee=guarantee).loss == 0.0
