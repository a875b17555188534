"""Columns that number rows or groups of rows only together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.verify import verify
from discreet.verify.left.crossed import crossings, groups_together, numbers_rows
from discreet.verify.left.values import Values, read_values
from discreet.verify.readers import open_table
from tests.verify.left.made import generated_survey


def values(frame: pd.DataFrame, names: list[str]) -> list[Values]:
    table = open_table(frame, "a frame")
    return [read_values(table.column(name)) for name in names]


def grouped(frame: pd.DataFrame, names: list[str], dropped: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    rest = values(frame, list(frame))
    left_out = [one for one in rest if one.name in dropped]
    pairs = list(crossings(values(frame, names)))
    return [(a.name, b.name) for a, b, both in pairs if groups_together(a, b, both, left_out, rest, len(pairs))]


def households(seed: int = 0) -> pd.DataFrame:
    """Clusters of 8 households, numbered from 1 in each."""
    rng = np.random.default_rng(seed)
    home = np.repeat(np.arange(160), rng.integers(1, 5, 160))
    return pd.DataFrame(
        {
            "home": home,
            "a": home // 8,
            "b": home % 8 + 1,
            "rooms": rng.integers(1, 7, 160)[home],
            "age": rng.integers(0, 90, home.size),
            "sex": rng.choice(["f", "m"], home.size),
            "hours": rng.integers(0, 60, home.size),
        }
    )


def test_a_cluster_and_a_number_within_it_are_a_household() -> None:
    frame = households()
    assert grouped(frame[["a", "b", "rooms", "age", "sex", "hours"]], ["a", "b", "hours"]) == [("a", "b")]
    alone = frame[["home", "a", "b", "age", "sex", "hours"]]
    assert grouped(alone.drop(columns="home"), ["a", "b", "hours"]) == []
    assert grouped(alone, ["a", "b", "hours"], dropped=("home",)) == [("a", "b")]
    named = alone.drop(columns="home").rename(columns={"a": "psu", "b": "hh"})
    assert grouped(named, ["psu", "hh", "hours"]) == [("psu", "hh")]


def test_a_release_with_both_is_refused_and_accepted_by_either() -> None:
    frame = households()[["a", "b", "rooms", "age", "sex"]]
    result = dc.generalize(frame, 3, quasi_identifiers=["age", "sex"], random_state=1, check=False)
    verdict = result.verify()
    assert verdict.failures[0].startswith("columns a, b together group rows"), verdict.summary()
    assert verify(frame, result.data, **{**result.claim(), "secret": None, "accept": ["a"]}).safe


def test_a_number_within_a_cluster_is_an_identifier_with_it() -> None:
    place = np.arange(300)
    frame = pd.DataFrame({"a": place // 20, "b": place % 20, "c": np.random.default_rng(0).integers(0, 20, 300)})
    found = [
        (a.name, b.name) for a, b, both in crossings(values(frame, ["a", "b", "c"])) if numbers_rows(a, b, both, 3)
    ]
    assert found == [("a", "b")]


def test_what_follows_from_two_columns_is_no_household() -> None:
    rng = np.random.default_rng(1)
    begin, length = rng.integers(1990, 2020, 900), rng.integers(1, 12, 900)
    frame = pd.DataFrame({"begin": begin, "length": length, "end": begin + length, "age": rng.integers(0, 90, 900)})
    assert grouped(frame, ["begin", "length", "end"]) == []
    high, heavy = rng.integers(150, 190, 900), rng.integers(50, 110, 900)
    frame = pd.DataFrame({"high": high, "heavy": heavy, "class": (heavy / (high / 100) ** 2 // 5).astype(int)})
    assert grouped(frame, ["high", "heavy"]) == []


def test_ordinary_columns_group_nothing_together() -> None:
    people = generated_survey()
    ordinary = ["dwelling", "education", "employment", "hours", "income", "spending", "savings", "illness"]
    assert grouped(people[["age", "sex", "region", *ordinary]], ordinary) == []
    pairs = list(crossings(values(people, ordinary)))
    assert not any(numbers_rows(*pair, len(pairs)) for pair in pairs)


@pytest.mark.parametrize("seed", range(20))
def test_tiny_random_files_have_neither(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({name: rng.integers(0, 4, 10) for name in "abcd"})
    assert grouped(frame, list("abcd")) == []
    assert not any(numbers_rows(*pair, 6) for pair in crossings(values(frame, list("abcd"))))
