"""Entries that contradict what had been settled before, though every hash fits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from release_tables import declared
from sqlalchemy import text

from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history import store
from discreet.release.history.database import Database
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service

TRY = {"tries": 1, "until": 0.0, "limit": 1.0}
ANSWER = {"what": "answer", "who": "eve", "variables": ["A"], "version": 1}


@pytest.fixture
def told(service: Service, analyst: Actor) -> Service:
    """A:B is released (version 1), the whole table refused."""
    for request in ("AB", "ABCDEF"):
        service.ask(analyst, "auto", list(request))
    assert audit(service.database).intact
    return service


def faults_after(service: Service, content: dict[str, Any]) -> str:
    with service.database.writing() as connection:
        store.append(connection, store.chain_of("auto"), {**ANSWER, **content})
    return " ".join(audit(service.database).faults)


def margin(service: Service, variables: str) -> str:
    opened = service.open("auto")
    return opened.margin(opened.mask(list(variables)))[2]


def test_what_fits_is_intact(told: Service) -> None:
    assert faults_after(told, {"answer": "release", "ground": "contained", "margin": margin(told, "A")}) == ""


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ({"answer": "refuse", "ground": "danger"}, "refuses what had been released"),
        ({"answer": "refuse", "ground": "frontier", "variables": ["C"]}, "contains no refused margin"),
        ({"answer": "give", "ground": "safe"}, "never given"),
        ({"answer": "refuse", "ground": "frontier", "variables": list("ABCDEF"), "version": 7}, "another release"),
        ({"answer": "release", "ground": "contained", "margin": "0" * 64}, "counts told are not those stored"),
        ({"answer": "refuse", "ground": "danger", "variables": ["C"]}, "does not follow from its ledger"),
        (
            {
                "answer": "refuse",
                "ground": "unresolved",
                "variables": ["C"],
                "attempt": TRY,
            },
            "unresolved",
        ),
        ({"answer": "refuse", "ground": "danger", "variables": ["no such"]}, "cannot be followed"),
        ({"answer": "refuse"}, "cannot be followed"),
    ],
)
def test_what_does_not_fit_shows(told: Service, content: dict[str, Any], fault: str) -> None:
    assert fault in faults_after(told, content)


def test_a_release_of_what_was_refused_shows(told: Service) -> None:
    whole = {"answer": "release", "ground": "safe", "variables": list("ABCDEF"), "version": 2}
    assert "releases what had been refused" in faults_after(told, {**whole, "margin": margin(told, "ABCDEF")})


def test_what_was_released_is_contained(told: Service) -> None:
    other = {"answer": "release", "ground": "contained", "variables": ["C"], "version": 2}
    assert "was not contained" in faults_after(told, {**other, "margin": margin(told, "C")})


@pytest.mark.parametrize(
    "change",
    [
        "version = version + 1",
        """unresolved = '{"4": {"tries": 1, "until": 0, "limit": 1}}'""",
        """frontier = '{"released": [63], "refused": []}'""",
        "frontier = '{}'",
        "frontier = 'x'",
    ],
)
def test_a_forged_state_shows(told: Service, change: str) -> None:
    with told.database.writing() as connection:
        connection.execute(text(f"UPDATE states SET {change}".replace(":", "\\:")))
    assert not audit(told.database).intact


def test_a_synthetic_table_is_fixed_as_a_whole(database: Database, analyst: Actor) -> None:
    """One that is exchanged for the truth, behind the margin that was told, would give the truth away later."""
    rng = np.random.default_rng(5)
    table = Table(tuple("ABC"), (("a", "b", "c"),) * 3, rng.poisson(2.0, (3, 3, 3)))
    service = Service(database)
    service.add("custodian", "x", table, Policy(otherwise="simulate", published=((), ("A",))), codebook=declared(table))
    assert service.ask(analyst, "x", ["B"]).answer in ("release", "simulate")
    simulated = service.ask(analyst, "x", list("ABC"))
    assert simulated.answer == "simulate"
    assert audit(database).faults == ()
    with database.writing() as connection:
        (packed,) = connection.execute(text("SELECT counts FROM synthetics ORDER BY version DESC")).first() or ()
        counts = store.unpack(packed)["counts"]
        connection.execute(text("UPDATE synthetics SET counts = :c"), {"c": store.pack({"counts": counts[::-1]})})
    assert any("the counts told" in fault for fault in audit(database).faults)


def test_a_repeated_answer_may_bear_an_earlier_number(told: Service) -> None:
    """Another process may not know yet that more was released."""
    early = {"answer": "release", "ground": "contained", "margin": margin(told, "A")}
    assert faults_after(told, {**early, "version": 0}) == ""
    assert "another release" in faults_after(told, {**early, "version": 2})


def test_a_total_that_was_refused_is_not_released_along(database: Database, analyst: Actor) -> None:
    service = Service(database)
    service.add("custodian", "auto", Table(("A",), (("a", "b"),), np.array([1, 0])), Policy(c=3, w=50))
    assert service.ask(analyst, "auto", []).answer == "refuse"
    content = {"answer": "refuse", "ground": "frontier", "variables": ["A"], "total released": True}
    assert "the total, which had been refused" in faults_after(service, content)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM digests",
        "DELETE FROM digests WHERE margin = '[]'",
        "UPDATE digests SET digest = 'x' WHERE margin = '[]'",
        "UPDATE settings SET value = '00' WHERE name = 'digest key'",
        "DELETE FROM settings WHERE name = 'digest key'",
    ],
)
def test_digests_by_which_a_copy_is_recognized(told: Service, change: str) -> None:
    with told.database.writing() as connection:
        connection.execute(text(change))
    assert "digests of its margins" in " ".join(audit(told.database).faults)
