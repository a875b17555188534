"""No release in classes costs less than prices prove, whatever they are; the arithmetic is that of the definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import blanks as oracle

from discreet.verify.blanks import prices as module
from discreet.verify.blanks.prices import priced
from discreet.verify.blanks.sharing import distinct


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int, list[int]]:
    n, d = draw(st.integers(2, 5)), draw(st.integers(1, 2))
    codes = np.array(draw(st.lists(st.integers(0, 2), min_size=n * d, max_size=n * d)), np.int64).reshape(n, d)
    weights = np.array(draw(st.lists(st.integers(1, 3), min_size=d, max_size=d)), np.int64)
    kinds = len(distinct(codes)[0])
    price = draw(st.lists(st.integers(-8, 60), min_size=kinds, max_size=kinds))
    return codes, weights, draw(st.integers(2, n)), price


def slowly(codes: np.ndarray, weights: np.ndarray, k: int, price: list[int], scale: int) -> tuple[int, int]:
    """The bound record by record: every class takes the records with the least cost minus price, k or more."""
    _, of, _ = distinct(codes)
    relief = 0
    for blank in itertools.product((False, True), repeat=codes.shape[1]):
        groups: dict[tuple[int, ...], list[int]] = {}
        for row, kind in zip(codes.tolist(), of.tolist()):
            if any(value == 0 and not hidden for value, hidden in zip(row, blank)):
                continue  # a missing key is blank in every class
            cost = sum(int(w) for w, value, hidden in zip(weights, row, blank) if hidden and value)
            shown = tuple(value for value, hidden in zip(row, blank) if not hidden)
            groups.setdefault(shown, []).append(scale * cost - price[kind])
        for left in groups.values():
            left.sort()
            relief += min([0, *(sum(left[:size]) for size in range(k, len(left) + 1))])
    return sum(price[kind] for kind in of.tolist()), relief


@given(tables(), st.sampled_from([1, 7, 20]))
def test_the_arithmetic_is_that_of_the_definition(
    case: tuple[np.ndarray, np.ndarray, int, list[int]], scale: int
) -> None:
    codes, weights, k, price = case
    kinds, _, count = distinct(codes)
    assert priced(kinds, count, k, weights, price, scale) == slowly(codes, weights, k, price, scale)


@given(tables())
@settings(max_examples=40)
def test_no_release_costs_less(case: tuple[np.ndarray, np.ndarray, int, list[int]]) -> None:
    codes, weights, k, price = case
    kinds, _, count = distinct(codes)
    total, relief = priced(kinds, count, k, weights, price, 10)
    optimum = oracle.least(codes, weights, k, "class", None)
    assert optimum is not None
    assert total + relief <= 10 * optimum


@given(tables())
def test_prices_beyond_64_bits_count_as_well(case: tuple[np.ndarray, np.ndarray, int, list[int]]) -> None:
    codes, weights, k, price = case
    kinds, _, count = distinct(codes)
    huge = 2**61
    plain = priced(kinds, count, k, weights, price, 1)
    wide = priced(kinds, count, k, weights, [one * huge for one in price], huge)
    assert wide == (plain.total * huge, plain.relief * huge)


def test_both_kinds_of_numbers_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    codes, count, weights = np.array([[1, 1], [1, 2], [2, 2]]), np.array([1, 2, 1]), np.array([1, 2])
    narrow = priced(codes, count, 2, weights, [11, 15, 30], 10)
    monkeypatch.setattr(module, "WIDE", 0)
    assert priced(codes, count, 2, weights, [11, 15, 30], 10) == narrow
