"""Tokens: only digests are kept, names stay taken, roles are known, and what has expired stays so."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from discreet.errors import InputError
from discreet.release import tokens
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database, open_database
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


def test_a_token_is_saved_for_its_owner_alone(discreet: Callable[..., Any], tmp_path: Path) -> None:
    database, place = tmp_path / "d.db", tmp_path / "ann.token"
    create = ("token", "create", "--role", "analyst", "--database", database, "--save", place)
    old = os.umask(0)
    try:
        made = discreet(*create, "--name", "ann")
    finally:
        os.umask(old)
    assert made.code == 0
    assert made.out == ""
    assert place.stat().st_mode & 0o777 == 0o600
    token = place.read_text().strip()
    assert token.startswith(tokens.PREFIX)
    assert token not in made.err
    opened = open_database(str(database), create=True)
    actor = tokens.actor_of_token(opened, token)
    assert actor is not None
    assert actor.name == "ann"
    kept = place.read_bytes()
    again = discreet(*create, "--name", "ben")
    assert again.code == 2
    assert place.read_bytes() == kept
    assert [one.name for one in tokens.list_tokens(opened)] == ["ann"]  # and no token that nobody has
    elsewhere = tmp_path / "new.token"
    assert discreet(*create[:-1], elsewhere, "--name", "ann").code == 2
    assert not elsewhere.exists()
    assert discreet(*create[:-1], tmp_path / "no" / "folder", "--name", "cay").code == 2
    opened.close()


def test_the_commands_for_roles(discreet: Callable[..., Any], tmp_path: Path) -> None:
    where = ("--database", tmp_path / "d.db")
    table = tmp_path / "t.csv"
    table.write_text("A,B,count\nx,x,5\ny,y,7\n")
    assert discreet("dataset", "add", table, "--name", "auto", *where).code == 0
    made = discreet(
        "token", "create", "--role", "analyst", "--name", "ann", "--only", "auto", "--expires", "90d", *where
    )
    assert made.code == 0
    assert discreet("token", "create", "--role", "analyst", "--expires", "yesterday", *where).code == 2
    listed = discreet("token", "list", *where).out
    assert re.search(r"ann  auto:analyst  .*  expires \d{4}-", listed)
    assert discreet("token", "grant", "ann", "auto", "custodian", *where).code == 0
    assert "auto:custodian" in discreet("token", "list", *where).out
    assert discreet("token", "ungrant", "ann", "auto", *where).code == 0
    assert "ann  none" in discreet("token", "list", *where).out
    assert "no access" in discreet("token", "list", *where).out
    assert discreet("token", "ungrant", "ann", "auto", *where).code == 2
    assert discreet("token", "role", "ann", "analyst", *where).code == 0
    assert "ann  analyst" in discreet("token", "list", *where).out


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
