"""Leave-one-out skill: equal to the slow definition; what the survey's columns tell; tiny files fail by no accident."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.verify.left.nearest import nearest
from discreet.verify.left.skill import Key, Teller, median_of_equal, right_by_equal
from discreet.verify.left.values import read_values
from discreet.verify.readers import open_table
from tests.oracles import left as slow
from tests.verify.left.made import generated_survey, numbers, words

SMALL = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30)


@given(SMALL)
def test_right_by_equal_values_is_counted_as_defined(rows: list[tuple[int, int]]) -> None:
    column, key = [a for a, _ in rows], [b for _, b in rows]
    codes = words(key).codes
    counts = np.bincount(codes)
    expected = slow.right_by_equal(column, codes.tolist())
    lone = [i for i, value in enumerate(column) if column.count(value) == 1]
    # Ties for the most frequent value of all are broken by number in the one and by order in the other.
    expected += sum(codes[i] == counts.argmax() for i in lone)
    expected -= sum(codes[i] == slow.most_frequent(codes.tolist()) for i in lone)
    assert right_by_equal(words(column).codes, codes, int(counts.argmax())) == pytest.approx(expected)


@given(SMALL)
def test_the_median_of_equal_values_is_that_of_the_others(rows: list[tuple[int, int]]) -> None:
    column, key = [a for a, _ in rows], [float(b) for _, b in rows]
    found = median_of_equal(words(column).codes, np.array(key), 7.5)
    assert found.tolist() == slow.median_of_equal(column, key, 7.5)


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=30), st.integers(1, 8))
def test_the_nearest_are_the_nearest(places: list[int], m: int) -> None:
    rows, near = nearest(np.array(places, float), m)
    assert sorted(rows.tolist()) == list(range(len(places)))
    distances = slow.nearest_distances(places, m)
    for row, others in zip(rows.tolist(), near.tolist()):
        assert row not in others and len(set(others)) == len(others)
        assert sorted(abs(places[row] - places[j]) for j in others) == distances[row]


@given(SMALL)
def test_skill_of_equal_values_is_as_defined(rows: list[tuple[int, int]]) -> None:
    column, key = [a for a, _ in rows], [float(b) for _, b in rows]
    target = Key(numbers(key))
    if not target.varies or len(set(column)) < 2 or len(set(column)) == len(column):
        return
    middle = float(np.median(key))
    expected = slow.skill_of_numbers(slow.median_of_equal(column, key, middle), key)
    assert Teller(words(column)).tells(target).value == pytest.approx(expected)


def test_what_leaks_is_told_apart_from_ordinary_columns() -> None:
    people = generated_survey()
    table = open_table(people, "the survey")
    keys = {name: Key(read_values(table.column(name))) for name in ("age", "sex", "region")}

    def skill(column: str, key: str) -> float:
        return Teller(read_values(table.column(column))).tells(keys[key]).value

    assert skill("weight", "region") == 1.0 and skill("sex_code", "sex") == 1.0
    assert skill("noisy_weight", "region") == pytest.approx(0.85, abs=0.03)
    assert skill("born", "age") == pytest.approx(1.0, abs=0.005)
    assert skill("year_of_birth", "age") == pytest.approx(1.0, abs=0.005)
    ordinary = ("income", "spending", "savings", "hours", "employment", "education", "dwelling", "illness")
    assert max(skill(column, key) for column in ordinary for key in keys) < 0.42


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 14), st.integers(0, 10**6))
def test_a_handful_of_random_rows_is_no_surprise(n: int, seed: int) -> None:
    from discreet.verify.left.telling import tellings

    rng = np.random.default_rng(seed)
    left = [numbers(rng.integers(0, 4, n).astype(float).tolist()), words(rng.integers(0, 3, n).tolist())]
    keys = [numbers(rng.integers(0, 4, n).astype(float).tolist()), words(rng.integers(0, 3, n).tolist())]
    assert not [told for told in tellings(left, keys) if told.skill >= 0.7]
