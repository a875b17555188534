"""What `ledger verify` follows beside answers: stages, rules, views, codebooks and what a dataset belongs to."""

from __future__ import annotations

import sqlite3

import pytest
from release_tables import declared

from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.life.rule import change_policy
from discreet.release.life.stages import change_stage
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service


@pytest.fixture
def full(database: Database, auto: Table, analyst: Actor) -> Service:
    """A database with everything in it."""
    service = Service(database)
    service.add("custodian", "base", auto, Policy(), codebook=declared(auto), population="p")
    service.add("custodian", "view", auto.margin(["A", "B"]), Policy(), unit="base")
    part = auto.margin(["A", "C"])
    service.add("custodian", "part", part, Policy(), codebook=declared(part), population="p")
    next_year = Table(auto.names, auto.categories, auto.dense() + 1)
    service.add("custodian", "next", next_year, Policy(), codebook=declared(auto), predecessor="base")
    for name, variables in (("base", "AB"), ("view", "B"), ("part", "AC"), ("next", "AB"), ("base", "ABCDEF")):
        service.ask(analyst, name, list(variables))
    change_policy(database, "boss", "base", Policy(c=1))
    change_stage(database, "boss", "part", "closed")
    service.ask(analyst, "view", ["A"])
    service.ask(analyst, "base", ["C", "D"])
    return service


def test_a_full_life_is_intact(full: Service) -> None:
    found = audit(full.database)
    assert found.faults == ()
    assert len(found.heads) == 5


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE datasets SET population = 'q' WHERE name = 'part'",
        "UPDATE datasets SET predecessor = NULL WHERE name = 'next'",
        "UPDATE datasets SET codebook = NULL WHERE name = 'base'",
        "UPDATE datasets SET unit = (SELECT id FROM datasets WHERE name = 'next') WHERE name = 'view'",
        "UPDATE states SET stage = 'closed' WHERE dataset_id = (SELECT id FROM datasets WHERE name = 'base')",
        "UPDATE states SET stage = 'open' WHERE dataset_id = (SELECT id FROM datasets WHERE name = 'part')",
        "UPDATE states SET policy = NULL WHERE dataset_id = (SELECT id FROM datasets WHERE name = 'base')",
    ],
)
def test_what_is_changed_behind_the_ledger_shows(full: Service, statement: str) -> None:
    raw = sqlite3.connect(str(full.database.engine.url.database))
    assert raw.execute(statement).rowcount == 1
    raw.commit()
    raw.close()
    assert not audit(full.database).intact
