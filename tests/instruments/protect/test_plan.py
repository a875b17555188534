"""What is to be done, before the search: attributes, units and what is the same within each, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from discreet.errors import InputError
from discreet.frames import adopt
from discreet.instruments.protect.plan import prepare, split
from discreet.instruments.protect.recipe import Recipe

FRAME = pd.DataFrame(
    {
        "home": ["b", "a", "b", "a", "c", "c", "c"],
        "region": ["n", "s", "n", "s", "n", "n", "n"],
        "age": [20, 30, 41, 30, 7, 8, 9],
        "rent": [5.5, 7.0, 5.5, 7.0, 6.25, 6.25, 6.25],
        "pay": [10, 20, 30, 40, 50, 60, 70],
        "ill": ["x", "y", "x", None, "z", "z", "X "],
    }
)
ROLES = {"keys": ["region", "age"], "numeric": ["rent", "pay"], "sensitive": ["ill"], "k": 2}


def plan(**more: object):  # type: ignore[no-untyped-def]
    return prepare(adopt(FRAME), Recipe(**{**ROLES, **more}))  # type: ignore[arg-type]


def test_units_and_what_is_the_same_within_each() -> None:
    found = plan(household="home")
    assert found.n == 7 and found.sizes == {2: 2, 3: 1}
    same = [[a == b for b in FRAME["home"]] for a in FRAME["home"]]
    assert (found.unit[:, None] == found.unit[None]).tolist() == same
    constant = {name for name in ("region", "age", "rent", "pay") if FRAME.groupby("home")[name].nunique().max() == 1}
    assert found.shared == constant == {"region", "rent"}
    members, shared = split(found.attributes, found.shared)
    assert [one.name for one in members] == ["age", "pay"] and [one.name for one in shared] == ["region", "rent"]


def test_without_units_every_row_is_by_itself() -> None:
    found = plan(identifiers=["home"])
    assert found.unit is None and found.sizes == {} and found.shared == frozenset()
    assert [one.name for one in found.attributes] == ["region", "age", "rent", "pay"]
    assert [found.amounts[name].units.tolist() for name in ("rent", "pay")] == [
        [550, 700, 550, 700, 625, 625, 625],
        FRAME["pay"].tolist(),
    ]


def test_sensitive_values_are_those_that_a_reader_tells_apart() -> None:
    values = plan(identifiers=["home"], l=2).values
    assert values[3] == -1, "what is missing is no value"
    assert values[0] == values[2] != values[4] and values[4] == values[5]
    assert values[6] == values[0], "case and blanks at the end make no other value"
    assert plan(identifiers=["home"]).values is None


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"identifiers": ["home"], "k": 8}, r"k = 8 is larger than the number of records \(7\)"),
        ({"household": "home", "l": 2}, "l = 2 is not available with households"),
        ({"person": "home", "guarantee": "classes", "recoding": "global"}, "global recoding of persons"),
        (
            {"identifiers": ["home"], "guarantee": "classes", "recoding": "global", "missing": {"keys": "wildcard"}},
            "no wildcards",
        ),
        ({"identifiers": ["home"], "levels": {"pay": 1}}, "levels names columns that are not published as boxes: pay"),
        ({"identifiers": ["home"], "importance": {"ill": 2}}, "neither keys nor numbers: ill"),
        ({"household": "ill", "sensitive": [], "identifiers": ["home"]}, "'ill' is empty in 1 rows"),
    ],
)
def test_what_cannot_be_had_is_refused(more: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        plan(**more)


def test_every_fault_comes_at_once() -> None:
    with pytest.raises(InputError) as caught:
        plan(keys=["region", "hat"], k=99, importance={"zz": 1})
    assert len(caught.value.faults) >= 4


def test_numbers_may_be_published_as_boxes() -> None:
    found = plan(identifiers=["home"], numbers="range")
    assert found.amounts == {} and found.reading.names == ["region", "age", "rent", "pay"]
    assert np.isclose([one.floats[0] for one in plan(identifiers=["home"]).amounts.values()], [5.5, 10]).all()
