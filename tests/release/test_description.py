"""What people hear of a dataset: lists only where they are public, other datasets only where they may be seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from release_tables import declared

from discreet.release.description import described, told_margins
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service

FOUND: dict[str, Any] = {
    "name": "view",
    "variables": [
        {"name": "area", "categories": ["n", "s"], "of": "region", "places": [0, 1]},
        {"name": "sex", "categories": ["f", "m"]},
        {"name": "age", "categories": ["old", "young"]},
    ],
    "labels": {"age": ["65 and over", "under 65"]},
    "released": {"region"},
    "stage": "open",
    "stages": ("open", "open"),
    "unit": "table",
    "population": "workers",
    "predecessor": "last-year",
}


def test_a_list_is_public_where_it_is_declared_or_released() -> None:
    """Of a view: where the variable of its table is in a released margin, whatever the view calls it."""
    told = described(FOUND, {"table", "last-year"})
    assert told["variables"] == ["area", "sex", "age"]
    assert told["categories"] == {"area": ["n", "s"], "age": ["old", "young"]}
    assert "sex" not in described({**FOUND, "released": set()}, set())["categories"]
    assert "sex" in described({**FOUND, "released": {"sex"}}, set())["categories"]
    assert described({**FOUND, "released": {"area"}}, set())["categories"].keys() == {"age"}


@pytest.mark.parametrize("key", ["unit", "predecessor"])
def test_a_dataset_that_one_may_not_see_is_not_named(key: str) -> None:
    hidden = FOUND[key]
    told = described(FOUND, {"view", "table", "last-year"} - {hidden})
    assert told[key] is None
    assert hidden not in str(told)
    assert described(FOUND, {hidden})[key] == hidden


def test_nothing_else_of_the_table_gets_out() -> None:
    told = described({**FOUND, "counts": [1, 2], "digest": "f" * 64}, set())
    known = ("name", "variables", "categories", "labels", "stage", "population", "unit", "predecessor")
    assert set(told) == set(known)


def test_told_margins_are_the_released_and_the_parts(database: Database, analyst: Actor) -> None:
    table = Table(("A", "B"), (("a", "b"), ("x", "y", "z")), np.array([[1, 8, 9], [7, 2, 6]]))
    service = Service(database)
    service.add("custodian", "hiding", table, Policy(otherwise="suppress"), codebook=declared(table))
    opened = service.current("hiding")
    assert told_margins(opened) == []
    assert service.ask(analyst, "hiding", ["A"]).answer == "release"
    assert service.ask(analyst, "hiding", ["A", "B"]).answer == "suppress"
    whole, part = told_margins(service.current("hiding"))
    assert (whole["answer"], whole["variables"], whole["hidden"], whole["base"]) == ("release", ["A"], 0, 1)
    assert [row["count"] for row in whole["margin"]] == [18, 15]
    assert (part["answer"], part["variables"], part["synthetic"]) == ("suppress", ["A", "B"], False)
    shown = [row["count"] for row in part["margin"]]
    assert part["hidden"] == shown.count(None) > 0
    assert all(count in (None, true) for count, true in zip(shown, table.dense().reshape(-1).tolist()))
    assert shown[0] is None, "the lone person is not told"
