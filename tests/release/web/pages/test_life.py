"""The page of a dataset's life: stages and the rule, changed by a form that says what would come of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from discreet.release.audit import audit
from discreet.release.policy import Policy
from discreet.release.service import Service

Web = Callable[..., Any]
Bearer = dict[str, dict[str, str]]


def csrf_of(client: Any) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
    assert found is not None
    return found[1]


def test_the_rule_by_page(web: Web, service: Service, analyst: Any) -> None:
    service.ask(analyst, "auto", ["A", "B"])
    client = web("custodian")
    assert "w = 5" in client.get("/datasets/auto/life").text or "w = 3" in client.get("/datasets/auto/life").text
    form = {"csrf": csrf_of(client), "policy": "w = 500"}
    told = client.post("/datasets/auto/policy", data=form).text
    assert "narrower than the new rule" in told and "w = 500" in told, "what was written is not lost"
    assert service.current("auto").policy == Policy()
    assert "The rule has changed" in client.post("/datasets/auto/policy", data={**form, "confirm": "yes"}).text
    assert service.current("auto").policy.w == 500
    assert client.post("/datasets/auto/policy", data={"policy": "w = 2"}).status_code == 403
    assert service.current("auto").policy.w == 500
    assert audit(service.database).intact


def test_a_rule_that_cannot_be_read_is_shown_as_it_was_written(web: Web, service: Service) -> None:
    client = web("custodian")
    for written in ("w = 'many' # </textarea><script>", "nonsense", "w = -1", "unknown = 1"):
        told = client.post("/datasets/auto/policy", data={"csrf": csrf_of(client), "policy": written})
        assert told.status_code == 200 and "</textarea><script>" not in told.text
        assert written.split()[0] in told.text and 'class="fault' in told.text
    assert client.post("/datasets/auto/policy", data={"csrf": csrf_of(client)}).status_code == 422
    assert len(service.ledger("auto")) == 1


def test_stages_by_page(web: Web, service: Service) -> None:
    client = web("custodian")
    form = {"csrf": csrf_of(client)}
    assert client.post("/datasets/auto/stage", data={**form, "stage": "closed"}).url.path.endswith("/life")
    assert "open → closed" in client.get("/datasets/auto/life").text
    assert client.post("/datasets/auto/stage", data={**form, "stage": "nowhere"}).status_code == 422
    assert client.post("/datasets/auto/stage", data={"stage": "open"}).status_code == 403
    for unsure in ({}, {"sure": ""}):
        told = client.post("/datasets/auto/stage", data={**form, "stage": "retired", **unsure})
        assert told.status_code == 422 and "for good" in told.text
    assert service.current("auto").state.stage == "closed"
    client.post("/datasets/auto/stage", data={**form, "stage": "retired", "sure": "yes"})
    assert service.current("auto").state.stage == "retired"
    assert audit(service.database).intact


def test_it_is_no_page_for_analysts(web: Web, service: Service) -> None:
    client = web("analyst")
    form = {"csrf": csrf_of(client), "stage": "closed", "policy": "w = 1"}
    assert client.get("/datasets/auto/life").status_code == 403
    for path in ("stage", "policy"):
        assert client.post(f"/datasets/auto/{path}", data=form).status_code == 403
    assert len(service.ledger("auto")) == 1
