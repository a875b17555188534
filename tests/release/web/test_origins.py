"""Forms from elsewhere are refused whatever Host says; forwarded headers and redirects cannot be made up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI, Request
from starlette.testclient import TestClient

from discreet.errors import InputError
from discreet.release.history.database import Database
from discreet.release.web.app import create_app
from discreet.release.web.settings import Settings


def post(database: Database, token: str, settings: Settings, headers: dict[str, str], base: str) -> int:
    client = TestClient(create_app(settings, database), base_url=base, raise_server_exceptions=False)
    answer = client.post("/login", data={"token": token}, headers=headers, follow_redirects=False)
    return int(answer.status_code)


OPEN, DECLARED = Settings(warm=False), Settings(warm=False, public_url="https://stats.example.org")
CASES: list[tuple[Settings, dict[str, str], bool]] = [
    (OPEN, {}, True),
    (OPEN, {"Origin": "https://testserver"}, True),
    (OPEN, {"Origin": "https://evil.example"}, False),
    (OPEN, {"Origin": "https://evil.example", "Host": "evil.example"}, False),
    (OPEN, {"Origin": "null"}, False),
    (OPEN, {"Origin": "https://testserver:8443"}, False),
    (OPEN, {"Origin": "https://x@testserver"}, False),
    (OPEN, {"Origin": "https://a.example", "Host": "a.example", "Sec-Fetch-Site": "same-origin"}, True),
    (OPEN, {"Origin": "https://testserver", "Sec-Fetch-Site": "cross-site"}, False),
    (OPEN, {"Sec-Fetch-Site": "same-site"}, False),
    (DECLARED, {"Origin": "https://stats.example.org"}, True),
    (DECLARED, {"Origin": "https://stats.example.org:443"}, True),
    (DECLARED, {"Origin": "http://stats.example.org"}, False),
    (DECLARED, {"Origin": "https://testserver"}, False),
    (DECLARED, {"Origin": "https://evil.example", "Host": "evil.example", "Sec-Fetch-Site": "same-origin"}, False),
]


@pytest.mark.parametrize(("settings", "headers", "passes"), CASES)
def test_where_a_form_comes_from(
    database: Database, people: dict[str, str], settings: Settings, headers: dict[str, str], passes: bool
) -> None:
    assert post(database, people["analyst"], settings, headers, "https://testserver") == (303 if passes else 403)


@pytest.mark.parametrize("base", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
def test_the_address_that_the_connection_came_to(database: Database, people: dict[str, str], base: str) -> None:
    assert post(database, people["analyst"], OPEN, {"Origin": base, "Host": "elsewhere"}, base) == 303


def test_localhost_is_the_loopback_and_no_other(database: Database, people: dict[str, str]) -> None:
    headers = {"Origin": "http://localhost:8000"}
    assert post(database, people["analyst"], OPEN, headers, "http://127.0.0.1:8000") == 303
    assert post(database, people["analyst"], OPEN, headers, "http://10.1.2.3:8000") == 403


@pytest.mark.parametrize(
    "path", ["/", "/datasets", "/datasets/", "/static", "/login/", "//evil.example/x", "/api/datasets/"]
)
def test_no_redirect_is_made_from_the_host(web: Callable[..., Any], path: str) -> None:
    for headers in ({"Host": "evil.example"}, {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}):
        told = web().get("https://testserver" + path, headers=headers, follow_redirects=False)
        location = told.headers.get("location", "/")
        assert location.startswith("/") and not location.startswith("//")
        assert "evil" not in told.text


@pytest.mark.parametrize(
    ("proxies", "sender", "seen"),
    [
        ((), "127.0.0.1", "127.0.0.1"),
        ((), "10.0.0.5", "10.0.0.5"),
        (("10.0.0.5",), "10.0.0.5", "203.0.113.9"),
        (("10.0.0.0/24",), "10.0.0.5", "203.0.113.9"),
        (("10.0.0.5",), "10.0.0.6", "10.0.0.6"),
        (("10.0.0.5",), "127.0.0.1", "127.0.0.1"),
    ],
)
def test_only_declared_proxies_say_for_whom_they_ask(
    database: Database, proxies: tuple[str, ...], sender: str, seen: str
) -> None:
    app: FastAPI = create_app(Settings(warm=False, proxies=proxies), database)

    @app.get("/api/whence")
    def whence(request: Request) -> str:
        assert request.client is not None
        return request.client.host

    client = TestClient(app, client=(sender, 1234))
    assert client.get("/api/whence", headers={"X-Forwarded-For": "203.0.113.9"}).json() == seen


@pytest.mark.parametrize(
    "wrong",
    [
        {"public_url": "stats.example.org"},
        {"public_url": "ftp://stats.example.org"},
        {"public_url": "https://stats.example.org/path"},
        {"public_url": "https://stats.example.org:x"},
        {"proxies": ("*",)},
        {"proxies": ("proxy.example.org",)},
    ],
)
def test_what_cannot_be_declared(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Settings(**wrong)
