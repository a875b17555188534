"""Loss on one scale: equal to the definition cell by cell, between 0 and 1, and what each end means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.utility import category_loss, number_loss

from discreet.measure.utility.columns import (
    ANYTHING,
    MISSING,
    Categories,
    Numbers,
    plain_categories,
    plain_numbers,
)
from discreet.measure.utility.overall import cell_losses, column_loss, expected_error, overall_loss

NUMBER = st.integers(-20, 20).map(float)
ENDS = st.one_of(
    NUMBER.map(lambda x: (x, x)),
    st.tuples(NUMBER, NUMBER).map(lambda both: (min(both), max(both))),
    st.just((-np.inf, np.inf)),
    st.none(),
)
WORDS = st.one_of(st.frozensets(st.one_of(st.sampled_from("abcdz"), st.none()), min_size=1), st.just("*"), st.none())


def as_sets(published: list[object], letters: str, absent: bool) -> Categories:
    """Sets of letters as the room has them; a letter that is not among `letters` is a value of its own."""
    codes, first, member = [], [0], []
    for words in published:
        if words is None or words == "*":
            codes.append(MISSING if words is None else ANYTHING)
            continue
        assert isinstance(words, frozenset)
        codes.append(len(first) - 1)
        member += [MISSING if w is None else letters.index(w) if w in letters else len(letters) for w in words]
        first.append(len(member))
    return Categories(np.array(codes), np.array(first), np.array(member, np.int64), len(letters), absent)


@given(st.lists(st.tuples(st.one_of(NUMBER, st.none()), ENDS), min_size=1, max_size=12))
def test_numbers_lose_what_the_definition_says(rows: list[tuple[float | None, tuple[float, float] | None]]) -> None:
    x = [row[0] for row in rows]
    blank = (np.nan, np.nan)
    low, high = np.array([blank if row[1] is None else row[1] for row in rows]).T
    found = cell_losses(plain_numbers(np.array([np.nan if v is None else v for v in x])), Numbers(low, high))
    assert found == pytest.approx([number_loss(v, row[1], x) for v, row in zip(x, rows)])
    assert ((found >= 0) & (found <= 1)).all()


@given(st.lists(st.tuples(st.one_of(st.sampled_from("abcd"), st.none()), WORDS), min_size=1, max_size=12))
def test_categories_lose_what_the_definition_says(rows: list[tuple[str | None, object]]) -> None:
    x = [row[0] for row in rows]
    letters = "".join(sorted({v for v in x if v is not None}))
    codes = np.array([MISSING if v is None else letters.index(v) for v in x])
    before = plain_categories(codes, len(letters))
    found = cell_losses(before, as_sets([row[1] for row in rows], letters, before.absent))
    assert found == pytest.approx([category_loss(v, row[1], x) for v, row in zip(x, rows)])
    assert ((found >= 0) & (found <= 1)).all()


def test_nothing_lost_and_all_lost() -> None:
    rng = np.random.default_rng(0)
    x, c = plain_numbers(rng.normal(size=50)), plain_categories(rng.integers(0, 4, 50), 4)
    blank = np.full(50, np.nan)
    assert overall_loss([x, c], [x, c]) == 0
    assert overall_loss([x, c], [Numbers(blank, blank), c._replace(codes=np.full(50, MISSING))]) == 1
    anything = Numbers(np.full(50, -np.inf), np.full(50, np.inf))
    assert overall_loss([x, c], [anything, c._replace(codes=np.full(50, ANYTHING))]) == 1
    assert overall_loss([], []) == 0
    assert column_loss(plain_numbers(np.empty(0)), plain_numbers(np.empty(0))) == 0


def test_the_median_for_all_is_half_and_a_shuffled_column_is_up_to_one() -> None:
    x = np.random.default_rng(1).exponential(size=20_000)
    median = np.full(x.size, np.median(x))
    flat = np.array([0.0, 1.0] * 500)
    assert column_loss(plain_numbers(flat), plain_numbers(np.full(1000, 0.5))) == pytest.approx(0.5)
    assert 0.3 < column_loss(plain_numbers(x), plain_numbers(median)) <= 0.5  # cells are cut at 1: a little less
    shuffled = np.random.default_rng(2).permutation(x)
    assert 0.4 < column_loss(plain_numbers(x), plain_numbers(shuffled)) < 1


@given(st.lists(NUMBER, min_size=2, max_size=10), st.sampled_from([1e-300, 1e-3, 7.0, 1e300]))
def test_units_do_not_matter(values: list[float], unit: float) -> None:
    x, y = np.array(values), np.array(values[::-1])
    once = cell_losses(plain_numbers(x), plain_numbers(y))
    assert cell_losses(plain_numbers(x * unit), plain_numbers(y * unit)) == pytest.approx(once)


@given(st.lists(st.tuples(NUMBER, NUMBER), min_size=2, max_size=10), st.randoms())
def test_the_order_of_rows_does_not_matter(rows: list[tuple[float, float]], random: object) -> None:
    x, y = np.array(rows).T
    order = np.array(random.sample(range(len(rows)), len(rows)))  # type: ignore[attr-defined]
    once = column_loss(plain_numbers(x), plain_numbers(y))
    assert column_loss(plain_numbers(x[order]), plain_numbers(y[order])) == pytest.approx(once)


def test_a_wider_range_around_the_value_costs_no_less() -> None:
    x = np.zeros(4)
    error = expected_error(x, np.array([0.0, -1.0, -2.0, -4.0]), np.array([0.0, 1.0, 2.0, 4.0]))
    assert error.tolist() == [0.0, 0.5, 1.0, 2.0]


def test_a_constant_column_costs_nothing_unless_it_is_changed() -> None:
    x = plain_numbers(np.full(3, 7.0))
    assert cell_losses(x, Numbers(np.array([7.0, 8.0, 6.0]), np.array([7.0, 8.0, 9.0]))).tolist() == [0, 1, 1]
    same = plain_categories(np.zeros(3, np.int64), 1)
    assert cell_losses(same, same._replace(codes=np.array([0, MISSING, ANYTHING]))).tolist() == [0, 1, 1]
