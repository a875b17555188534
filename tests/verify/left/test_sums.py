"""Keys that are sums of left numbers: rows left out by formula and one by one, and a hidden age."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.verify.left.skill import Key
from discreet.verify.left.sums import standardized, told_by_sum
from discreet.verify.left.telling import tellings
from tests.oracles import left as slow
from tests.verify.left.made import numbers


@pytest.mark.parametrize("seed", range(5))
def test_leaving_rows_out_by_formula(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(25, 2))
    key = columns @ [2.0, -1.0] + rng.normal(size=25)
    scaled = [standardized(numbers(column.tolist())) for column in columns.T]
    found = told_by_sum([column for column in scaled if column is not None], Key(numbers(key.tolist())))
    predicted = slow.left_out_sum(np.array(scaled).T, key)
    assert found.value == pytest.approx(slow.skill_of_numbers(predicted.tolist(), key.tolist()))


def test_an_age_is_the_difference_of_two_years() -> None:
    rng = np.random.default_rng(2)
    age = rng.integers(18, 90, 400).astype(float)
    interview = rng.integers(1950, 2025, 400).astype(float)
    left = [numbers((interview - age).tolist()), numbers(interview.tolist())]
    left = [type(v)(name, v.codes, v.known, v.places, v.kind) for name, v in zip(("born", "asked"), left)]
    told = tellings(left, [numbers(age.tolist())])
    assert [(one.columns, round(one.skill, 2)) for one in told if one.skill >= 0.7] == [(("born", "asked"), 1.0)]


def test_a_column_that_does_not_vary_is_left_alone() -> None:
    assert standardized(numbers([3.0] * 10)) is None
