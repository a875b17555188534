"""Means that add up: against fractions, for matchings, classes and gaps, to the last digit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import Faults
from discreet.frames import adopt
from discreet.instruments.protect.amounts import Amount, decimal_text, read_amount
from discreet.instruments.protect.means import Sets, apportion, means


def amount(values: list[object], missing: str = "known") -> Amount:
    faults = Faults()
    found = read_amount(adopt(pd.DataFrame({"x": values})), "x", missing, faults)
    faults.raise_if_any()
    assert found is not None
    return found


def ring(n: int, k: int) -> Sets:
    """Row r shows records r … r + k − 1: every record is in k sets."""
    records = (np.arange(n)[:, None] + np.arange(k)[None, :]) % n
    return Sets(np.arange(0, n * k + 1, k), records.ravel(), np.arange(n))


def classes(sizes: list[int]) -> Sets:
    start = np.concatenate([[0], np.cumsum(sizes)])
    return Sets(start, np.arange(start[-1]), np.repeat(np.arange(len(sizes)), sizes))


def shown(found: object, sets: Sets) -> list[Fraction | None]:
    texts = found.texts()  # type: ignore[attr-defined]
    return [None if texts[s] is None else Fraction(texts[s]) for s in sets.of_row]


NOBODY = np.zeros(0, np.int64)
NUMBERS = st.one_of(
    st.integers(-(10**6), 10**6),
    st.decimals(-1000, 1000, places=2).map(str),
    st.integers(-(10**30), 10**30).map(str),
)


@given(st.lists(NUMBERS, min_size=3, max_size=12), st.integers(2, 6))
def test_means_of_matchings_keep_the_total_to_the_last_digit(values: list[object], k: int) -> None:
    texts = [str(value) for value in values]
    sets = ring(len(texts), min(k, len(texts)))
    found = means(amount(texts), sets, NOBODY)
    total = sum(map(Fraction, texts))
    assert found.kept
    assert Fraction(found.original) == Fraction(found.published) == total
    published = shown(found, sets)
    assert sum(one for one in published if one is not None) == total
    unit = Fraction(1, 10**found.decimals)
    for row, one in enumerate(published):
        members = [Fraction(texts[i]) for i in sets.records[sets.start[row] : sets.start[row + 1]]]
        assert one is not None
        assert abs(one - sum(members) / len(members)) < unit


@given(st.data())
@settings(max_examples=200)
def test_classes_are_rounded_alike_and_keep_the_total_where_that_is_possible(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(2, 5), min_size=1, max_size=5))
    sets = classes(sizes)
    values = [str(v) for v in data.draw(st.lists(st.integers(-50, 50), min_size=sum(sizes), max_size=sum(sizes)))]
    found = means(amount(list(values)), sets, NOBODY)
    published = shown(found, sets)
    total, unit = sum(map(Fraction, values)), Fraction(1, 10**found.decimals)
    assert Fraction(found.published) == sum(one for one in published if one is not None)
    assert found.kept == (Fraction(found.published) == total)
    assert Fraction(found.difference) == Fraction(found.published) - total
    floors = []
    for s, size in enumerate(sizes):
        exact = sum(map(Fraction, values[sets.start[s] : sets.start[s + 1]])) / size
        assert abs(Fraction(found.texts()[s] or "") - exact) < unit
        floors.append((exact / unit).__floor__())
    # Brute force over all ways to round: an exact one is found wherever there is one.
    ways = np.array(np.meshgrid(*[[0, 1]] * len(sizes))).T.reshape(-1, len(sizes))
    exact_parts = [
        sum(map(Fraction, values[sets.start[s] : sets.start[s + 1]])) / sizes[s] / unit for s in range(len(sizes))
    ]
    possible = any(
        sum(size * (low + int(up)) for size, low, up in zip(sizes, floors, way)) == total / unit
        and all(not up or part != low for up, part, low in zip(way, exact_parts, floors))
        for way in ways
    )
    assert found.kept == possible


def test_three_thirds_cannot_add_up_to_one_and_that_is_told() -> None:
    sets = classes([3])
    found = means(amount([1, 0, 0]), sets, NOBODY)
    assert found.texts() == ["0.33"]
    assert (found.kept, found.published, found.original, found.difference) == (False, "0.99", "1", "-0.01")


def test_gaps_are_left_out_of_means_or_blank_them() -> None:
    values = [1.0, None, 3.0, 5.0, None, None]
    sets = Sets(np.array([0, 3, 6]), np.array([0, 1, 2, 3, 4, 5]), np.array([0, 0, 0, 1, 1, 1]))
    found = means(amount(values), sets, NOBODY)
    assert found.texts() == ["2", None]
    assert not found.kept
    assert found.original == "9"
    assert found.published == "6"


def test_a_float_column_gets_no_more_digits_than_a_float_holds() -> None:
    values = [1 / 3, 2 / 3, 1e6 / 7, 12345.678901234567]
    sets = ring(4, 3)
    found = means(amount(values), sets, NOBODY)
    for text in found.texts():
        assert text is not None
        assert decimal_text(round(Fraction(repr(float(text))) * 10**found.decimals), found.decimals) == text
    assert abs(Fraction(found.difference)) < Fraction(1, 10**found.decimals)


def test_more_decimals_where_they_make_means_exact() -> None:
    found = means(amount([1, 0, 0, 0, 0, 0, 0, 0]), ring(8, 8), NOBODY)
    assert set(found.texts()) == {"0.125"}


@given(st.lists(st.tuples(st.integers(-99, 99), st.integers(1, 9)), max_size=8))
def test_apportioned_numbers_are_next_to_their_fractions(parts: list[tuple[int, int]]) -> None:
    found = apportion([a for a, _ in parts], [b for _, b in parts], [1] * len(parts))
    exact = [Fraction(a, b) for a, b in parts]
    assert all(abs(one - part) < 1 for one, part in zip(found, exact))
    assert sum(found) == (2 * sum(exact) + 1) // 2


def test_records_that_are_not_published_are_in_no_total() -> None:
    sets = Sets(np.array([0, 2]), np.array([0, 2]), np.array([0, 0]))
    found = means(amount([1, 500, 3]), sets, np.array([1]))
    assert (found.original, found.published, found.difference, found.kept) == ("4", "4", "0", True)
