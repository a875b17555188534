"""Every answer has the security headers and a clean body, whatever went wrong and wherever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from discreet.release.history.database import Database
from discreet.release.service import Service
from discreet.release.web.app import create_app
from discreet.release.web.headers import HEADERS, headers_for
from discreet.release.web.settings import Settings

BIG = b"x" * (65 << 10)
# Method, path, what is sent, status.
ANSWERS: list[tuple[str, str, dict[str, Any], int]] = [
    ("GET", "/login", {}, 200),
    ("GET", "/datasets", {}, 303),
    ("GET", "/nowhere", {}, 404),
    ("GET", "/static/nothing.css", {}, 404),
    ("GET", "/static/../settings.py", {}, 404),
    ("GET", "/static/style.css", {}, 200),
    ("DELETE", "/login", {}, 405),
    ("GET", "/api/datasets", {}, 401),
    ("GET", "/api/nowhere", {}, 404),
    ("TRACE", "/api/datasets", {}, 405),
    ("POST", "/api/datasets/auto/requests", {"content": BIG}, 413),
    ("POST", "/api/datasets/auto/requests", {"content": iter([BIG])}, 413),
    ("POST", "/login", {"content": BIG}, 413),
    ("POST", "/api/datasets", {"headers": {"Content-Length": "x"}}, 413),
]


@pytest.mark.parametrize(("method", "path", "sent", "status"), ANSWERS)
def test_every_answer_is_dressed(
    web: Callable[..., Any], method: str, path: str, sent: dict[str, Any], status: int
) -> None:
    told = web().request(method, path, follow_redirects=False, **sent)
    assert told.status_code == status
    for name, value in HEADERS.items():
        assert told.headers.get_list(name) == [value], name
    assert path.startswith("/static/") or told.headers["cache-control"] == "no-store"
    if path.startswith("/api/"):
        assert set(told.json()) == {"detail", "faults"}
    elif status >= 400:
        assert told.headers["content-type"].startswith("text/html")
        assert "Traceback" not in told.text


def test_too_many_requests_say_when_to_come_back(database: Database, people: dict[str, str], service: Service) -> None:
    from starlette.testclient import TestClient

    client = TestClient(create_app(Settings(warm=False, rate=0.1, burst=1.0), database), base_url="https://testserver")
    client.post("/login", data={"token": people["analyst"]})
    for path, headers in (("/datasets", {}), ("/api/datasets", {"Authorization": f"Bearer {people['analyst']}"})):
        for _ in range(2):
            told = client.get(path, headers=headers)
        assert told.status_code == 429
        assert int(told.headers["Retry-After"]) > 0
        assert told.headers["X-Content-Type-Options"] == "nosniff"


def test_a_defect_in_a_page_is_a_page(web: Callable[..., Any], service: Service) -> None:
    client = web("analyst")

    def fail() -> None:
        raise RuntimeError("the counts are 1 2 3")

    service.datasets = fail  # type: ignore[method-assign, assignment]
    told = client.get("/datasets")
    assert (told.status_code, "1 2 3" in told.text, "internal error" in told.text) == (500, False, True)
    assert told.headers["content-type"].startswith("text/html")
    assert told.headers["X-Content-Type-Options"] == "nosniff"


def test_a_declared_https_address_is_kept_to() -> None:
    assert "Strict-Transport-Security" in headers_for(Settings(public_url="https://stats.example.org"))
    for settings in (Settings(), Settings(public_url="http://localhost:8000")):
        assert "Strict-Transport-Security" not in headers_for(settings)
