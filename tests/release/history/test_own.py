"""Her own entries out of the ledger: hers alone, whatever others are called, the latest first, page by page."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from discreet.release.engine import Table
from discreet.release.history.database import Database, open_database
from discreet.release.history.own import OwnAnswer, read_own
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import Actor, actor_of_token, create_token

CHAINS = ["dataset/auto", "dataset/second"]


def person(database: Database, name: str) -> Actor:
    actor = actor_of_token(database, create_token(database, "analyst", name)[0])
    assert actor is not None
    return actor


def told(connection: Connection, who: str, limit: int = 100, **options: bool) -> list[OwnAnswer]:
    return read_own(connection, CHAINS, who, limit=limit, **options)


def test_hers_alone(database: Database, service: Service, auto: Table) -> None:
    """Names that differ in case, or where one holds a wildcard of the search, are different people."""
    service.add("custodian", "second", auto, Policy(), distinct=True)
    names = ("ann", "Ann", "a_n", "an", "ann.b")
    for place, name in enumerate(names):
        service.ask(person(database, name), "auto", ["ABCDEF"[place]])
    service.ask(person(database, "eve"), "second", ["A", "B"])
    with database.reading() as connection:
        for place, name in enumerate(names):
            assert [a.variables for a in told(connection, name)] == [("ABCDEF"[place],)]
        assert [a.chain for a in told(connection, "eve")] == ["dataset/second"]
        assert read_own(connection, CHAINS[:1], "eve", limit=9) == []
        assert told(connection, "custodian") == []  # opened the dataset, asked nothing


def test_a_variable_cannot_pass_for_a_person(database: Database, service: Service, auto: Table) -> None:
    tricky = '"who":"ann"'
    service.add(
        "custodian", "second", Table((tricky, *auto.names[1:]), auto.categories, auto.counts), Policy(), distinct=True
    )
    person(database, "ann")
    service.ask(person(database, "eve"), "second", [tricky])
    with database.reading() as connection:
        assert told(connection, "ann") == []


def test_pages_and_refusals(database: Database, service: Service) -> None:
    ann = person(database, "ann")
    asked = [["A"], ["A", "B"], list("ABCDEF"), ["B"], []]
    entries = [service.ask(ann, "auto", margin).entry for margin in asked]
    with database.reading() as connection:
        everything = told(connection, "ann")
        assert [list(a.variables) for a in everything] == asked[::-1]
        assert [a.entry for a in everything] == entries[::-1]
        first = told(connection, "ann", 2)
        rest = read_own(connection, CHAINS, "ann", limit=9, before=first[-1].number)
        assert first + rest == everything
        (refusal,) = told(connection, "ann", refused=True)
        assert (refusal.variables, refusal.answer) == (tuple("ABCDEF"), "refuse")
        assert not hasattr(refusal, "ground")


def test_on_postgresql_too(postgres: Callable[[str], str], auto: Table) -> None:
    database = open_database(postgres("own"), create=True)
    service = Service(database)
    service.add("custodian", "auto", auto, Policy())
    ann, other = person(database, "a_n"), person(database, "abn")
    service.ask(ann, "auto", list("ABCDEF"))
    service.ask(other, "auto", ["B"])
    with database.reading() as connection:
        assert [a.variables for a in told(connection, "a_n", refused=True)] == [tuple("ABCDEF")]
        assert [a.variables for a in told(connection, "abn")] == [("B",)]
    database.close()
