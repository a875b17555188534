"""Entries of a recipe: what makes no sense is refused in words, what makes sense is kept in one form."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest

from discreet.errors import Faults, InputError
from discreet.instruments.protect.entries import BY_NAME, check
from discreet.instruments.protect.recipe import Recipe

PLAIN = {name: getattr(Recipe(), name) for name in Recipe.__dataclass_fields__ if name != "folder"}


def kept(**entries: Any) -> dict[str, Any]:
    """The entries as they are kept; none of them may be a fault."""
    faults = Faults()
    found = check(PLAIN | entries, faults)
    faults.raise_if_any()
    return found


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"guarantee": "hat"}, "guarantee"),
        ({"recoding": "global"}, "classes"),
        ({"household": "a", "person": "b"}, "household and person"),
        ({"l": 2}, "one sensitive column"),
        ({"l": 9, "k": 3, "sensitive": ["s"]}, "larger than k"),
        ({"caps": {"a": {"top": 1, "bottom": 2}}}, "bottom below the top"),
        ({"caps": {"a": {"highest": 1}}}, "limits such as"),
        ({"levels": {"a": 1.5}}, "levels"),
        ({"importance": {"a": 0}}, "importance"),
        ({"missing": "hat"}, "missing"),
        ({"missing": {"texts": "error"}}, "missing"),
        ({"accept": {"a": " "}}, "why"),
        ({"accept": "a"}, "accept"),
        ({"checks": {"gain": 1}}, "gain"),
        ({"outputs": {"report": 5}}, "name of a file"),
        ({"earlier": "m.json"}, "earlier"),
        ({"keys": ["a", "a"]}, "twice"),
        ({"keys": "age"}, "list of names"),
        ({"weight": ["w"]}, "one column"),
        ({"seed": -1}, "random_state"),
        ({"time_limit": -1}, "time_limit"),
        ({"ordered": {"a": "b"}}, "ordered"),
    ],
)
def test_what_makes_no_sense_is_refused(entries: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        Recipe(**entries)
    assert words in str(error.value)


def test_several_spellings_are_kept_in_one() -> None:
    assert kept(keys=["a", "b"])["keys"] == kept(keys=iter(["a", "b"]))["keys"] == ("a", "b")
    assert kept(earlier=iter(["m.json"]))["earlier"] == ("m.json",)
    for k in (3, np.int64(3)):
        assert type(kept(k=k)["k"]) is int and kept(k=k)["k"] == 3
    assert kept(missing="value")["missing"] == {"keys": "value", "numbers": "known"}
    assert kept(missing="error")["missing"] == kept(missing=None)["missing"] == {"keys": "error", "numbers": "error"}
    assert kept(missing={"numbers": "known"})["missing"] == {"keys": "error", "numbers": "known"}
    assert kept(accept=["a", "b"])["accept"] == {"a": BY_NAME, "b": BY_NAME}
    assert kept(ordered={"a": [1, 2, 10]})["ordered"] == {"a": ("1", "2", "10")}
    assert kept(hierarchies=None)["hierarchies"] == {}


@pytest.mark.parametrize(
    "limits",
    [
        {"top": 85},
        {"bottom": 16, "top": 85.5},
        {"top": dt.date(2000, 1, 1)},
        {"bottom": dt.time(8), "top": dt.time(17)},
    ],
)
def test_caps_of_numbers_and_of_moments(limits: dict[str, Any]) -> None:
    assert kept(caps={"a": limits})["caps"] == {"a": limits}


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"top": "85"},
        {"top": float("nan")},
        {"top": True},
        {"bottom": 5, "top": 5},
        {"bottom": 5, "top": dt.date(2000, 1, 1)},
        {"bottom": dt.time(8), "top": dt.date(2000, 1, 1)},
        85,
    ],
)
def test_caps_that_make_no_sense(limits: Any) -> None:
    with pytest.raises(InputError, match="limits such as"):
        kept(caps={"a": limits})


def test_no_value_of_the_recipe_is_lost_by_the_check() -> None:
    assert kept() == {**PLAIN, **kept()} and set(kept()) == set(PLAIN)
