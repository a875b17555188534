"""The life of a dataset by the interface for programs: stages and the rule, for its custodians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from discreet.release.audit import audit
from discreet.release.service import Service

Web = Callable[..., Any]
Bearer = dict[str, dict[str, str]]


@pytest.fixture
def client(web: Web) -> Any:
    return web()


def test_the_rule_by_call(client: Any, bearer: Bearer, service: Service, analyst: Any) -> None:
    service.ask(analyst, "auto", ["A", "B"])
    boss = {"headers": bearer["custodian"]}
    done = client.post("/api/datasets/auto/policy", json={"policy": "w = 4"}, **boss)
    assert done.status_code == 200
    assert done.json()["policy"]["w"] == 4 and done.json()["notes"]
    told = client.get("/api/datasets/auto/life", **boss).json()
    assert told == {"name": "auto", "stage": "open", "policy": done.json()["policy"], "notes": []}
    refused = client.post("/api/datasets/auto/policy", json={"policy": "w = 500"}, **boss)
    assert refused.status_code == 422 and service.current("auto").policy.w == 4
    assert (
        client.post("/api/datasets/auto/policy", json={"policy": "w = 500", "confirm": True}, **boss).status_code == 200
    )
    assert service.current("auto").policy.w == 500
    assert audit(service.database).intact


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"policy": 3},
        {"policy": "w = 4", "confirm": "yes"},
        {"policy": "w = 4", "more": 1},
        {"policy": "w = 'many'"},
        {"policy": "#" + "x" * (64 << 10)},
    ],
)
def test_a_rule_that_is_not_understood_changes_nothing(
    client: Any, bearer: Bearer, service: Service, body: dict[str, Any]
) -> None:
    told = client.post("/api/datasets/auto/policy", json=body, headers=bearer["custodian"])
    assert told.status_code in (413, 422) and "x" * 100 not in told.text
    assert len(service.ledger("auto")) == 1


def test_stages_by_call(client: Any, bearer: Bearer, service: Service) -> None:
    def to(stage: str) -> Any:
        return client.post("/api/datasets/auto/stage", json={"stage": stage}, headers=bearer["custodian"])

    assert to("closed").json()["stage"] == "closed"
    assert to("closed").status_code == 422
    for stage in ("draft", "nowhere", ""):
        assert to(stage).status_code == 422
    assert to("open").json()["stage"] == "open"
    assert to("retired").json()["stage"] == "retired"
    assert to("open").status_code == 422
    assert audit(service.database).intact


def test_analysts_are_told_nothing(client: Any, bearer: Bearer, service: Service) -> None:
    for method, path, body in (
        ("GET", "life", None),
        ("POST", "stage", {"stage": "closed"}),
        ("POST", "policy", {"policy": "w = 1"}),
    ):
        told = client.request(method, f"/api/datasets/auto/{path}", json=body, headers=bearer["analyst"])
        assert told.status_code == 403 and "min_tables" not in told.text
        assert client.request(method, f"/api/datasets/auto/{path}", json=body).status_code == 401
        gone = client.request(method, f"/api/datasets/none/{path}", json=body, headers=bearer["custodian"])
        assert gone.status_code == 404
    assert len(service.ledger("auto")) == 1
