"""After a restore nothing is decided until a custodian says what was told; that counts as released."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from release_tables import declared

from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.decision import State, decide
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, mask_of
from discreet.release.history.database import Database
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.running.hold import Held, check_hold, hold, resume
from discreet.release.service import Service


def held(database: Database) -> None:
    with database.writing() as connection:
        hold(connection, {"entry": "x"})


def test_held_until_resumed(database: Database, analyst: Actor, service: Service) -> None:
    service.ask(analyst, "auto", ["A"])
    held(database)
    assert service.ask(analyst, "auto", ["A"]).ground == "contained"
    with pytest.raises(Held):
        service.ask(analyst, "auto", ["B"])
    resume(database, "custodian", [])
    check_hold(database)
    assert service.ask(analyst, "auto", ["B"]).answer == "release"
    with pytest.raises(InputError, match="not held"):
        resume(database, "custodian", [])


@pytest.mark.parametrize("mode", ["exact", "simulatable"])
def test_what_was_told_counts_in_later_decisions(mode: Any, database: Database, analyst: Actor, auto: Table) -> None:
    """The answers after it are those of a server that had released the margins itself."""
    service, policy = Service(database), Policy(mode=mode)
    service.add("custodian", "auto", auto, policy, codebook=declared(auto))
    told = [("auto", tuple("ABCDE")), ("auto", tuple("BCDEF"))]
    held(database)
    resume(database, "custodian", told)
    assert service.ask(analyst, "auto", list("ABC")).ground == "contained"
    frontier = Frontier()
    for _, variables in told:
        frontier = frontier.release(mask_of(auto.axes(variables)))
    expected = decide(State(auto, frontier), policy, mask_of(auto.axes(list("ACDF"))))
    assert service.ask(analyst, "auto", list("ACDF")).answer == expected.answer
    assert audit(database).faults == ()
    contents = [entry.content for entry in service.ledger("auto")]
    assert [c["ground"] for c in contents[1:3]] == ["told before"] * 2
    assert {c["who"] for c in contents[1:3]} == {"custodian"}


def test_carried_bounds_are_dropped(database: Database, analyst: Actor, service: Service) -> None:
    """A table that proved a cell safe need not have the margin that is told now."""
    service.ask(analyst, "auto", list("ABC"))
    assert service.current("auto").state.carried
    held(database)
    resume(database, "custodian", [("auto", ("D", "E"))])
    assert not service.current("auto").state.carried


def test_everything_wrong_is_said_and_nothing_done(database: Database, service: Service) -> None:
    held(database)
    with pytest.raises(InputError) as caught:
        resume(database, "custodian", [("none", ("A",)), ("auto", ("Z",)), ("auto", ("A",))])
    assert len(caught.value.faults) == 2
    with pytest.raises(Held):
        check_hold(database)
    assert len(service.ledger("auto")) == 1


def test_analysts_are_told_to_wait(
    web: Callable[..., Any], bearer: dict[str, dict[str, str]], database: Database, service: Service
) -> None:
    held(database)
    told = web().post("/api/datasets/auto/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert told.status_code == 503
    assert int(told.headers["retry-after"]) > 0
    assert "custodian" in told.json()["detail"]
