"""The form of a column: members of sets, plain values, numbers by value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.utility.columns import (
    ANYTHING,
    MISSING,
    Categories,
    Numbers,
    by_value,
    holds,
    plain_categories,
    plain_numbers,
    take,
)

SETS = st.lists(st.frozensets(st.integers(-1, 5), min_size=1), min_size=1, max_size=6)


def categories(codes: list[int], sets: list[frozenset[int]], size: int = 4) -> Categories:
    first = np.cumsum([0, *(len(members) for members in sets)])
    member = np.array([m for members in sets for m in sorted(members)], np.int64)
    return Categories(np.array(codes, np.int64), first, member, size, True)


@given(SETS, st.lists(st.tuples(st.integers(-2, 5), st.integers(-1, 5)), max_size=20))
def test_members(sets: list[frozenset[int]], rows: list[tuple[int, int]]) -> None:
    codes = [min(code, len(sets) - 1) for code, _ in rows]
    values = np.array([value for _, value in rows], np.int64)
    found = holds(categories(codes, sets), values)
    assert found.tolist() == [code >= 0 and value in sets[code] for code, (_, value) in zip(codes, rows)]
    plain = categories(codes, sets).plain().tolist()
    assert plain == [next(iter(sets[c])) if c >= 0 and len(sets[c]) == 1 else MISSING for c in codes]


def test_numbers_by_value() -> None:
    original = plain_numbers(np.array([3.0, 1.0, np.nan, 7.0, 3.0]))
    published = Numbers(np.array([3.0, 1.0, np.nan, -np.inf, 4.0, 2.0]), np.array([3.0, 3.0, np.nan, np.inf, 5.0, 2.0]))
    old, new, values = by_value(original, published)
    assert values.tolist() == [1.0, 3.0, 7.0]
    assert old.codes.tolist() == [1, 0, MISSING, 2, 1] and old.absent
    sets = [new.member[new.first[c] : new.first[c + 1]].tolist() if c >= 0 else c for c in new.codes.tolist()]
    # A range without a value of the original, and a value that it does not have, are values of their own.
    assert sets == [[1], [0, 1], MISSING, ANYTHING, [3], [3]]


@pytest.mark.parametrize("n", [0, 1])
def test_hardly_any_rows(n: int) -> None:
    x = plain_numbers(np.zeros(n))
    old, new, values = by_value(x, x)
    assert old.codes.tolist() == new.codes.tolist() == [0] * n and values.size == n
    assert holds(plain_categories(np.zeros(n, np.int64), 1), np.zeros(n, np.int64)).tolist() == [True] * n


def test_take() -> None:
    rows = np.array([2, 0])
    assert take(plain_numbers(np.array([1.0, 2.0, 3.0])), rows).low.tolist() == [3.0, 1.0]  # type: ignore[union-attr]
    assert take(plain_categories(np.array([0, 1, 2]), 3), rows).codes.tolist() == [2, 0]  # type: ignore[union-attr]


def test_what_is_known_of_numbers() -> None:
    column = Numbers(np.array([1.0, np.nan, -np.inf, 2.0]), np.array([1.0, np.nan, np.inf, 4.0]))
    assert column.known.tolist() == [True, False, False, True]
    assert column.middle.tolist()[::3] == [1.0, 3.0] and np.isnan(column.middle[1:3]).all()
