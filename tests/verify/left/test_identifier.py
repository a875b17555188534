"""Identifiers: ids and codes are recognized, measurements and a handful of random rows are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.verify.left.identifier import is_called_id, is_identifier, numbers_in, tokens, whole_steps
from discreet.verify.left.values import read_values
from discreet.verify.readers import open_table


def judged(values: object, name: str = "x") -> bool:
    column = open_table(pd.DataFrame({name: values}), "a frame").column(name)
    return is_identifier(read_values(column), column)


RNG = np.random.default_rng(5)
IDS = {
    "one after another": np.arange(40),
    "shuffled": RNG.permutation(200) + 1000,
    "every tenth": RNG.permutation(300) * 10,
    "six digits": RNG.choice(900_000, 5000, replace=False) + 100_000,
    "ten digits": RNG.choice(9 * 10**9, 50, replace=False) + 10**9,
    "padded": [f"{i:06d}" for i in RNG.permutation(60)],
    "prefixed": [f"P-{i}" for i in range(18)],
    "letters": ["".join(RNG.choice(list("ABCDEFGHKLMNPQRS"), 6)) for _ in range(200)],
    "nearly": [f"c{i}" for i in range(95)] + ["c1", "c2", "c3", "c4", "c5"],
}


@pytest.mark.parametrize("kind", IDS)
def test_ids_are_recognized(kind: str) -> None:
    assert judged(IDS[kind])


@pytest.mark.parametrize("name", ["person_id", "id", "PatientID", "serial", "UTILITYID"])
def test_a_name_is_reason_enough_for_what_never_repeats(name: str) -> None:
    assert judged([17, 4, 99, 250], name) and not judged([17, 4, 99, 99], name)


MEASURED = {
    "ages": RNG.integers(0, 90, 400),
    "a few ages": np.array([31, 35, 62, 18, 44]),
    "incomes": np.rint(RNG.lognormal(10, 0.7, 2000)),
    "cents": np.round(RNG.lognormal(8, 1, 500), 2),
    "floats": RNG.normal(size=500),
    "words": [f"town {i % 30}" for i in range(100)],
    "six words": ["red", "green", "blue", "black", "white", "brown"],
    "years": RNG.integers(1920, 2010, 80),
    "one value": [3] * 30,
}


@pytest.mark.parametrize("kind", MEASURED)
def test_measurements_are_not(kind: str) -> None:
    assert not judged(MEASURED[kind])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 11), st.integers(0, 10**6), st.sampled_from([3, 10, 100]))
def test_tiny_random_files_have_no_ids(n: int, seed: int, room: int) -> None:
    assert not judged(np.random.default_rng(seed).integers(0, room, n))


def test_names_are_read_word_by_word() -> None:
    assert tokens("personId") == tokens("Person ID") == tokens("person_id") == ["person", "id"]
    assert is_called_id("hid") and not is_called_id("amount_paid") and not is_called_id("identity_card_colour")


def test_steps_and_numbers_of_codes() -> None:
    steps = whole_steps(np.array([1.5, 2.0, 3.5]))
    assert steps is not None and steps.tolist() == [0, 1, 4]
    assert whole_steps(np.array([0.1234567, 2.0])) is None
    found = numbers_in(["a07x", "a12x"])
    assert found is not None and found.tolist() == [7, 12]
    assert numbers_in(["a07x", "b12x"]) is None and numbers_in([]) is None
