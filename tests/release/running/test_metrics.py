"""Metrics count requests by route, and name no dataset, variable, person or answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from discreet.release.running.metrics import Metrics
from discreet.release.service import Service

Bearer = dict[str, dict[str, str]]


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_requests_are_counted_by_route(web: Callable[..., Any], bearer: Bearer, service: Service) -> None:
    client = web()
    for variables in ("A", "B", "ABCDEF"):
        body = {"variables": list(variables)}
        assert client.post("/api/datasets/auto/requests", json=body, headers=bearer["analyst"]).status_code == 200
    client.get("/nowhere/auto")
    client.request("NONSENSE", "/health")
    text = client.get("/metrics", headers=bearer["custodian"]).text
    found = samples(text)
    labels = (("method", "POST"), ("route", "/api/datasets/{name}/requests"), ("status", "200"))
    assert found["discreet_requests_total", labels] == 3
    assert found["discreet_requests_total", (("method", "GET"), ("route", "-"), ("status", "404"))] == 1
    assert any(dict(key[1]).get("method") == "other" for key in found)
    assert found["discreet_request_seconds_count", (("route", "/api/datasets/{name}/requests"),)] == 3
    for secret in ("auto", "analyst", "custodian", "refuse", "danger", "NONSENSE"):
        assert secret not in text


def test_only_custodians_read_them(web: Callable[..., Any], bearer: Bearer) -> None:
    client = web()
    assert client.get("/metrics").status_code == 401
    told = client.get("/metrics", headers=bearer["analyst"])
    assert told.status_code == 403
    assert "discreet_requests" not in told.text
    got = client.get("/metrics", headers=bearer["custodian"])
    assert got.headers["content-type"].startswith("text/plain; version=0.0.4")


def test_applications_do_not_share_counts() -> None:
    one, other = Metrics(), Metrics()
    one.observe("GET", "/health", 200, 0.1)
    assert b'route="/health"' in one.text()
    assert b'route="/health"' not in other.text()
