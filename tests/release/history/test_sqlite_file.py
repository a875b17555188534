"""What is no database of ours is neither opened nor changed, and whoever reads does not write."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.release.history import sqlite_file
from discreet.release.history.database import Database, open_database
from discreet.release.tokens import create_token

# Commands that must not make a database.
READERS: list[tuple[str, ...]] = [
    ("ledger", "verify"),
    ("ledger", "head"),
    ("ledger", "export", "-o", "{out}"),
    ("token", "list"),
    ("token", "revoke", "ann"),
    ("dataset", "list"),
]


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_a_mistyped_path_makes_nothing(words: tuple[str, ...], tmp_path: Path, discreet: Callable[..., object]) -> None:
    ran = discreet(*(w.format(out=tmp_path / "out.jsonl") for w in words), "--database", tmp_path / "mistyped.db")
    assert ran.code == 2  # type: ignore[attr-defined]
    assert "there is no such file" in ran.err  # type: ignore[attr-defined]
    assert list(tmp_path.iterdir()) == []


def spoil(path: Path, kind: str) -> None:
    if kind == "text":
        path.write_text("not a database at all, but long enough to be looked at " * 20)
    elif kind == "empty":
        path.touch()
    elif kind == "folder":
        path.mkdir()
    elif kind == "other program":
        raw = sqlite3.connect(path)
        raw.execute("CREATE TABLE recipes (name TEXT)")
        raw.commit()
        raw.close()
    elif kind == "other migrations":
        raw = sqlite3.connect(path)
        raw.execute("CREATE TABLE alembic_version (version_num TEXT)")
        raw.execute("INSERT INTO alembic_version VALUES ('0001')")
        raw.commit()
        raw.close()
    elif kind == "cut off":
        open_database(str(path), create=True).close()
        path.write_bytes(path.read_bytes()[:6000])
    else:
        raise AssertionError(kind)


@pytest.mark.parametrize("kind", ["text", "empty", "folder", "other program", "other migrations", "cut off"])
@pytest.mark.parametrize("words", [("ledger", "verify"), ("token", "list"), ("token", "revoke", "ann")], ids=" ".join)
def test_what_is_no_database(
    kind: str, words: tuple[str, ...], tmp_path: Path, discreet: Callable[..., object]
) -> None:
    path = tmp_path / "x.db"
    spoil(path, kind)
    before = path.read_bytes() if path.is_file() else None
    ran = discreet(*words, "--database", path)
    assert ran.code == 2  # type: ignore[attr-defined]
    assert "intact:" not in ran.err and "defect" not in ran.err  # type: ignore[attr-defined]
    assert before is None or path.read_bytes() == before


@pytest.mark.parametrize("kind", ["text", "folder", "other program", "other migrations"])
def test_nor_does_a_command_that_makes_one_take_it_over(
    kind: str, tmp_path: Path, discreet: Callable[..., object]
) -> None:
    path = tmp_path / "x.db"
    spoil(path, kind)
    before = path.read_bytes() if path.is_file() else None
    ran = discreet("token", "create", "--role", "analyst", "--database", path)
    assert ran.code == 2  # type: ignore[attr-defined]
    assert before is None or path.read_bytes() == before


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        open_database(str(tmp_path / "no" / "x.db"), create=True)


def test_no_permission(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the system answers to somebody who is not root."""
    place = str(database.engine.url.database)
    monkeypatch.setattr(sqlite_file.os, "access", lambda path, mode: mode == 4)
    with pytest.raises(InputError, match="may not write"):
        open_database(place)
    with pytest.raises(InputError, match="nothing may be written"):
        open_database(place + "2", create=True)
    monkeypatch.setattr(sqlite_file.os, "access", lambda path, mode: False)
    with pytest.raises(InputError, match="may not be read"):
        open_database(place, read_only=True)


def test_damaged_pages_cannot_be_told(database: Database, discreet: Callable[..., object]) -> None:
    for number in range(60):
        create_token(database, "analyst", f"person-{number}")
    path = Path(str(database.engine.url.database))
    database.close()
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ledger'").fetchone()[0]
    content = bytearray(path.read_bytes())
    content[4096 * (page - 1) : 4096 * page] = b"\xff" * 4096
    path.write_bytes(content)
    ran = discreet("ledger", "verify", "--database", path)
    assert ran.code == 2  # type: ignore[attr-defined]
    assert "damaged" in ran.err  # type: ignore[attr-defined]


def test_reading_only_is_so(database: Database, people: dict[str, str]) -> None:
    reader = open_database(str(database.engine.url), read_only=True)
    with pytest.raises(Exception, match="readonly"), reader.writing() as connection:
        connection.exec_driver_sql("UPDATE tokens SET role = 'custodian'")
    reader.close()


def test_a_snapshot_stays_while_others_write(database: Database, people: dict[str, str]) -> None:
    reader = open_database(str(database.engine.url), read_only=True)
    count = "SELECT count(*) FROM tokens"
    with reader.snapshot() as connection:
        before = connection.exec_driver_sql(count).scalar()
        create_token(database, "analyst", "late")
        assert connection.exec_driver_sql(count).scalar() == before == 2
    with reader.snapshot() as connection:
        assert connection.exec_driver_sql(count).scalar() == 3
    reader.close()


def test_what_a_killed_writer_left_is_read(tmp_path: Path, discreet: Callable[..., object]) -> None:
    path = tmp_path / "x.db"
    code = (
        "import os, sys; from discreet.release.history.database import open_database; "
        "from discreet.release.tokens import create_token; "
        "create_token(open_database(sys.argv[1], create=True), 'analyst', 'ann'); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert path.with_name("x.db-wal").stat().st_size > 0
    ran = discreet("ledger", "verify", "--database", path)
    assert (ran.code, "server  1 entries" in ran.out) == (0, True)  # type: ignore[attr-defined]


def test_a_database_that_others_hold(
    database: Database, people: dict[str, str], discreet: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.release.history.database.BUSY_SECONDS", 0.1)
    other = sqlite3.connect(str(database.engine.url.database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    ran = discreet("token", "revoke", "analyst", "--database", database.engine.url)
    assert ran.code == 2  # type: ignore[attr-defined]
    assert "the database fails: database is locked" in ran.err  # type: ignore[attr-defined]
    reading = discreet("ledger", "verify", "--database", database.engine.url)
    assert reading.code == 0  # type: ignore[attr-defined]
    other.close()
