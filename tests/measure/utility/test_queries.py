"""Random range-count queries: the tables of parts against a count of single records."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.utility import queries
from discreet.measure.utility.columns import ANYTHING, MISSING, Categories, Numbers, plain_categories, plain_numbers
from discreet.measure.utility.queries import PARTS, Binned, binned_pair, joint_table, query_errors

ENDS = st.one_of(
    st.tuples(st.integers(0, 9), st.integers(0, 5)).map(lambda t: (float(t[0]), float(t[0] + t[1]))),
    st.just((-np.inf, np.inf)),
    st.just((np.nan, np.nan)),
)


def part_of(low: float, high: float, start: float, end: float) -> float:
    """The part of a range between two cuts."""
    if low == high or not np.isfinite(low):
        return float(start <= low < end)
    return max(min(high, end) - max(low, start), 0.0) / (high - low)


@given(st.lists(st.tuples(st.integers(0, 9), ENDS), min_size=2, max_size=20))
def test_parts_of_numbers(rows: list[tuple[int, tuple[float, float]]]) -> None:
    x = np.array([row[0] for row in rows], float)
    low, high = np.array([row[1] for row in rows]).T
    ones = np.ones(x.size)
    old, new = binned_pair(plain_numbers(x), Numbers(low, high), ones, ones, np.random.default_rng(0))
    values = np.unique(x)
    cuts = [-np.inf, *((values[:-1] + values[1:]) / 2), np.inf]
    known = np.isfinite(low)
    expected = np.array([[part_of(a, b, s, e) for s, e in pairwise(cuts)] for a, b in zip(low, high)])
    assert new.spread[new.kind[known]] == pytest.approx(expected[known])
    assert old.spread[old.kind].sum(axis=1) == pytest.approx(np.ones(x.size))
    guess = expected[known].mean(axis=0) if known.any() else np.full(values.size, 1 / values.size)
    # Nothing was missing, so that blanks are to be guessed as well as anything.
    assert new.spread[new.kind[~known]] == pytest.approx(np.tile(guess, ((~known).sum(), 1)))


def test_nothing_changed_nothing_wrong_gaps_among_it() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=300)
    x[::7] = np.nan
    c = rng.integers(-1, 50, 300)
    columns = [plain_numbers(x), plain_categories(c, 50), plain_numbers(np.full(300, np.nan))]
    weights = rng.random(300)
    errors = query_errors(columns, columns, weights, weights, queries=300, seed=3)
    assert errors == pytest.approx(np.zeros(300), abs=1e-12)


def test_the_order_of_rows_does_not_matter_and_the_seed_does() -> None:
    rng = np.random.default_rng(2)
    x, c = rng.normal(size=200), rng.integers(0, 4, 200)
    noisy, changed = x + rng.normal(size=200), rng.integers(0, 4, 200)
    order, ones = rng.permutation(200), np.ones(200)
    original = [plain_numbers(x), plain_categories(c, 4)]
    files = [[plain_numbers(noisy[o]), plain_categories(changed[o], 4)] for o in (np.arange(200), order)]
    one, two = (query_errors(original, file, ones, ones, queries=99, seed=5) for file in files)
    assert one == pytest.approx(two) and one.max() > 0
    other = query_errors(original, files[0], ones, ones, queries=99, seed=6)
    assert not np.array_equal(one, other)


def test_by_hand_one_category_blanked() -> None:
    """Half of two equal values is blank: a guess by what is known says that all are of the other."""
    c = plain_categories(np.repeat([0, 1], 50), 2)
    blank = c._replace(codes=np.where(c.codes == 1, MISSING, 0))
    errors = query_errors([c], [blank], np.ones(100), np.ones(100), queries=200, seed=0)
    assert set(np.round(errors, 9)) == {0.0, 1.0}
    anything = c._replace(codes=np.full(100, ANYTHING))
    assert query_errors([c], [anything], np.ones(100), np.ones(100), queries=50, seed=0).max() < 1e-9


def test_many_values_and_many_columns() -> None:
    rng = np.random.default_rng(3)
    columns = [plain_numbers(rng.normal(size=500)) for _ in range(12)]
    old, _ = binned_pair(columns[0], columns[0], np.ones(500), np.ones(500), rng)
    assert old.spread.shape[1] == PARTS
    share = np.bincount(old.kind, minlength=PARTS)[:PARTS]
    assert share.min() >= 10 and share.max() <= 20
    assert query_errors(columns, columns, np.ones(500), np.ones(500), queries=40, seed=0).max() == 0


def test_sparse_tables_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(2, 80))
    original = [plain_numbers(row) for row in x]
    published = [Numbers(row - rng.random(80), row + rng.random(80)) for row in x]
    ones = np.ones(80)
    dense = query_errors(original, published, ones, ones, queries=50, seed=1)
    monkeypatch.setattr(queries, "_DENSE", 0)
    assert query_errors(original, published, ones, ones, queries=50, seed=1) == pytest.approx(dense)


def test_values_that_the_original_does_not_have_fit_nothing() -> None:
    c = plain_categories(np.zeros(10, np.int64), 1)
    strange = Categories(np.zeros(10, np.int64), np.array([0, 1]), np.array([1]), 1, False)
    assert query_errors([c], [strange], np.ones(10), np.ones(10), queries=5, seed=0).tolist() == [1.0] * 5


@given(st.integers(0, 10**6), st.integers(1, 30))
def test_tables_record_by_record(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    one, two = (Binned(rng.integers(0, 4, n), rng.random((4, parts)), True) for parts in (3, 5))
    weights = rng.random(n)
    every = sum(w * np.outer(one.spread[a], two.spread[b]) for w, a, b in zip(weights, one.kind, two.kind))
    assert joint_table(one, two, weights) == pytest.approx(every)
    alone = sum(w * one.spread[a] for w, a in zip(weights, one.kind))
    assert joint_table(one, one, weights).sum(axis=1) == pytest.approx(alone)


@given(
    st.lists(st.frozensets(st.integers(-1, 5), min_size=1), min_size=1, max_size=5),
    st.lists(st.integers(-2, 4), min_size=1, max_size=20),
)
def test_parts_of_categories(sets: list[frozenset[int]], rows: list[int]) -> None:
    """Each of four values is a part of its own; −1 is missing, 4 and 5 the original does not have."""
    codes = np.array([min(code, len(sets) - 1) for code in rows])
    first = np.cumsum([0, *(len(members) for members in sets)])
    published = Categories(codes, first, np.array([m for group in sets for m in sorted(group)]), 4, False)
    original = plain_categories(np.arange(len(rows)) % 4, 4)
    ones = np.ones(len(rows))
    part = np.random.default_rng(0).permutation(4)
    _, new = binned_pair(original, published, ones, ones, np.random.default_rng(0))
    for row, code in enumerate(codes.tolist()):
        if code >= 0:
            expected = np.zeros(4)
            for member in sets[code]:
                if 0 <= member < 4:
                    expected[part[member]] += 1 / len(sets[code])
            assert new.spread[new.kind[row]] == pytest.approx(expected)
