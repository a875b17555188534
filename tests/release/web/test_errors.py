"""A database that is down, locked or full: 503 with Retry-After, nothing decided, and all is well when it is back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from starlette.testclient import TestClient

from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history import database as databases
from discreet.release.history.database import Database, open_database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import create_token
from discreet.release.web.app import create_app
from discreet.release.web.settings import Settings


class Office:
    """An application with a dataset, and an analyst who asks for margins of it."""

    def __init__(self, database: Database, table: Table) -> None:
        self.database = database
        self.token = create_token(database, "analyst", "ann")[0]
        Service(database).add("carla", "auto", table, Policy())
        app = create_app(Settings(warm=False), database)
        self.client = TestClient(app, base_url="https://testserver", raise_server_exceptions=False)
        assert self.ask("A").status_code == 200

    def ask(self, variables: str) -> Any:
        return self.client.post(
            "/api/datasets/auto/requests",
            json={"variables": list(variables)},
            headers={"Authorization": f"Bearer {self.token}"},
        )

    def check_unavailable(self, variables: str) -> None:
        told = self.ask(variables)
        assert told.status_code == 503
        assert int(told.headers["Retry-After"]) > 0
        assert told.headers["Cache-Control"] == "no-store"
        assert set(told.json()) == {"detail", "faults"}
        assert "SELECT" not in told.text and "INSERT" not in told.text and "sqlite" not in told.text

    def check_back(self) -> None:
        assert self.ask("A").status_code == 200
        assert self.ask("AB").status_code == 200
        assert audit(self.database).faults == ()


def test_a_locked_database(tmp_path: Path, auto: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "BUSY_SECONDS", 0.2)
    path = tmp_path / "x.db"
    office = Office(open_database(str(path), create=True), auto)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for variables in ("A", "AB"):
        office.check_unavailable(variables)
    login = office.client.post("/login", data={"token": office.token}, follow_redirects=False)
    assert (login.status_code, "<h1>" in login.text) == (503, True)
    other.execute("ROLLBACK")
    other.close()
    office.check_back()


def test_a_full_disk(tmp_path: Path, auto: Table) -> None:
    opened = open_database(str(tmp_path / "x.db"), create=True)
    office = Office(opened, auto)
    pages = {"most": 1}

    @event.listens_for(opened.engine, "checkout")
    def _limit(raw: Any, *_: Any) -> None:
        raw.execute(f"PRAGMA max_page_count = {pages['most']}")

    statuses = [office.ask("A").status_code for _ in range(200)]
    assert statuses[-1] == 503  # what is left of the last page may hold some entries
    assert set(statuses) <= {200, 503}
    office.check_unavailable("A")
    pages["most"] = 1 << 30
    office.check_back()


def test_postgresql_that_stops(postgres: Callable[[str], str], auto: Table) -> None:
    """Other tests need the server: stop this database alone, by ending its connections and letting nobody in."""
    url = postgres("stops")
    office = Office(open_database(url, create=True), auto)
    admin = open_database(postgres("admin"), create=True)
    raw = admin.engine.raw_connection()
    raw.driver_connection.autocommit = True  # type: ignore[union-attr]
    cursor = raw.cursor()
    cursor.execute("ALTER DATABASE stops ALLOW_CONNECTIONS false")
    cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'stops'")
    for variables in ("A", "AB"):
        office.check_unavailable(variables)
    cursor.execute("ALTER DATABASE stops ALLOW_CONNECTIONS true")
    office.check_back()
    raw.close()
    admin.close()
    office.database.close()


def test_our_own_mistakes_are_not_excused(web: Callable[..., Any], service: Service, bearer: Any) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise IntegrityError("INSERT secret", {}, Exception("secret"))

    service.at_once = fail  # type: ignore[method-assign]
    told = web().post("/api/datasets/auto/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert told.status_code == 500
    assert "secret" not in told.text
    assert set(told.json()) == {"detail", "faults"}
