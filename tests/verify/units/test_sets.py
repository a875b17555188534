"""Means with the sets: recomputed to the last digit, roundings accounted for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verify.units.cases import ROLES, claim, frame, release, survey

import discreet as dc
from discreet.verify.matchings.secret_boxes import Members
from discreet.verify.units.decimals import Scaled
from discreet.verify.units.means import Means
from discreet.verify.units.sets import check_sets


@given(st.lists(st.lists(st.integers(-50, 50) | st.none(), min_size=1, max_size=4), min_size=1, max_size=5), st.data())
def test_against_fractions(sets: list[list[int | None]], data: st.DataObject) -> None:
    values = [value for one in sets for value in one]
    ends = np.cumsum([0, *map(len, sets)])
    shown: list[int | None] = [data.draw(st.integers(-5100, 5100) | st.none()) for _ in sets]
    expected = True
    for at, one in enumerate(sets):
        known = [value for value in one if value is not None]
        needed = len(known) >= min(2, len(one)) and 2 * len(known) >= len(one)
        mean = Fraction(100 * sum(known), len(known)) if needed else None
        if mean is not None and data.draw(st.booleans()):
            shown[at] = int(mean // 1) + data.draw(st.integers(0, 1))
        given_ = shown[at]
        expected &= (given_ is None) == (mean is None)
        if given_ is not None and mean is not None:
            expected &= given_ == mean or abs(given_ - mean) < 1
    column = Scaled(
        np.array([0 if value is None else 100 * value for value in values]),
        np.array([0 if value is None else value for value in shown]),
        np.array([value is None for value in values]),
        np.array([value is None for value in shown]),
        2,
        0,
        2,
    )
    found = Means({"x": column})
    check_sets(found, Members(ends.astype(np.int64), np.arange(len(values))), None)
    assert (not found.failures) == expected


@pytest.mark.parametrize("guarantee", ["matchings", "classes"])
def test_means_of_other_sets(guarantee: str) -> None:
    roles = replace(ROLES, guarantee=guarantee)
    table = survey(seed=2)
    made = release(table, roles)
    secret = made.secret(guarantee)
    assert dc.verify(frame(table), frame(made.rows), **claim(roles, secret=secret)).safe
    for name, step in (("x", 0.002), ("w", -0.002)):
        rows = [dict(row) for row in made.rows]
        rows[3][name] = f"{float(rows[3][name]) + step:.3f}"
        verdict = dc.verify(frame(table), frame(rows), **claim(roles, secret=secret))
        assert not verdict.safe


def test_rounding_that_follows_no_remainders_is_told() -> None:
    column = Scaled(np.array([100, 201, 100, 202]), np.array([150, 151]), np.zeros(4, bool), np.zeros(2, bool), 2, 0, 2)
    found = Means({"x": column})
    check_sets(found, Members(np.array([0, 2, 4]), np.arange(4)), None)
    assert not found.failures and not found.limits
    column = Scaled(
        np.array([100, 201, 102, 107, 110, 110]), np.array([150, 107]), np.zeros(6, bool), np.zeros(2, bool), 2, 0, 2
    )
    found = Means({"x": column})
    check_sets(found, Members(np.array([0, 2, 5]), np.arange(5)), None)
    assert not found.failures and any("rounded up" in words for words in found.limits)
