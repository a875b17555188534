"""Who may call: a token and nothing else, from the moment it is made to the moment it is taken away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from discreet.release import tokens
from discreet.release.history.database import Database
from discreet.release.service import Service
from discreet.release.web.app import create_app
from discreet.release.web.settings import Settings

Bearer = dict[str, dict[str, str]]


@pytest.fixture
def client(web: Callable[..., Any]) -> Any:
    return web()


@pytest.mark.parametrize("given", [None, "Bearer nonsense", "Basic abc", "Bearer ", "Bearer \u00e9"])
def test_tokens_are_needed(client: Any, given: str | None) -> None:
    headers = {} if given is None else {"Authorization": given.encode("latin-1")}
    for method, path in (
        ("GET", "/api/datasets"),
        ("POST", "/api/datasets"),
        ("POST", "/api/datasets/auto/requests"),
        ("GET", "/api/datasets/auto/margins"),
        ("GET", "/api/datasets/auto/ledger"),
    ):
        told = client.request(method, path, headers=headers)
        assert told.status_code == 401
        assert told.headers["www-authenticate"] == "Bearer"


def test_a_session_is_no_token(web: Callable[..., Any]) -> None:
    """The interface for programs does not look at cookies: no other site can use a browser's session on it."""
    assert web("custodian").get("/api/datasets").status_code == 401


def test_a_revoked_token_ends_at_once(client: Any, bearer: Bearer, database: Database) -> None:
    assert client.get("/api/datasets", headers=bearer["analyst"]).status_code == 200
    tokens.revoke_token(database, "analyst")
    assert client.get("/api/datasets", headers=bearer["analyst"]).status_code == 401


def test_one_token_may_not_ask_too_often(database: Database, bearer: Bearer, service: Service) -> None:
    from starlette.testclient import TestClient

    client = TestClient(create_app(Settings(warm=False, rate=0.1, burst=5), database))
    codes = [client.get("/api/datasets", headers=bearer["analyst"]).status_code for _ in range(7)]
    assert codes == [200] * 5 + [429] * 2
    told = client.get("/api/datasets", headers=bearer["analyst"])
    assert int(told.headers["retry-after"]) >= 1
    assert client.get("/api/datasets", headers=bearer["custodian"]).status_code == 200
