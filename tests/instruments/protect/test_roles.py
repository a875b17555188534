"""One role for each column: what has none is proposed one, what has several is named."""

from __future__ import annotations

import pandas as pd
import pytest

import discreet as dc
from discreet.errors import Faults, InputError
from discreet.frames import adopt
from discreet.instruments.protect.recipe import Recipe
from discreet.instruments.protect.roles import MOST_PROPOSED, check_roles, roles_of


def test_columns_without_a_role_are_listed_with_a_proposal_each() -> None:
    frame = dc.datasets.survey(60, seed=1)
    with pytest.raises(InputError) as error:
        dc.protect(frame, keys=["sex"], leave=["hat"])
    text = str(error.value)
    assert "13 columns have no role" in text
    assert "person: identifiers, perhaps (different in every row)" in text
    assert "household: household, perhaps" in text
    assert "'hat', not in the data" in text
    assert str(frame["person"][7]) not in text
    assert "Ashford" not in text


def test_one_role_each() -> None:
    table = adopt(pd.DataFrame({"a": [1, 2], "b": [1, 2], "c": [3, 4]}))
    faults = Faults()
    check_roles(table, Recipe(keys=["a", "b"], leave=["a", "c"], accept=["b"]), faults)
    with pytest.raises(InputError) as error:
        faults.raise_if_any()
    assert "'a' has several roles (keys, leave)" in str(error.value)
    assert "neither left nor sensitive: b" in str(error.value)
    faults = Faults()
    check_roles(table, Recipe(identifiers=["a", "b", "c"]), faults)
    with pytest.raises(InputError) as error:
        faults.raise_if_any()
    assert "nothing is left" in str(error.value)
    assert "neither keys nor numeric" in str(error.value)


def test_every_role_of_every_column() -> None:
    recipe = Recipe(keys=["a", "b"], numeric=["c"], leave=["a"], weight="c", household="h")
    assert roles_of(recipe) == {"a": ["keys", "leave"], "b": ["keys"], "c": ["numeric", "weight"], "h": ["household"]}


def test_many_columns_without_a_role_are_counted() -> None:
    frame = pd.DataFrame({f"x{i}": [1, 2] for i in range(MOST_PROPOSED + 3)})
    faults = Faults()
    check_roles(adopt(frame), Recipe(), faults)
    with pytest.raises(InputError, match=f"^{MOST_PROPOSED + 3} columns have no role.*; and 3 more$"):
        faults.raise_if_any()


def test_columns_with_one_role_each_are_no_fault() -> None:
    table = adopt(pd.DataFrame({"a": [1, 2], "b": [3, 4], "c": ["x", "y"]}))
    faults = Faults()
    check_roles(table, Recipe(keys=["a"], identifiers=["b"], sensitive=["c"], accept={"c": "known anyway"}), faults)
    assert not faults
