"""One intruder for every release: against the pair-by-pair oracle, the nearest-record linkage, and what is proven."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.measure.risk.intruder import linked
from discreet.measure.risk.linkage import distance_linkage, rank_linkage
from discreet.measure.risk.scene import Truth, identity, truth_of
from discreet.measure.utility.columns import Categories, Column, Numbers, plain_categories, plain_numbers
from tests.oracles.intruder import chances


def drawn_numbers(rng: np.random.Generator, n: int, kind: str) -> tuple[Column, Column]:
    """A column of few numbers and its boxes, means, blanks or noise."""
    x = rng.integers(0, 6, n).astype(float)
    if kind == "boxes":
        low, high = x - rng.integers(0, 3, n), x + rng.integers(0, 3, n)
        free = rng.random(n) < 0.2
        return plain_numbers(x), Numbers(np.where(free, -np.inf, low), np.where(free, np.inf, high))
    if kind == "blanks":
        y = np.where(rng.random(n) < 0.3, np.nan, x)
        return plain_numbers(x), plain_numbers(y)
    if kind == "gaps":
        x = np.where(rng.random(n) < 0.2, np.nan, x)
        return plain_numbers(x), plain_numbers(np.where(np.isnan(x), 2.0, x + rng.integers(0, 2, n)))
    return plain_numbers(x), plain_numbers(x + rng.integers(-1, 2, n))


def drawn_sets(rng: np.random.Generator, n: int, kind: str) -> tuple[Column, Column]:
    """A column of categories and its sets, or changed ones."""
    size = 70 if kind == "many" else 4  # beyond one word of bits
    x = rng.integers(-1 if kind == "gaps" else 0, size, n)
    before = plain_categories(x, size)
    sets, codes = [], []
    for value in x.tolist():
        roll = rng.random()
        if roll < 0.15:
            codes.append(int(rng.choice([-1, -2])))
            continue
        own = value if kind != "changed" or roll < 0.8 else int(rng.integers(0, size + 2))
        more = rng.integers(0, size, int(rng.integers(0, 3))).tolist()
        codes.append(len(sets))
        sets.append(sorted({own, *more}))
    first = np.concatenate([[0], np.cumsum([len(one) for one in sets])]).astype(np.int64)
    members = np.array([one for group in sets for one in group], np.int64)
    return before, Categories(np.array(codes), first, members, size, before.absent)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 9),
    st.lists(st.sampled_from(["boxes", "blanks", "gaps", "noise"]), max_size=2),
    st.lists(st.sampled_from(["plain", "many", "gaps", "changed"]), max_size=2),
    st.integers(1, 3),
)
def test_as_pair_by_pair(seed: int, n: int, numbers: list[str], sets: list[str], draws: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = [*(drawn_numbers(rng, n, kind) for kind in numbers), *(drawn_sets(rng, n, kind) for kind in sets)]
    original, published = [a for a, _ in pairs], [b for _, b in pairs]
    shifts = rng.permutation(n)[:draws]
    persons_of = (np.arange(n)[:, None] + shifts) % n  # so many disjoint matchings
    kept = rng.permutation(n)[: max(1, n - int(rng.integers(0, 2)))]
    published = [type(one)(one.low[kept], one.high[kept]) if isinstance(one, Numbers) else one._replace(codes=one.codes[kept]) for one in published]  # fmt: skip  # noqa: E501
    truth = truth_of(persons_of[kept], n)
    found = linked(original, published, truth, threads=1 + seed % 2)
    fit, near = chances(original, published, truth.records, truth.persons)
    assert found.by_attack["candidates"] == pytest.approx(fit, abs=1e-12)
    assert found.by_attack["distance"] == pytest.approx(near, abs=1e-12)
    if "rank" in found.by_attack:
        assert found.by_attack["rank"] == pytest.approx(
            chances(original, published, truth.records, truth.persons, ranks=True)[1], abs=1e-12
        )
    assert found.persons == n
    assert found.share == max(found.by_attack.values())


def test_numbers_alone_are_linked_as_by_nearest_records() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(300, 4))
    y = x + 0.3 * rng.normal(size=x.shape)
    found = linked([plain_numbers(c) for c in x.T], [plain_numbers(c) for c in y.T], identity(300))
    # A distance has two directions, of which the better counts.
    assert found.by_attack["distance"] >= distance_linkage(x, y).mean() - 1e-12
    assert found.by_attack["rank"] >= rank_linkage(x, y).mean() - 1e-12
    assert found.by_attack["distance"] < 1.2 * distance_linkage(x, y).mean()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 5))
def test_classes_of_k_allow_one_in_k(seed: int, k: int, groups: int) -> None:
    rng = np.random.default_rng(seed)
    n = k * groups
    x = rng.normal(size=(n, 2))
    home = rng.permutation(np.repeat(np.arange(groups), k))
    means = np.array([x[home == g].mean(axis=0) for g in range(groups)])[home]
    age, ends = rng.integers(0, 9, n), np.zeros((n, 2))
    for g in range(groups):
        ends[home == g] = age[home == g].min(), age[home == g].max()
    original = [*(plain_numbers(c) for c in x.T), plain_numbers(age.astype(float))]
    published = [*(plain_numbers(c) for c in means.T), Numbers(ends[:, 0], ends[:, 1])]
    assert linked(original, published, identity(n)).share <= 1 / k + 1e-12
    few = linked(original, published, identity(n), most_pairs=2 * n, seed=seed)  # in a sample too
    assert few.share <= 1 / k + 1e-12


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(6, 12))
def test_k_matchings_allow_one_in_k(seed: int, k: int, n: int) -> None:
    """Boxes over k matches each, of which one is drawn: whatever is picked, over the draw it is right once in k."""
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 9, n).astype(float)
    persons_of = (np.arange(n)[:, None] + rng.permutation(n)[:k]) % n
    boxes = Numbers(age[persons_of].min(axis=1), age[persons_of].max(axis=1))
    assert linked([plain_numbers(age)], [boxes], truth_of(persons_of, n)).share <= 1 / k + 1e-12


def test_wildcards_are_found_from_the_record_to_the_person() -> None:
    """Two blank rows make every person fit three; but each other row still fits one person only."""
    age = np.arange(10.0)
    y = np.where(age < 2, np.nan, age)
    found = linked([plain_numbers(age)], [plain_numbers(y)], identity(10))
    assert found.by_attack["candidates"] == pytest.approx(0.8 + 0.2 / 10)
    assert found.strongest in ("candidates", "distance")


def test_lost_persons_are_not_found_and_a_sample_stands_for_all() -> None:
    x = np.arange(50.0)
    rows = np.arange(40)
    truth = truth_of(rows[:, None], 50)
    assert (truth.records[40:] == -1).all()
    found = linked([plain_numbers(x)], [plain_numbers(x[:40])], truth)
    assert found.by_attack["candidates"] == 1.0  # every record tells its person
    few = linked([plain_numbers(x)], [plain_numbers(x)], identity(50), most_pairs=500, seed=1)
    assert (few.persons, few.share) == (10, 1.0)


def test_nothing_known_finds_one_in_all() -> None:
    none = linked([], [], identity(8))
    assert none.share == pytest.approx(1 / 8)
    same = plain_numbers(np.ones(8))
    assert linked([same], [same], identity(8)).share == pytest.approx(1 / 8)
    assert isinstance(identity(3), Truth)
