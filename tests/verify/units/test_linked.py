"""Columns that are left beside households: those that are the same in each, that tell a hidden size, that join rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.errors import UnsafeReleaseError

NAMES = ["hid", "age", "sex", "region", "illness"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    """120 households of 1 to 4, and three of 6 and 7."""
    rng = np.random.default_rng(0)
    sizes = np.concatenate([rng.integers(1, 5, 120), [7, 6, 6]])
    home = np.repeat(np.arange(sizes.size), sizes)
    n = home.size
    return pd.DataFrame(
        {
            "hid": 1000 + 7 * home,
            "region": rng.choice(list("ABCD"), sizes.size)[home],
            "age": rng.integers(0, 90, n),
            "sex": rng.choice(["m", "f"], n),
            "illness": rng.choice(["flu", "none", "cold"], n),
            "household_income": rng.integers(10_000, 90_000, sizes.size)[home],
            "rounded": rng.integers(100, 900, sizes.size)[home] * 100,
            "building_id": (home // 2),
            "members": sizes[home],
            "line": np.arange(n) - np.searchsorted(home, home) + 1,
            "hours": rng.integers(0, 60, n),
        }
    )


def released(people: pd.DataFrame, name: str, rare: str) -> str:
    """What the check finds about a column that is left."""
    roles: dict[str, Any] = {"keys": ["age", "sex", "region"], "sensitive": ["illness"], "household": "hid"}
    try:
        dc.protect(people[[*NAMES, name]], 5, **roles, leave=[name], rare=rare, random_state=1, time_limit=2)
    except UnsafeReleaseError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("rare", ["suppress", "merge"])
@pytest.mark.parametrize("name", ["household_income", "rounded", "hours"])
def test_what_households_have_in_common_tells_nothing_of_them(people: pd.DataFrame, name: str, rare: str) -> None:
    assert released(people, name, rare) == ""


@pytest.mark.parametrize("rare", ["merge", "unlink"])
def test_a_hidden_size_must_not_be_told(people: pd.DataFrame, rare: str) -> None:
    assert "members is one to one with size of the household" in released(people, "members", rare)


def test_a_size_that_shows_may_be_told(people: pd.DataFrame) -> None:
    assert released(people, "members", "suppress") == ""
    assert released(people, "line", "suppress") == ""


def test_numbers_of_members_show_who_was_left_out(people: pd.DataFrame) -> None:
    assert "column line numbers the members of each household" in released(people, "line", "merge")


@pytest.mark.parametrize("name", ["household_income", "rounded"])
def test_rows_that_were_unlinked_are_not_joined_again(people: pd.DataFrame, name: str) -> None:
    said = released(people, name, "unlink")
    assert f"column {name} groups rows" in said and "of 19 persons in groups, 19 are" in said


def test_households_are_not_joined_to_one_another(people: pd.DataFrame) -> None:
    assert "column building_id groups rows" in released(people, "building_id", "suppress")
