"""One to one with another column: whatever the names of values, and beyond chance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.verify.left.recodes import finer, one_to_one
from discreet.verify.left.values import read_values
from discreet.verify.readers import open_table
from tests.verify.left.made import words


@given(st.lists(st.integers(0, 3), min_size=40, max_size=60), st.permutations(range(4)))
def test_renamed_values_are_one_to_one(codes: list[int], names: list[int]) -> None:
    other = [names[code] for code in codes]
    counts = np.bincount(codes)
    balanced = len(set(codes)) > 1 and np.sort(counts)[-2] > 5
    assert one_to_one(words(codes), words(other)) or not balanced


@given(st.lists(st.integers(0, 3), min_size=40, max_size=60))
def test_one_row_that_differs_is_enough(codes: list[int]) -> None:
    assert not one_to_one(words(codes), words([codes[0] + 1, *codes[1:]])) or codes.count(codes[0]) == 1


@pytest.mark.parametrize("seed", range(20))
def test_a_few_random_rows_may_agree(seed: int) -> None:
    """Of all ways to sort ten rows into five pairs one is another's: 1 of 945, and so no surprise."""
    codes = np.random.default_rng(seed).permutation([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]).tolist()
    assert not one_to_one(words(codes), words(codes))
    assert not one_to_one(words(list(range(30))), words(list(range(30))))


def test_dates_and_codes_finer_than_a_key_that_goes_out_as_it_is() -> None:
    rng = np.random.default_rng(3)
    age, place = rng.integers(20, 40, 800), rng.integers(0, 5, 800)
    income = rng.integers(100, 1000, 800)
    people = pd.DataFrame(
        {
            "age": age,
            "region": np.array(list("ABCDE"))[place],
            "band": [f"from {low}" for low in income // 100 * 100],
            "born": [f"{2020 - a}-{m:02d}-{d:02d}" for a, m, d in zip(age, *rng.integers(1, 13, (2, 800)))],
            "asked": [f"2020-{m:02d}-{d:02d}" for m, d in rng.integers(1, 13, (800, 2))],
            "zip": 10000 + 1000 * place + rng.integers(0, 200, 800),
            "code": [f"0{p}{x:02d}" for p, x in zip(place, rng.integers(0, 60, 800))],
            "income": income,
        }
    )
    keys = ["age", "region", "band"]
    told = {"born": "age", "zip": "region", "code": "region"}
    for name in ("born", "asked", "zip", "code", "income"):
        table = open_table(people, "a frame")
        column = table.column(name)
        found = [key for key in keys if finer(read_values(column), column, read_values(table.column(key)))]
        assert found == ([told[name]] if name in told else []), name
    verdict = dc.generalize(people[["born", "age"]], 3, quasi_identifiers=["age"], random_state=1, check=False).verify()
    assert verdict.failures == ("column born is finer than age, which others know",), verdict.summary()
