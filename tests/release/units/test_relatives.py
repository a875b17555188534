"""Which datasets are about the same people: a population, and editions of editions in both directions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import insert

from discreet.release.history.database import Database
from discreet.release.history.models import Dataset
from discreet.release.units.relatives import Relative, find_relatives

# name: population, predecessor
TABLES = {
    "a": ("town", None),
    "b": ("town", None),
    "c": ("village", None),
    "c2": (None, "c"),
    "c3": (None, "c2"),
    "alone": (None, None),
}
NUMBER = {name: number for number, name in enumerate(TABLES, 1)}


@pytest.fixture
def filled(database: Database) -> Database:
    with database.writing() as connection:
        for name, (population, before) in TABLES.items():
            plain = {"variables": "[]", "policy": "{}", "counts": b"", "digest": "", "created": datetime.now(UTC)}
            row = {"id": NUMBER[name], "name": name, "population": population, "predecessor": NUMBER.get(before or "")}
            connection.execute(insert(Dataset).values(**plain, **row))
    return database


def found(database: Database, name: str, population: str | None = None, before: str | None = None) -> list[Relative]:
    with database.reading() as connection:
        return find_relatives(connection, name, population, before)


@pytest.mark.parametrize("name", TABLES)
def test_relatives_are_those_of_the_definition(filled: Database, name: str) -> None:
    population, before = TABLES[name]
    chain = {"c", "c2", "c3"}
    expected = []
    for other, (theirs, _) in TABLES.items():
        same = population is not None and theirs == population
        if other != name and (same or {name, other} <= chain):
            expected.append(Relative(NUMBER[other], other, edition=not same))
    assert found(filled, name, population, before) == expected


def test_a_dataset_that_is_not_there_yet(filled: Database) -> None:
    assert [one.name for one in found(filled, "new", before="c2")] == ["c", "c2", "c3"]
    assert [one.name for one in found(filled, "new", population="town")] == ["a", "b"]
    both = found(filled, "new", population="town", before="c3")
    assert [(one.name, one.edition) for one in both] == [
        ("a", False), ("b", False), ("c", True), ("c2", True), ("c3", True),
    ]  # fmt: skip
    assert found(filled, "new") == []
