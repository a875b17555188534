"""Columns that group rows: which do, and how many groups fit, as all permutations say."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.verify.left.candidates import Candidates
from discreet.verify.left.grouping import groups_rows, too_few_groups
from discreet.verify.left.values import read_values
from discreet.verify.readers import open_table
from tests.oracles import left as slow


def judged(frame: pd.DataFrame, name: str) -> bool:
    table = open_table(frame, "a frame")
    others = (read_values(table.column(other)) for other in frame if other != name)
    return groups_rows(read_values(table.column(name)), table.column(name), others)


def test_households_and_what_is_as_good_as_one() -> None:
    people = dc.datasets.survey(600, seed=2)
    rng = np.random.default_rng(0)
    sparse = rng.choice(10**6, int(people.household.max()) + 1, replace=False)
    people["number"] = people.household
    people["far"] = sparse[people.household]
    people["code"] = [f"F{h:05d}" for h in people.household]
    for name in ("household", "number", "far", "code", "household_income"):
        assert judged(people, name), name
    for name in ("income", "spending", "savings", "hours", "age", "region", "illness", "sex"):
        assert not judged(people, name), name


def test_numbers_far_apart_that_a_few_rows_share() -> None:
    rng = np.random.default_rng(4)
    family = np.repeat(rng.choice(10**6, 150, replace=False), 3)
    ages = rng.integers(0, 90, 450)
    assert judged(pd.DataFrame({"z": family, "age": ages}), "z")
    heaped = rng.choice(np.arange(10, 400) * 500, 450)
    exact = np.where(rng.random(450) < 0.3, heaped + rng.integers(0, 500, 450), heaped)
    assert not judged(pd.DataFrame({"z": exact, "age": ages}), "z")


def test_numbers_spelled_in_more_ways_than_there_are_numbers() -> None:
    spelled = [f"F{zeros}{number}" for zeros in ("", "0", "00", "000") for number in (1, 2)]
    for copies in (1, 3, 9):
        people = pd.DataFrame({"age": range(8 * copies), "code": spelled * copies})
        assert not judged(people, "code")


def test_households_where_most_live_alone() -> None:
    rng = np.random.default_rng(5)
    home = np.repeat(np.arange(400), rng.choice([1, 2, 3], 400, p=[0.8, 0.16, 0.04]))
    ages = rng.integers(0, 90, home.size)
    assert judged(pd.DataFrame({"hid": 1000 + 7 * home, "age": ages}), "hid")
    assert judged(pd.DataFrame({"z": 1000 + 7 * home, "age": ages}), "z")
    sparse = rng.choice(10**6, 400, replace=False)[home]
    assert judged(pd.DataFrame({"z": sparse, "age": ages, "rooms": rng.integers(1, 7, 400)[home]}), "z")


def test_hashed_numbers_are_told_from_codes_with_a_meaning() -> None:
    rng = np.random.default_rng(6)
    home = np.repeat(np.arange(100), 3)
    hashed = [hashlib.sha256(b"%d" % h).hexdigest()[:8] for h in home]
    ages = rng.integers(0, 90, 300)
    assert judged(pd.DataFrame({"z": hashed, "age": ages}), "z")
    illness = [f"{'ABCDE'[c % 5]}{c:02d}.{c % 9}x" for c in rng.integers(0, 100, 300)]
    assert not judged(pd.DataFrame({"z": illness, "age": ages}), "z")


def test_numbers_that_few_share_by_chance_are_no_groups() -> None:
    rng = np.random.default_rng(1)
    thousands = np.rint(rng.lognormal(3.5, 0.8, 800))
    frame = pd.DataFrame({"income": thousands, "age": rng.integers(0, 90, 800), "band": thousands // 10})
    assert not judged(frame, "income")
    assert not judged(pd.DataFrame({"age": rng.integers(18, 90, 200), "sex": rng.choice(["f", "m"], 200)}), "age")


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 7), st.integers(0, 10**6), st.integers(1, 3))
def test_groups_that_fit_are_counted_as_all_permutations_do(n: int, seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    fits = rng.random((n, n)) < 0.6
    before, after = rng.integers(-1, 3, n), rng.integers(-1, 3, n)
    person, row = np.nonzero(fits)
    candidates = Candidates(np.arange(n), n, person, row, True)
    assert too_few_groups(candidates, before, after, k) == slow.few_groups(fits, before.tolist(), after.tolist(), k)


@pytest.mark.parametrize("seed", range(30))
def test_tiny_random_files_have_no_groups(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.integers(0, 4, 10), "b": rng.integers(0, 3, 10), "c": rng.choice(["x", "y"], 10)})
    assert not any(judged(frame, name) for name in frame)
