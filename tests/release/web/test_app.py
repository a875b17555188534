"""The application as a whole: limits, headers, and errors and logs that give nothing away."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from discreet.datasets import autoworkers
from discreet.release import engine
from discreet.release.history.database import Database
from discreet.release.service import Service
from discreet.release.web.app import create_app
from discreet.release.web.settings import Settings

Bearer = dict[str, dict[str, str]]


@pytest.fixture
def client(web: Callable[..., Any]) -> Any:
    return web()


def csv_of(frame: Any) -> bytes:
    return frame.to_csv(index=False).encode()


def test_large_bodies_are_refused(client: Any, bearer: Bearer) -> None:
    big = b'{"variables": ["' + b"A" * 70_000 + b'"]}'
    headers = {**bearer["analyst"], "Content-Type": "application/json"}
    assert client.post("/api/datasets/auto/requests", content=big, headers=headers).status_code == 413
    pieces = (big[i : i + 1000] for i in range(0, len(big), 1000))
    assert client.post("/api/datasets/auto/requests", content=pieces, headers=headers).status_code == 413


def test_large_uploads_are_refused(database: Database, bearer: Bearer, service: Service) -> None:
    from starlette.testclient import TestClient

    client = TestClient(create_app(Settings(warm=False, max_upload=2000), database), base_url="https://testserver")
    form = {"data": {"name": "big"}, "files": {"file": ("t.csv", csv_of(autoworkers()) * 9)}}
    assert client.post("/api/datasets", headers=bearer["custodian"], **form).status_code == 413


def test_a_defect_gives_nothing_away(
    client: Any, bearer: Bearer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("secret count 4711")

    monkeypatch.setattr(engine, "judge_widths", broken)
    with caplog.at_level(logging.DEBUG):
        told = client.post("/api/datasets/auto/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert told.status_code == 500
    assert "4711" not in told.text
    assert "4711" not in caplog.text
    assert "ValueError" in caplog.text
    assert len(client.get("/api/datasets/auto/ledger", headers=bearer["custodian"]).json()) == 1


def test_logs_name_nobody_and_nothing(client: Any, bearer: Bearer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "discreet.release"):
        client.post("/api/datasets/auto/requests", json={"variables": ["A", "B"]}, headers=bearer["analyst"])
    lines = [r.getMessage() for r in caplog.records if r.name == "discreet.release"]
    assert len(lines) == 1
    assert "/api/datasets/{name}/requests 200" in lines[0]
    for secret in ("auto", '"A"', "analyst", bearer["analyst"]["Authorization"].split()[1], "522"):
        assert secret not in lines[0]


def test_every_answer_has_its_headers(client: Any, bearer: Bearer) -> None:
    for told in (
        client.get("/api/datasets", headers=bearer["analyst"]),
        client.get("/api/datasets"),
        client.get("/login"),
        client.get("/nowhere"),
    ):
        assert "frame-ancestors 'none'" in told.headers["content-security-policy"]
        assert told.headers["x-content-type-options"] == "nosniff"
        assert told.headers["cache-control"] == "no-store"


def test_the_description_lists_the_contract(client: Any) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {path: set(methods) for path, methods in paths.items()} == {
        "/api/datasets": {"get", "post"},
        "/api/drafts": {"get", "post"},
        "/api/drafts/{name}": {"get", "patch", "delete"},
        "/api/drafts/{name}/confirm": {"post"},
        "/api/datasets/{name}/requests": {"post"},
        "/api/datasets/{name}/retry": {"post"},
        "/api/datasets/{name}/margins": {"get"},
        "/api/datasets/{name}/margins/file": {"get"},
        "/api/datasets/{name}/ledger": {"get"},
        "/api/ledger": {"get"},
        "/api/datasets/{name}/life": {"get"},
        "/api/datasets/{name}/policy": {"post"},
        "/api/datasets/{name}/stage": {"post"},
        "/api/proposals": {"get"},
        "/api/proposals/{number}/confirm": {"post"},
        "/api/proposals/{number}/reject": {"post"},
    }
