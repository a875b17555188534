"""After a restore nothing is decided until a custodian says what was told; that counts as released."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from release_tables import declared

from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.decision import Situation, decide
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, mask_of
from discreet.release.history.database import Database
from discreet.release.life.rule import change_policy
from discreet.release.life.stages import change_stage
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.running.hold import Held, Told, check_hold, hold, read_told, resume
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
    told = [Told("auto", tuple("ABCDE")), Told("auto", tuple("BCDEF"))]
    held(database)
    resume(database, "custodian", told)
    assert service.ask(analyst, "auto", list("ABC")).ground == "contained"
    frontier = Frontier()
    for _, variables, *_ in told:
        frontier = frontier.release(mask_of(auto.axes(variables)))
    expected = decide(Situation(auto, frontier), policy, mask_of(auto.axes(list("ACDF"))))
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
    resume(database, "custodian", [Told("auto", ("D", "E"))])
    assert not service.current("auto").state.carried


def test_everything_wrong_is_said_and_nothing_done(database: Database, service: Service) -> None:
    held(database)
    with pytest.raises(InputError) as caught:
        resume(database, "custodian", [Told("none", ("A",)), Told("auto", ("Z",)), Told("auto", ("A",))])
    assert len(caught.value.faults) == 2
    with pytest.raises(Held):
        check_hold(database)
    assert len(service.ledger("auto")) == 1


def test_stage_and_rule_stay(database: Database, auto: Table) -> None:
    service = Service(database)
    service.add("custodian", "auto", auto, Policy(), codebook=declared(auto))
    change_policy(database, "custodian", "auto", Policy(c=3, w=4))
    change_stage(database, "custodian", "auto", "retired")
    held(database)
    resume(database, "custodian", [Told("auto", ("A",)), Told("auto", ("A",)), Told("auto", ())])
    state = service.current("auto").state
    assert (state.stage, state.policy, state.version) == ("retired", Policy(c=3, w=4), 1)
    assert audit(database).faults == ()


def test_what_a_view_told_is_its_tables(database: Database, auto: Table) -> None:
    service = Service(database)
    service.add("custodian", "auto", auto, Policy(), codebook=declared(auto))
    service.add("custodian", "view", auto.margin(["A", "B"]), Policy(), unit="auto")
    held(database)
    resume(database, "custodian", [Told("view", ("B",))])
    assert service.current("auto").state.frontier.released == (auto_mask(auto, "B"),)
    assert audit(database).faults == ()


def auto_mask(table: Table, *names: str) -> int:
    return mask_of(table.axes(names))


@pytest.mark.parametrize(
    ("policy", "text", "wrong"),
    [
        (Policy(otherwise="suppress"), "some=A:B=1,5", ["some=A:B=7", "some=A:B=0", "some=A:B=2", "some=A:B=round5"]),
        (Policy(otherwise="round", base=8), "some=A:B=round8", ["some=A:B=round5", "some=A:B=1,5"]),
    ],
)
def test_a_part_stays_a_part(database: Database, analyst: Actor, policy: Policy, text: str, wrong: list[str]) -> None:
    """Named as released it would be told whole, which the rule does not allow."""
    service, table = (
        Service(database),
        Table(("A", "B"), (("a", "b"), ("x", "y", "z")), np.array([[1, 8, 9], [7, 2, 6]])),
    )
    service.add("custodian", "some", table, policy, codebook=declared(table))
    held(database)
    for given in ["some=A:B", *wrong]:
        with pytest.raises(InputError):
            resume(database, "custodian", [read_told(given)])
    assert str(read_told(text)) == text
    resume(database, "custodian", [read_told(text)])
    answer = service.ask(analyst, "some", ["A", "B"])
    assert (answer.answer, answer.ground) == (policy.otherwise, "contained")
    assert audit(database).faults == ()


@pytest.mark.parametrize("text", ["auto", "=A", "auto=A::B", ""])
def test_what_is_not_said_so(text: str) -> None:
    with pytest.raises(InputError):
        read_told(text)


def test_analysts_are_told_to_wait(
    web: Callable[..., Any], bearer: dict[str, dict[str, str]], database: Database, service: Service
) -> None:
    held(database)
    told = web().post("/api/datasets/auto/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert told.status_code == 503
    assert int(told.headers["retry-after"]) > 0
    assert "custodian" in told.json()["detail"]
