"""Roles: one for every column, and each where it must stand."""

from __future__ import annotations

import pandas as pd

from discreet.errors import Faults, InputError
from discreet.verify.readers import open_table
from discreet.verify.units.roles import Roles, check_roles, one_name

BEFORE = open_table(pd.DataFrame({n: ["1"] for n in ("name", "h", "x", "w", "q")}), "data")
AFTER = open_table(pd.DataFrame({n: ["1"] for n in ("h", "x", "w", "q")}), "data")
ROLES = Roles(numeric=("x",), weight="w", household="h", identifiers=("name",))


def heard(faults: Faults) -> list[str]:
    """What a user would hear."""
    try:
        faults.raise_if_any()
    except InputError as error:
        return list(error.faults)
    return []


def faults_of(roles: Roles, **others: list[str]) -> list[str]:
    faults = Faults()
    check_roles(BEFORE, AFTER, roles, others, faults)
    return heard(faults)


def test_words_and_columns_of_roles() -> None:
    assert ROLES.means == ("x", "w") and ROLES.unit == "h" and ROLES.special == ("x", "w", "h")
    assert ROLES.named == ("x", "w", "h", "name")
    assert ROLES.unit_words == ("household", "households")
    assert Roles(person="p").unit == "p" and Roles(person="p").unit_words == ("person", "persons")


def test_honest_roles_have_no_fault() -> None:
    assert faults_of(ROLES, keys=["q"]) == []


def test_every_fault_is_named() -> None:
    wrong = Roles(numeric=("x", "gone"), household="h", person="q", rare="drop", identifiers=("x",))
    found = " | ".join(faults_of(wrong, keys=["q"]))
    for words in ("rare sizes", "one of household and person", "more than one role: x", "no column named gone"):
        assert words in found


def test_rare_needs_units() -> None:
    assert faults_of(Roles(rare="merge")) == ["rare is about sizes of units: name the household or the person"]


def test_one_name_is_a_text() -> None:
    faults = Faults()
    assert one_name("h", "household", faults) == "h" and one_name(None, "household", faults) is None
    assert not heard(faults)
    assert one_name(["h"], "household", faults) is None and one_name("", "household", faults) is None
    assert heard(faults) == ["household must be the name of one column"] * 2
