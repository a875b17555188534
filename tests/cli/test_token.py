"""`discreet token`: shown or saved once, for its owner alone; every door that it opens can be closed again."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the release server needs the extra `server`")

from discreet.cli.release_options import operator
from discreet.release import tokens
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import open_database


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


def test_a_token_that_cannot_be_kept_is_not_made(
    discreet: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the disk is full nobody has the token: it must not be in the database, and no half file is left."""
    database, place = tmp_path / "d.db", tmp_path / "ann.token"
    assert discreet("token", "list", "--database", database).code == 2
    assert not database.exists()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    made = discreet("token", "create", "--role", "analyst", "--name", "ann", "--save", place, "--database", database)
    assert made.code == 2
    assert not place.exists()
    assert tokens.PREFIX not in made.out + made.err


def test_what_is_not_there_is_an_error_and_what_is_done_bears_a_name(
    discreet: Callable[..., Any], tmp_path: Path
) -> None:
    where = ("--database", tmp_path / "d.db")
    assert discreet("token", "create", "--role", "custodian", "--name", "carla", *where).code == 0
    for words, said in (
        (("revoke", "nobody"), "no token named"),
        (("role", "carla", "king"), "custodian, analyst"),
        (("role", "nobody", "analyst"), "nobody"),
        (("grant", "carla", "nowhere", "analyst"), "nowhere"),
        (("grant", "carla"), "DATASET"),
    ):
        ran = discreet("token", *words, *where)
        assert ran.code == 2 and said.lower() in ran.err.lower(), (words, ran.err)
    assert "carla  custodian" in discreet("token", "list", *where).out
    with open_database(str(tmp_path / "d.db")).reading() as connection:
        entered = [entry.content for entry in store.read_entries(connection, SERVER)]
    assert [(one["what"], one["who"]) for one in entered] == [("token created", operator())]


def test_listing_needs_no_right_to_write(discreet: Callable[..., Any], tmp_path: Path) -> None:
    """`token list` reads only: a ledger that it touched would grow by looking."""
    database = tmp_path / "d.db"
    assert discreet("token", "create", "--role", "analyst", "--name", "ann", "--database", database).code == 0
    before = _content(database)
    assert discreet("token", "list", "--database", database).code == 0
    assert _content(database) == before


def _content(database: Path) -> list[str]:
    """All that stands in it, whether in the file or in its log."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return list(connection.iterdump())
