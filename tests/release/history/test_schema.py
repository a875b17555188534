"""A database of the first schema is brought up to date, verified and served on; one of a later schema is left alone."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, insert, text

from discreet.errors import InputError
from discreet.release import tokens
from discreet.release.audit import audit
from discreet.release.history import schema, store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database, open_database
from discreet.release.history.models import Base
from discreet.release.service import Service

FIRST = Path(__file__).parent / "schema_0001.sql"
SECRETS = dict(re.findall(r"(\w+) (discreet_[\w-]+)", FIRST.read_text(encoding="utf-8").splitlines()[0]))


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """What the first version of the server wrote: four datasets, three tokens, releases, refusals, synthetic counts."""
    path = tmp_path / "first.db"
    raw = sqlite3.connect(path)
    raw.executescript(FIRST.read_text(encoding="utf-8"))
    raw.close()
    return path


@pytest.fixture
def migrated(first: Path) -> Iterator[Database]:
    opened = open_database(str(first))
    yield opened
    opened.close()


def test_it_verifies_as_before(migrated: Database) -> None:
    found = audit(migrated)
    assert found.faults == ()
    assert {chain: length for chain, (length, _) in found.heads.items()} == {
        "dataset/auto": 8,
        "dataset/open": 6,
        "dataset/slow": 4,
        "dataset/small": 6,
        SERVER: 9,
    }


def test_it_goes_on_answering(migrated: Database) -> None:
    service = Service(migrated)
    ann = tokens.actor_of_token(migrated, SECRETS["ann"])
    assert ann is not None
    assert tokens.actor_of_token(migrated, SECRETS["bob"]) is None  # revoked
    assert service.ask(ann, "auto", ["A", "B"]).ground == "contained"
    assert service.ask(ann, "auto", list("ABCDEF")).ground == "frontier"
    assert service.ask(ann, "auto", list("BE")).answer in ("release", "refuse")
    assert service.ask(ann, "small", list("ABC")).answer != "release"
    assert service.ask(ann, "small", list("AB")).ground == "contained"
    assert service.ask(ann, "slow", ["P"]).answer == "refuse"  # what an earlier version closed stays closed
    assert audit(migrated).intact


def test_the_change_is_in_the_ledger(migrated: Database) -> None:
    with migrated.reading() as connection:
        last = list(store.read_entries(connection, SERVER))[-1].content
    assert (last["what"], last["from"], last["to"]) == ("schema brought up to date", "0001", schema.revisions()[-1])
    assert last["who"].startswith("command line (")
    assert set(last["tokens"]) == {"carla", "ann", "bob"}


def test_tokens_of_the_first_schema_cannot_change_places_afterwards(migrated: Database) -> None:
    with migrated.writing() as connection:
        found = {row.name: row.digest for row in connection.execute(text("SELECT name, digest FROM tokens"))}
        for name, digest in (("carla", "x"), ("ann", found["carla"]), ("carla", found["ann"])):
            connection.execute(text("UPDATE tokens SET digest = :d WHERE name = :n"), {"d": digest, "n": name})
    assert sorted(audit(migrated).faults) == [
        "token ann: its digest is not the one it was made with",
        "token carla: its digest is not the one it was made with",
    ]


def test_opening_twice_changes_it_once(first: Path) -> None:
    for _ in range(2):
        opened = open_database(str(first))
        with opened.reading() as connection:
            assert store.read_chains(connection)[SERVER][0] == 9
        opened.close()


def test_whoever_only_reads_leaves_it_as_it_is(first: Path) -> None:
    before = first.read_bytes()
    with pytest.raises(InputError, match="earlier version"):
        open_database(str(first), read_only=True)
    assert first.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_later_schema_is_left_alone(first: Path, read_only: bool) -> None:
    raw = sqlite3.connect(first)
    raw.execute("UPDATE alembic_version SET version_num = '0999'")
    raw.commit()
    raw.close()
    before = first.read_bytes()
    with pytest.raises(InputError, match="newer version"):
        open_database(str(first), read_only=read_only, create=not read_only)
    assert sqlite3.connect(first).execute("SELECT version_num FROM alembic_version").fetchone() == ("0999",)
    assert not read_only or first.read_bytes() == before


def test_postgresql_is_brought_up_to_date_too(first: Path, postgres: Callable[[str], str]) -> None:
    url = postgres("first")
    _copy_to_postgres(first, url)
    with pytest.raises(InputError, match="earlier version"):
        open_database(url, read_only=True)
    opened = open_database(url)
    assert audit(opened).faults == ()
    ann = tokens.actor_of_token(opened, SECRETS["ann"])
    assert ann is not None
    assert Service(opened).ask(ann, "small", list("ABC")).answer != "release"
    assert audit(opened).intact
    opened.close()
    reader = open_database(url, read_only=True)
    assert audit(reader).intact
    reader.close()


def test_postgresql_without_a_server_in_it(postgres: Callable[[str], str]) -> None:
    url = postgres("nothing")
    for read_only in (False, True):
        with pytest.raises(InputError, match="no release server"):
            open_database(url, read_only=read_only)


def _copy_to_postgres(path: Path, url: str) -> None:
    """The rows of the first schema, in tables that its migration makes."""
    from alembic import command
    from alembic.config import Config

    engine = create_engine(url)
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    raw = sqlite3.connect(path)
    raw.row_factory = sqlite3.Row
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(text("DELETE FROM chains"))
        for name in ("datasets", "states", "synthetics", "chains", "ledger", "tokens", "sessions"):
            table = Base.metadata.tables[name]
            for row in raw.execute(f"SELECT * FROM {name}"):
                values = {key: _typed(table.c[key], value) for key, value in dict(row).items()}
                connection.execute(insert(table).values(values).returning(text("1")))
        for name in ("datasets", "ledger", "tokens"):
            connection.execute(text(f"SELECT setval('{name}_id_seq', (SELECT max(id) FROM {name}))"))
    raw.close()
    engine.dispose()


def _typed(column: object, value: object) -> object:
    from datetime import datetime

    from sqlalchemy import Column, DateTime

    assert isinstance(column, Column)
    moment = isinstance(column.type, DateTime) and isinstance(value, str)
    return datetime.fromisoformat(str(value)) if moment else value
