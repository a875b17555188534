"""Tokens: only digests are kept, names stay taken, roles are known, and what has expired stays so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from discreet.errors import InputError
from discreet.release import tokens
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Session, Token
from discreet.release.people.actor import Actor


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


def test_sessions_end(database: Database, analyst: Actor) -> None:
    session = tokens.begin_session(database, analyst)
    found = tokens.actor_of_session(database, session)
    assert found is not None
    assert found.csrf
    with database.writing() as connection:
        connection.execute(update(Session).values(expires=datetime.now(UTC) - timedelta(seconds=1)))
    assert tokens.actor_of_session(database, session) is None


def test_an_expired_token_is_refused_and_stays_so(database: Database, people: dict[str, str]) -> None:
    ahead = datetime.now(UTC) + timedelta(days=1)
    token, _ = tokens.create_token(database, "analyst", "brief", expires=ahead)
    actor = tokens.actor_of_token(database, token)
    assert actor is not None
    session = tokens.begin_session(database, actor)
    assert tokens.actor_of_session(database, session) is not None
    with database.writing() as connection:
        past = datetime.now(UTC) - timedelta(seconds=1)
        connection.execute(update(Token).where(Token.name == "brief").values(expires=past))
    assert tokens.actor_of_session(database, session) is None
    assert tokens.actor_of_token(database, token) is None
    line = next(one for one in tokens.list_tokens(database) if one.name == "brief")
    assert line.state.startswith("expired")
    with database.writing() as connection:  # a clock that is set back does not revive it
        connection.execute(update(Token).where(Token.name == "brief").values(expires=ahead))
    assert tokens.actor_of_token(database, token) is None
    assert tokens.actor_of_session(database, session) is None
    assert whats(database).count("token expired") == 1


def test_who_did_it_is_entered(database: Database) -> None:
    tokens.create_token(database, "analyst", "ann", who="carla")
    tokens.create_token(database, "analyst", "ben")
    tokens.revoke_token(database, "ann", who="carla")
    with database.reading() as connection:
        entered = [entry.content for entry in store.read_entries(connection, SERVER)]
    assert [(c["what"], c["who"]) for c in entered] == [
        ("token created", "carla"),
        ("token created", "command line"),
        ("token revoked", "carla"),
    ]


def whats(database: Database) -> list[str]:
    with database.reading() as connection:
        return [entry.content["what"] for entry in store.read_entries(connection, SERVER)]
