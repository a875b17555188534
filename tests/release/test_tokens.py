"""Tokens: only digests are kept, names stay taken, roles are known."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from discreet.errors import InputError
from discreet.release import tokens
from discreet.release.history.database import Database
from discreet.release.history.models import Session


def test_the_database_does_not_hold_the_token(database: Database, people: dict[str, str]) -> None:
    url = database.engine.url.database
    assert url is not None
    held = b"".join(p.read_bytes() for p in Path(url).parent.iterdir() if p.is_file())
    for token in people.values():
        assert token.encode() not in held
        assert token.removeprefix(tokens.PREFIX).encode() not in held


def test_the_database_is_for_its_owner_alone(database: Database) -> None:
    assert Path(str(database.engine.url.database)).stat().st_mode & 0o077 == 0


def test_tokens_differ_and_are_long(database: Database) -> None:
    made = {tokens.create_token(database, "analyst")[0] for _ in range(20)}
    assert len(made) == 20
    assert min(map(len, made)) > 45


def test_names_stay_taken(database: Database, people: dict[str, str]) -> None:
    tokens.revoke_token(database, "analyst")
    with pytest.raises(InputError, match="already a token"):
        tokens.create_token(database, "analyst", "analyst")
    with pytest.raises(InputError, match="revoked already"):
        tokens.revoke_token(database, "analyst")
    with pytest.raises(InputError, match="no token named"):
        tokens.revoke_token(database, "nobody")


def test_all_faults_at_once(database: Database) -> None:
    with pytest.raises(InputError) as caught:
        tokens.create_token(database, "king", "a b")
    assert len(caught.value.faults) == 2


def test_sessions_end(database: Database, analyst: tokens.Actor) -> None:
    session = tokens.begin_session(database, analyst)
    found = tokens.actor_of_session(database, session)
    assert found is not None
    assert found.csrf
    with database.writing() as connection:
        connection.execute(update(Session).values(expires=datetime.now(UTC) - timedelta(seconds=1)))
    assert tokens.actor_of_session(database, session) is None


def test_the_commands(discreet: Callable[..., Any], tmp_path: Path) -> None:
    database = tmp_path / "d.db"
    made = discreet("token", "create", "--role", "analyst", "--name", "ann", "--database", database)
    assert made.code == 0
    token = made.out.strip()
    assert token.startswith(tokens.PREFIX)
    assert len(token.splitlines()) == 1
    assert token not in made.err
    assert "ann  analyst" in discreet("token", "list", "--database", database).out
    assert discreet("token", "revoke", "ann", "--database", database).code == 0
    assert "revoked" in discreet("token", "list", "--database", database).out
    assert discreet("token", "create", "--role", "king", "--database", database).code == 2
