"""The page and the calls of the server's chain: custodians only, every event with its who."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from discreet.release.history.events import note
from discreet.release.policy import Policy
from discreet.release.service import Service


def test_a_look_at_cells_at_risk_is_written_down(web: Callable[..., Any], bearer: Any) -> None:
    client = web("custodian")
    assert client.get("/datasets/auto/cells").status_code == 200
    told = web().get("/api/ledger", headers=bearer["custodian"]).json()
    assert told[-1]["content"]["what"] == "cells at risk viewed"
    assert told[-1]["content"]["who"] == "custodian"
    assert told[-1]["content"]["dataset"] == "auto"
    page = client.get("/ledger").text
    assert "cells at risk viewed" in page
    assert "dataset auto" in page


def test_for_custodians_only(web: Callable[..., Any], bearer: Any) -> None:
    assert web().get("/api/ledger").status_code == 401
    assert web().get("/api/ledger", headers=bearer["analyst"]).status_code == 403
    assert web("analyst").get("/ledger").status_code == 403
    assert 'href="/ledger"' not in web("analyst").get("/datasets").text
    assert web().get("/ledger", follow_redirects=False).status_code == 303


def test_entries_are_picked_by_number(web: Callable[..., Any], bearer: Any, service: Service) -> None:
    for number in range(5):
        note(service.scribe, "carla", f"number {number}")
    told = web().get("/api/ledger", headers=bearer["custodian"], params={"after": 4, "limit": 2}).json()
    assert [line["sequence"] for line in told] == [5, 6]
    assert web().get("/api/ledger", headers=bearer["custodian"], params={"limit": 0}).status_code == 422


def test_pages_of_events(web: Callable[..., Any], service: Service) -> None:
    for number in range(120):
        note(service.scribe, "carla" if number % 2 else "dora", f"number {number}")
    client, path, seen = web("custodian"), "/ledger?who=carla", []
    while path:
        text = client.get(path).text
        seen += [int(number) for number in re.findall(r"<td>number (\d+)</td>", text)]
        link = re.search(r'href="(/ledger\?[^"]+)">Earlier', text)
        path = link[1].replace("&amp;", "&") if link else ""
    assert seen == list(range(119, 0, -2))


@pytest.mark.parametrize(
    ("query", "shown"),
    [("what=token", True), ("what=TOKEN+CREATED", True), ("who=nobody", False), ("since=2999-01-01", False)],
)
def test_filters(web: Callable[..., Any], query: str, shown: bool) -> None:
    text = web("custodian").get(f"/ledger?{query}").text
    assert ("token created" in text) is shown
    assert ("Nothing of this kind" in text) is not shown


def test_what_was_entered_is_shown_as_text(web: Callable[..., Any], service: Service) -> None:
    note(service.scribe, "<b>eve</b>", "<script>", more={"a": [True, None, "<i>"]})
    text = web("custodian").get("/ledger", params={"who": '"><script>'}).text
    assert "<script>" not in text
    text = web("custodian").get("/ledger").text
    assert "<b>eve" not in text
    assert "a yes, none, &lt;i&gt;" in text


def test_days_must_be_days(web: Callable[..., Any]) -> None:
    assert web("custodian").get("/ledger?since=yesterday").status_code == 422


def test_events_say_who(web: Callable[..., Any], bearer: Any, service: Service) -> None:
    custodian = web("custodian")
    custodian.get("/datasets/auto/cells")
    told = web().get("/api/ledger", headers=bearer["custodian"]).json()
    nameless = [line["content"]["what"] for line in told if not line["content"].get("who")]
    assert all(what.startswith("token ") for what in nameless), nameless


def test_a_dataset_may_be_called_new(web: Callable[..., Any], bearer: Any, service: Service, auto: Any) -> None:
    for name in ("new", "inspect", "ledger", "synthetic"):
        service.add("carla", name, auto, Policy(), distinct=True)
        path = f"/api/datasets/{name}/requests"
        told = web().post(path, json={"variables": ["A"]}, headers=bearer["analyst"])
        assert told.json()["answer"] == "release"
        assert web("custodian").get(f"/datasets/{name}/ledger").status_code == 200


def test_the_ledger_of_a_dataset_is_for_custodians(web: Callable[..., Any], bearer: Any) -> None:
    client = web()
    client.post("/api/datasets/auto/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert client.get("/api/datasets/auto/ledger", headers=bearer["analyst"]).status_code == 403
    entries = client.get("/api/datasets/auto/ledger", headers=bearer["custodian"]).json()
    assert [e["content"]["what"] for e in entries] == ["opened", "answer"]
    assert entries[1]["content"]["who"] == "analyst"
    assert entries[1]["previous"] == entries[0]["hash"]
    later = client.get("/api/datasets/auto/ledger?after=1&limit=5", headers=bearer["custodian"]).json()
    assert later == entries[1:]
