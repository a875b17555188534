"""The door: what is promised holds, costs what is said, and no suppression costs less than the bound."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.suppression import holds, least_classes, least_cost, price_bound
from references import reference

from discreet.errors import InputError
from discreet.suppression.prices import PRICE_SCALE
from discreet.suppression.suppress import Semantics, Suppression, suppress
from discreet.work import Deadline, Reporter

KEYS = {
    "testdata.csv": ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"],
    "francdat.csv": ["Key1", "Key2", "Key3", "Key4"],
}


def run(codes: np.ndarray, k: int, semantics: Semantics, *, cost: np.ndarray | None = None, **settings) -> Suppression:
    given = {"combinations": None, "deadline": Deadline(None), "reporter": Reporter(None), "seed": 0} | settings
    weights = np.ones(codes.shape[1], np.int64) if cost is None else cost
    return suppress(codes, weights, k, semantics=semantics, **given)


def coded(name: str) -> np.ndarray:
    frame = pd.read_csv(reference(name))[KEYS[name]]
    return np.stack([pd.factorize(frame[column], sort=True)[0] for column in frame], axis=1).astype(np.int64)


@st.composite
def tables(draw: st.DrawFn, most: int = 6, keys: int = 2) -> tuple[np.ndarray, np.ndarray, int]:
    n = draw(st.integers(2, most))
    rows = draw(st.lists(st.tuples(*[st.integers(0, 2)] * keys), min_size=n, max_size=n))
    cost = np.array(draw(st.lists(st.integers(1, 4), min_size=keys, max_size=keys)), np.int64)
    return np.array(rows, np.int64), cost, draw(st.integers(2, min(n, 4)))


@pytest.mark.parametrize("semantics", ["class", "cover"])
@given(case=tables())
@settings(deadline=None, max_examples=60)
def test_the_optimum_of_tiny_tables(semantics: Semantics, case: tuple[np.ndarray, np.ndarray, int]) -> None:
    codes, cost, k = case
    found = run(codes, k, semantics, cost=cost)
    least = least_cost(codes, cost, k, semantics)
    assert holds(codes, found.blank, k, semantics)
    assert found.bound <= least == found.value == (found.blank @ cost).sum()
    assert found.status != "feasible"


@given(case=tables(most=8, keys=3))
@settings(deadline=None, max_examples=40)
def test_classes_and_their_prices(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    codes, cost, k = case
    found = run(codes, k, "class", cost=cost)
    assert holds(codes, found.blank, k, "class")
    least = least_classes(codes, cost, k)
    assert found.bound <= least == found.value == (found.blank @ cost).sum()
    rows = list(dict.fromkeys(tuple(int(v) for v in row) for row in codes))
    prices = {row: Fraction(int(price), PRICE_SCALE) for row, price in zip(rows, found.prices, strict=True)}
    assert price_bound(codes, cost, k, prices) == found.bound


@pytest.mark.parametrize(("k", "cells"), [(2, 157), (3, 283), (5, 461), (10, 767)])
def test_cover_of_the_test_data(k: int, cells: int) -> None:
    found = run(coded("testdata.csv"), k, "cover")
    assert (found.value, found.bound, found.status) == (cells, cells, "optimal")


def test_fewer_records_than_k() -> None:
    with pytest.raises(InputError, match="lower k"):
        run(np.zeros((2, 2), np.int64), 3, "class")


def test_more_keys_than_can_be_searched() -> None:
    with pytest.raises(InputError, match="at most 16 keys"):
        run(np.zeros((20, 17), np.int64), 3, "class")


@pytest.mark.parametrize(("k", "cells"), [(2, 187), (3, 357)])
def test_classes_of_the_test_data(k: int, cells: int) -> None:
    """The optima, proven once by a program over all patterns in 42 s."""
    codes = coded("testdata.csv")
    found = run(codes, k, "class")
    assert found.value == found.blank.sum() == cells
    assert cells - 0.02 * cells < found.bound <= cells
    published = np.where(found.blank, -1, codes)
    assert np.unique(published, axis=0, return_counts=True)[1].min() >= k


@pytest.mark.parametrize(("k", "cells", "status"), [(2, 6, "optimal"), (3, 16, "solved")])
def test_classes_of_eight_records(k: int, cells: int, status: str) -> None:
    found = run(coded("francdat.csv"), k, "class")
    assert (found.value, found.status) == (cells, status)


@pytest.mark.parametrize("semantics", ["class", "cover"])
@given(case=tables(most=4, keys=3), m=st.integers(1, 2))
@settings(deadline=None, max_examples=40)
def test_combinations(semantics: Semantics, case: tuple[np.ndarray, np.ndarray, int], m: int) -> None:
    codes, cost, k = case
    found = run(codes, k, semantics, cost=cost, combinations=m)
    least = least_cost(codes, cost, k, semantics, m)
    assert holds(codes, found.blank, k, semantics, m)
    assert found.bound <= least <= found.value == (found.blank @ cost).sum()
    assert semantics == "class" or found.value == least
    assert found.bound == sum(
        Fraction(int(price), PRICE_SCALE) * size for price, size in zip(found.prices, sizes(codes), strict=True)
    )


def sizes(codes: np.ndarray) -> list[int]:
    """How often each row occurs, in the order of first appearance."""
    rows = [tuple(row) for row in codes.tolist()]
    return [rows.count(row) for row in dict.fromkeys(rows)]


def test_combinations_of_all_keys_are_classes() -> None:
    codes = coded("francdat.csv")
    assert run(codes, 2, "class", combinations=9).value == run(codes, 2, "class").value


def many(n: int = 3000, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(0, m, n) * rng.integers(0, 2, n) for m in (9, 7, 5, 4, 3)], axis=1)


def test_no_time_is_time_enough_for_a_valid_table() -> None:
    for combinations in (None, 2):
        found = run(many(), 4, "class", deadline=Deadline(0.0), combinations=combinations)
        columns = [range(5)] if combinations is None else [(a, b) for a in range(5) for b in range(a)]
        published = np.where(found.blank, -1, many())
        for chosen in columns:
            assert np.unique(published[:, list(chosen)], axis=0, return_counts=True)[1].min() >= 4
        assert found.bound <= found.value


def test_one_thread_or_two_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = many(300)
    monkeypatch.setattr("discreet.suppression.search._WHOLE", 20)
    monkeypatch.setattr("discreet.suppression.blocks._PLACES", 200.0)
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("DISCREET_THREADS", threads)
        found.append(run(codes, 3, "class", seed=5))
    assert (found[0].blank == found[1].blank).all()
    assert (found[0].prices == found[1].prices).all()
    assert np.unique(np.where(found[0].blank, -1, codes), axis=0, return_counts=True)[1].min() >= 3
