"""Whether a table can be served: every fault at once, sizes at their very ends, margins by name."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.errors import Faults, InputError
from discreet.release.engine import Table
from discreet.release.loading.checks import (
    LONGEST_CATEGORY,
    LONGEST_NAME,
    MAX_CELLS,
    MAX_VARIABLES,
    check_names,
    check_size,
    check_table,
    published_masks,
)
from discreet.release.policy import Policy


def faults_of(table: Table) -> list[str]:
    faults = Faults()
    check_table(faults, table)
    if not faults:
        return []
    with pytest.raises(InputError) as caught:
        faults.raise_if_any()
    return list(caught.value.faults)


def table(names: tuple[str, ...] = ("a", "b"), level: str = "x", count: int = 1) -> Table:
    return Table(names, ((level, "y"), ("u", "v")), np.full((2, 2), count))


def test_a_plain_table_is_served() -> None:
    assert faults_of(table()) == []
    assert faults_of(table(level="x" * LONGEST_CATEGORY)) == []
    assert faults_of(table(names=("a" * LONGEST_NAME, "b"))) == []


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (table(names=("count", "b")), "cannot be named count"),
        (table(names=(" ", "b")), "has no name"),
        (table(names=("a" * (LONGEST_NAME + 1), "b")), "name of a column"),
        (table(level="x" * (LONGEST_CATEGORY + 1)), "a category has at most"),
        (table(count=0), "the table is empty"),
    ],
)
def test_one_thing_wrong_is_said(given: Table, words: str) -> None:
    (fault,) = faults_of(given)
    assert words in fault


def test_all_that_is_wrong_is_said_at_once() -> None:
    assert len(faults_of(table(names=("count", ""), level="x" * 2000, count=0))) == 4


@pytest.mark.parametrize(
    ("variables", "size", "wrong"),
    [
        (MAX_VARIABLES, MAX_CELLS, 0),
        (MAX_VARIABLES + 1, MAX_CELLS, 1),
        (MAX_VARIABLES, MAX_CELLS + 1, 1),
        (MAX_VARIABLES + 1, 10**40, 2),
    ],
)
def test_sizes_at_their_ends(variables: int, size: int, wrong: int) -> None:
    faults = Faults()
    check_size(faults, ["v"] * variables, size)
    if wrong:
        with pytest.raises(InputError) as caught:
            faults.raise_if_any()
        assert len(caught.value.faults) == wrong and "0" * 30 not in str(caught.value)
    assert bool(faults) == bool(wrong)


def test_names_alone() -> None:
    check_names([])
    check_names(["a", "b"])
    with pytest.raises(InputError) as caught:
        check_names(["", "a" * 300])
    assert len(caught.value.faults) == 2


def test_published_margins_by_their_bits() -> None:
    three = Table(("a", "b", "c"), (("x",),) * 3, np.ones((1, 1, 1), int))
    assert published_masks(three, Policy(published=(("a",), ("c", "a")))) == [0b001, 0b101]
    with pytest.raises(InputError) as caught:
        published_masks(three, Policy(published=(("a",), ("z",), ("q", "a"))))
    assert len(caught.value.faults) == 2
