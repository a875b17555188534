"""Asking for a margin by the interface for programs: released, refused without a trace of why, or not understood."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from discreet.release import engine
from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.service import Service

Bearer = dict[str, dict[str, str]]


@pytest.fixture
def client(web: Callable[..., Any]) -> Any:
    return web()


def test_a_release(client: Any, bearer: Bearer, auto: Table) -> None:
    told = client.post("/api/datasets/auto/requests", json={"variables": ["B", "A"]}, headers=bearer["analyst"])
    assert told.status_code == 200
    body = told.json()
    assert body["answer"] == "release"
    assert body["variables"] == ["A", "B"]
    assert [set(row) for row in body["margin"]] == [{"A", "B", "count"}] * 4
    assert sum(row["count"] for row in body["margin"]) == auto.total
    assert len(body["entry"]) == 64


def test_a_refusal_gives_no_counts(client: Any, bearer: Bearer) -> None:
    told = client.post("/api/datasets/auto/requests", json={"variables": list("ABCDEF")}, headers=bearer["analyst"])
    assert told.json()["answer"] == "refuse"
    assert told.json()["margin"] is None
    assert client.get("/api/datasets/auto/margins", headers=bearer["analyst"]).json() == []


def test_refusals_all_read_the_same(client: Any, bearer: Bearer) -> None:
    """From the frontier, by a bound or by lack of time: an analyst cannot tell."""
    texts = set()
    for variables in ("ABCDEF", "ABCDEF", "ACDEFB"):
        path = "/api/datasets/auto/requests"
        told = client.post(path, json={"variables": list(variables)}, headers=bearer["analyst"]).json()
        told.pop("entry")
        texts.add(json.dumps(told))
    assert len(texts) == 1


def test_what_was_released_is_listed(client: Any, bearer: Bearer) -> None:
    for variables in (["A"], ["A", "B"], ["C"]):
        client.post("/api/datasets/auto/requests", json={"variables": variables}, headers=bearer["analyst"])
    told = client.get("/api/datasets/auto/margins", headers=bearer["analyst"]).json()
    assert [m["variables"] for m in told] == [["C"], ["A", "B"]]


def test_custodians_have_an_unresolved_margin_tried_again(
    client: Any, bearer: Bearer, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(role: str, path: str, **more: object) -> Any:
        path = f"/api/datasets/auto/{path}"
        return client.post(path, json={"variables": ["A", "B"], **more}, headers=bearer[role])

    with monkeypatch.context() as patched:
        flags = np.zeros(3, bool)
        patched.setattr(engine, "judge_widths", lambda *_: engine.Verdicts(flags, flags, "exact", {}))
        first = ask("analyst", "requests").json()
        assert first["answer"] == "refuse"
    again = ask("analyst", "requests").json()  # too early, although it could be settled now
    assert {**again, "entry": ""} == {**first, "entry": ""}
    assert ask("analyst", "retry", time_limit=60).status_code == 403
    for limit in (0, -1, 3601, "60", None, True):
        assert ask("custodian", "retry", time_limit=limit).status_code == 422
    assert ask("custodian", "retry").status_code == 422
    assert ask("custodian", "retry", time_limit=3600).json()["answer"] == "release"
    assert ask("analyst", "requests").json()["answer"] == "release"
    contents = [entry.content for entry in service.ledger("auto")[1:]]
    assert [(c["who"], c["ground"], c.get("limit")) for c in contents] == [
        ("analyst", "unresolved", None),
        ("analyst", "unresolved", None),
        ("custodian", "safe", 3600.0),
        ("analyst", "contained", None),
    ]
    assert audit(service.database).intact


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"[]",
        b"nonsense",
        b'{"variables": "A"}',
        b'{"variables": ["A", "A"]}',
        b'{"variables": ["Z"]}',
        b'{"variables": [1]}',
        b'{"variables": ["A"], "more": 1}',
        b'{"variables": [""]}',
        b'{"variables": ["\\u0000"]}',
    ],
)
def test_bad_requests_leave_no_entry(client: Any, bearer: Bearer, body: bytes) -> None:
    headers = {**bearer["analyst"], "Content-Type": "application/json"}
    told = client.post("/api/datasets/auto/requests", content=body, headers=headers)
    assert told.status_code == 422
    assert told.json()["faults"]
    assert len(client.get("/api/datasets/auto/ledger", headers=bearer["custodian"]).json()) == 1


@pytest.mark.parametrize("name", ["none", "AUTO", "%00", "..", "auto%2Fx", "x" * 80])
def test_unknown_datasets(client: Any, bearer: Bearer, name: str) -> None:
    told = client.post(f"/api/datasets/{name}/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert told.status_code in (404, 405, 422)
