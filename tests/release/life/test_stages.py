"""Stages: who is served with what, by every door, and that each change is in the ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from release_tables import declared

from discreet.errors import InputError
from discreet.release import judging
from discreet.release.audit import audit
from discreet.release.decision import Situation, decide
from discreet.release.engine import Table
from discreet.release.life.stages import ClosedDataset, UnknownDataset, change_stage, possible
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import CUSTODIAN, Actor

BOSS = Actor(9, "boss", CUSTODIAN)


def to(service: Service, stage: str, name: str = "auto") -> None:
    change_stage(service.database, "boss", name, stage)


def test_closed_serves_what_is_released_and_decides_nothing(service: Service, analyst: Actor) -> None:
    service.ask(analyst, "auto", ["A", "B"])
    other = Service(service.database)
    other.open("auto")
    to(service, "closed")
    for one in (service, other):
        assert one.ask(analyst, "auto", ["A"]).answer == "release"
        for actor in (analyst, BOSS):
            with pytest.raises(ClosedDataset, match="closed"):
                one.ask(actor, "auto", ["C"])
    to(service, "open")
    assert other.ask(analyst, "auto", ["C"]).answer == "release"
    assert audit(service.database).intact


def test_retired_is_gone_for_analysts_at_once_and_for_good(service: Service, analyst: Actor) -> None:
    service.ask(analyst, "auto", ["A", "B"])
    other = Service(service.database)
    other.open("auto")
    to(service, "retired")
    with pytest.raises(UnknownDataset):
        other.ask(analyst, "auto", ["A"])
    with pytest.raises(UnknownDataset):
        other.released("auto", analyst)
    assert other.datasets(analyst) == []
    assert other.ask(BOSS, "auto", ["A"]).answer == "release"
    assert [d["stage"] for d in other.datasets(BOSS)] == ["retired"]
    for stage in ("open", "closed", "retired", "draft"):
        with pytest.raises(InputError, match="for good"):
            to(service, stage)
    assert audit(service.database).intact


def test_a_draft_is_for_custodians(service: Service, analyst: Actor, small: Table) -> None:
    service.add("custodian", "new", small, Policy(), draft=True)
    with pytest.raises(UnknownDataset):
        service.ask(analyst, "new", ["A"])
    assert "new" not in [d["name"] for d in service.datasets(analyst)]
    service.ask(BOSS, "new", ["A"])
    to(service, "open", "new")
    assert service.ask(analyst, "new", ["A"]).answer in ("release", "refuse")
    assert audit(service.database).intact


def test_steps_that_do_not_exist(service: Service) -> None:
    assert possible("open") == ["closed", "retired"]
    with pytest.raises(InputError, match="can become closed or retired"):
        to(service, "open")
    with pytest.raises(UnknownDataset):
        to(service, "closed", "nowhere")
    assert [e.content["what"] for e in service.ledger("auto")] == ["opened"]


def test_a_decision_under_way_is_not_written_after_closing(
    service: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(state: Situation, policy: Policy, mask: int, progress: object = None) -> object:
        made = decide(state, policy, mask)
        to(service, "closed")
        return made

    monkeypatch.setattr(judging, "decide", slow)
    with pytest.raises(ClosedDataset):
        service.ask(analyst, "auto", ["A"])
    assert [e.content["what"] for e in service.ledger("auto")] == ["opened", "stage changed"]
    assert audit(service.database).intact


def test_a_view_has_its_own_stage_and_its_tables(service: Service, analyst: Actor, auto: Table) -> None:
    service.add("custodian", "view", auto.margin(["A", "B"]), Policy(), unit="auto")
    service.ask(analyst, "view", ["A"])
    to(service, "closed", "view")
    assert service.ask(analyst, "view", ["A"]).answer == "release"
    with pytest.raises(ClosedDataset, match="view"):
        service.ask(analyst, "view", ["B"])
    assert service.ask(analyst, "auto", ["B"]).answer == "release"
    to(service, "closed", "auto")
    to(service, "open", "view")
    with pytest.raises(ClosedDataset, match="view is closed"):
        service.ask(analyst, "view", ["A", "B"])
    assert audit(service.database).intact


def test_a_stage_changed_behind_the_ledger_shows(service: Service) -> None:
    to(service, "closed")
    raw = sqlite3.connect(str(service.database.engine.url.database))
    raw.execute("UPDATE states SET stage = 'open'")
    raw.commit()
    raw.close()
    assert any("stage" in fault for fault in audit(service.database).faults)


def test_every_door_is_shut(web: Callable[..., Any], bearer: Any, service: Service, auto: Table) -> None:
    service.add("custodian", "gone", auto, Policy(otherwise="simulate"), codebook=declared(auto), distinct=True)
    service.ask(BOSS, "gone", ["A"])
    to(service, "retired", "gone")
    client = web("analyst")
    for path in ("/datasets/gone", "/datasets/gone/download?v=A", "/datasets/gone/life"):
        assert client.get(path).status_code in (403, 404), path
    assert "gone" not in client.get("/datasets").text
    assert client.get("/api/datasets/gone/margins", headers=bearer["analyst"]).status_code == 404
    asked = client.post("/api/datasets/gone/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    nothing = client.post("/api/datasets/none/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert (asked.status_code, asked.json()) == (nothing.status_code, nothing.json()) == (404, nothing.json())


def test_a_closed_dataset_answers_409(web: Callable[..., Any], bearer: Any, service: Service) -> None:
    client = web()
    moved = client.post("/api/datasets/auto/stage", json={"stage": "closed"}, headers=bearer["custodian"])
    assert moved.json()["stage"] == "closed"
    told = client.post("/api/datasets/auto/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert told.status_code == 409
    assert "closed" in told.json()["detail"]
    for role, code in (("analyst", 403), ("custodian", 422)):
        again = client.post("/api/datasets/auto/stage", json={"stage": "closed"}, headers=bearer[role])
        assert again.status_code == code


@pytest.mark.parametrize("stage", ["closed", "retired"])
def test_a_view_is_served_no_further_than_its_table(
    service: Service, auto: Table, analyst: Actor, web: Callable[..., Any], stage: str
) -> None:
    service.add("custodian", "view", auto.margin(list("ABC")), Policy(), unit="auto")
    service.ask(analyst, "auto", ["A", "B"])
    to(service, stage)
    there, page = stage == "closed", web("analyst")
    assert [d["name"] for d in service.datasets(analyst)] == (["auto", "view"] if there else [])
    assert page.get("/datasets/view?v=A").status_code == (200 if there else 404)
    with pytest.raises(InputError, match="dataset view is closed" if there else "no dataset"):
        service.ask(analyst, "view", ["C"])
    if there:
        assert service.released("view", analyst)
        assert service.ask(analyst, "view", ["A"]).answer == "release"
        to(service, "open")
        assert service.ask(analyst, "view", ["C"]).answer == "release"
        to(service, "closed", "view")
        assert service.ask(analyst, "auto", ["D"]).answer == "release"
    else:
        with pytest.raises(UnknownDataset):
            service.released("view", analyst)
    assert audit(service.database).intact


def test_the_custodian_of_one_dataset_still_sees_it_retired(service: Service, analyst: Actor) -> None:
    own = Actor(7, "own", "none", grants=(("auto", "custodian"),))
    other = Actor(8, "other", "none", grants=(("auto", "analyst"), ("b", "custodian")))
    to(service, "retired")
    assert service.current("auto", own).state.stage == "retired"
    assert [d["name"] for d in service.datasets(own)] == ["auto"]
    assert service.datasets(other) == []
    with pytest.raises(UnknownDataset):
        service.current("auto", other)
