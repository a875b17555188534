"""Ready means: the database answers, its schema is the one this version makes, and decisions are warm."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from discreet.release.history.database import Database, open_database
from discreet.release.running import readiness
from discreet.release.running.readiness import Probe, Readiness, schema_head
from discreet.release.running.warmth import Warmth


@pytest.fixture(autouse=True)
def always_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "KEPT", -1.0)


def test_ready(database: Database) -> None:
    found = Probe(database, Warmth()).look()
    assert found == Readiness("reachable", "right", "warm")
    assert found.ready


def test_not_ready_while_compiling(database: Database) -> None:
    go = threading.Event()
    probe = Probe(database, Warmth(lambda: go.wait() and None))
    assert probe.look().decisions == "warming" and not probe.look().ready
    go.set()
    assert probe.warmth.done.wait(10) and probe.look().ready


def test_another_schema(database: Database) -> None:
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert Probe(database, Warmth()).look().schema == "wrong"
    with database.writing() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")
    found = Probe(database, Warmth()).look()
    assert (found.schema, found.ready) == ("wrong", False)


def test_no_database(tmp_path: Path) -> None:
    opened = open_database(str(tmp_path / "d.db"), create=True)
    opened.close()
    (tmp_path / "d.db").unlink()
    (tmp_path / "d.db").mkdir()
    assert Probe(opened, Warmth()).look() == Readiness("unreachable", "unknown", "warm")


def test_asking_often_costs_the_database_nothing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "KEPT", 1000.0)
    probe = Probe(database, Warmth())
    assert probe.look().ready
    monkeypatch.setattr(probe, "database", None)
    assert probe.look().ready


def test_the_head_is_the_last_migration() -> None:
    folder = Path(readiness.history.__file__).parent / "migrations" / "versions"
    assert max(path.name[:4] for path in folder.glob("[0-9]*.py")) == schema_head()
