"""A second pair of eyes: nothing takes effect before, once and for good after, and never by the same person."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from discreet.errors import InputError
from discreet.release import tokens
from discreet.release.audit import audit
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Proposal, Token
from discreet.release.people import proposals
from discreet.release.people.actor import Actor
from discreet.release.people.proposals import LOAD, POLICY, Pending


@pytest.fixture
def custodians(database: Database) -> dict[str, Actor]:
    """Two from the command, one made by the first on the page, one made by that, and two of a sign-in service."""
    found = {}
    for name, maker in (("carla", "command line"), ("bob", "command line"), ("puppet", "carla"), ("doll", "puppet")):
        token, _ = tokens.create_token(database, "custodian", name, who=maker)
        actor = tokens.actor_of_token(database, token)
        assert actor is not None
        found[name] = actor
    with database.writing() as connection:
        for number, name in enumerate(("eve", "finn"), 50):
            values = {"id": number, "name": name, "role": "custodian", "digest": str(number), "subject": name}
            connection.execute(
                insert(Token).values(**values, created=datetime.now(UTC), issuer="https://x", creator="the service")
            )
            found[name] = Actor(number, name, "custodian")
    return found


class Carried:
    def __init__(self, error: Exception | None = None) -> None:
        self.done: list[Pending] = []
        self.error = error

    def __call__(self, database: Database, proposal: Pending) -> None:
        if self.error is not None:
            raise self.error
        self.done.append(proposal)


def whats(database: Database) -> list[str]:
    with database.reading() as connection:
        return [
            f"{c['what']} {c['who']}"
            for c in (e.content for e in store.read_entries(connection, SERVER))
            if c["what"].startswith("proposal")
        ]


def test_another_confirms(database: Database, custodians: dict[str, Actor]) -> None:
    carried = Carried()
    number = proposals.propose(database, "carla", LOAD, "x", {"a": [1, "é"]})
    assert [p.number for p in proposals.pending(database)] == [number]
    assert carried.done == []
    proposals.confirm(database, custodians["bob"], number, {LOAD: carried})
    assert [(p.subject, p.who, p.content) for p in carried.done] == [("x", "carla", {"a": [1, "é"]})]
    assert proposals.pending(database) == []
    with pytest.raises(InputError, match="no proposal"):
        proposals.confirm(database, custodians["bob"], number, {LOAD: carried})
    with pytest.raises(InputError, match="no proposal"):
        proposals.reject(database, custodians["bob"], number)
    assert len(carried.done) == 1
    assert whats(database) == ["proposal made carla", "proposal confirmed bob"]


@pytest.mark.parametrize(
    ("maker", "confirmer", "another"),
    [
        ("carla", "carla", False),
        ("carla", "puppet", False),  # she made that token, and has seen it
        ("puppet", "carla", False),
        ("carla", "doll", False),
        ("doll", "puppet", False),
        ("carla", "bob", True),
        ("bob", "doll", True),
        ("eve", "eve", False),
        ("eve", "finn", True),
        ("eve", "carla", True),
        ("command line", "carla", True),
    ],
)
def test_who_is_another(
    database: Database, custodians: dict[str, Actor], maker: str, confirmer: str, another: bool
) -> None:
    carried = Carried()
    number = proposals.propose(database, maker, LOAD, "x", {})
    if another:
        proposals.confirm(database, custodians[confirmer], number, {LOAD: carried})
    else:
        with pytest.raises(InputError, match="another custodian"):
            proposals.confirm(database, custodians[confirmer], number, {LOAD: carried})
    assert bool(carried.done) == another


def test_whom_it_concerns(database: Database, custodians: dict[str, Actor]) -> None:
    load = proposals.propose(database, "carla", LOAD, "new", {})
    change = proposals.propose(database, "carla", POLICY, "auto", {})
    cases = {
        Actor(90, "keeper", "none", grants=(("auto", "custodian"),)): {change},
        Actor(91, "other", "none", grants=(("b", "custodian"),)): set(),
        Actor(92, "reader", "none", grants=(("auto", "analyst"),)): set(),
        Actor(93, "analyst", "analyst"): set(),
        custodians["bob"]: {load, change},
    }
    carried = Carried()
    for actor, seen in cases.items():
        assert {p.number for p in proposals.pending(database, actor)} == seen
        for number in {load, change} - seen:
            with pytest.raises(InputError, match="no proposal"):
                proposals.confirm(database, actor, number, {LOAD: carried, POLICY: carried})
            with pytest.raises(InputError, match="no proposal"):
                proposals.reject(database, actor, number)
    assert carried.done == []


def test_one_of_a_kind_waits(database: Database, custodians: dict[str, Actor]) -> None:
    number = proposals.propose(database, "carla", LOAD, "x", {})
    with pytest.raises(InputError, match="waits already"):
        proposals.propose(database, "bob", LOAD, "x", {})
    proposals.reject(database, custodians["carla"], number)  # withdrawn
    assert proposals.propose(database, "bob", LOAD, "x", {}) != number
    assert whats(database) == ["proposal made carla", "proposal rejected carla", "proposal made bob"]


def test_what_fails_waits_again(database: Database, custodians: dict[str, Actor]) -> None:
    number = proposals.propose(database, "carla", LOAD, "x", {})
    with pytest.raises(InputError, match="no room"):
        proposals.confirm(database, custodians["bob"], number, {LOAD: Carried(InputError("no room"))})
    assert [p.number for p in proposals.pending(database)] == [number]
    carried = Carried()
    proposals.confirm(database, custodians["bob"], number, {LOAD: carried})
    assert len(carried.done) == 1
    assert whats(database)[1:] == ["proposal confirmed bob", "proposal not carried out bob", "proposal confirmed bob"]


def test_one_that_was_abandoned_can_be_taken_up(database: Database, custodians: dict[str, Actor]) -> None:
    number = proposals.propose(database, "carla", LOAD, "x", {})

    def dies(*_: Any) -> None:  # as if the process ended there: nothing is put right afterwards
        with database.reading() as connection:
            assert connection.execute(select(Proposal.outcome)).scalar_one() == "claimed"
        with pytest.raises(InputError, match="being carried out"):
            proposals.confirm(database, custodians["bob"], number, {LOAD: Carried()})
        with pytest.raises(InputError, match="being carried out"):
            proposals.reject(database, custodians["bob"], number)

    proposals.confirm(database, custodians["bob"], number, {LOAD: dies})
    long_ago = datetime.now(UTC) - proposals.ABANDONED - timedelta(seconds=1)
    with database.writing() as connection:
        connection.execute(update(Proposal).values(outcome="claimed", decided=long_ago))
    carried = Carried()
    proposals.confirm(database, custodians["bob"], number, {LOAD: carried})
    assert len(carried.done) == 1


def test_of_many_who_confirm_together_one_does(database: Database, custodians: dict[str, Actor]) -> None:
    number = proposals.propose(database, "carla", LOAD, "x", {})
    carried, gate, refused = Carried(), threading.Barrier(6), []

    def go() -> None:
        gate.wait()
        try:
            proposals.confirm(database, custodians["bob"], number, {LOAD: carried})
        except InputError as error:
            refused.append(error)

    threads = [threading.Thread(target=go) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(carried.done) == 1
    assert len(refused) == 5


def test_the_ledger_agrees(database: Database) -> None:
    actors = []
    for name in ("carla", "bob"):
        actor = tokens.actor_of_token(database, tokens.create_token(database, "custodian", name)[0])
        assert actor is not None
        actors.append(actor)
    one, two, _ = (proposals.propose(database, "carla", POLICY, name, {}) for name in "abc")
    proposals.confirm(database, actors[1], one, {POLICY: Carried()})
    proposals.reject(database, actors[0], two)
    assert audit(database).faults == ()
