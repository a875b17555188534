"""A backup becomes a database again, unless that would go back behind what has been told.

Let L be the ledger of the database that is there, and B the backup's. If every entry of L is in B, nothing is lost:
B continues L. Otherwise answers have been given that B does not know of, and the restore is refused: the server would
decide as if they had not been told. With `rollback` it is done all the same, the ledger says from where to where,
tokens that were revoked since stay revoked, and decisions are held (`hold.py`). A database that is new proves nothing
either way: answers may have been given that neither it nor the backup knows; so decisions are held then too, unless
whoever restores says that the backup is `complete`.

Everything happens in one transaction, under the schema that the backup was made with, which is then brought up to
date. The whole is audited before it counts: a backup whose digest is right may still have been forged. No server may
run meanwhile: it would go on from what it remembers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Integer, MetaData, inspect, text, update

from discreet.errors import InputError
from discreet.release import history
from discreet.release.audit import audit_within
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Base, Token
from discreet.release.running.backup import ROWS_AT_ONCE, read_lines, value_of
from discreet.release.running.backup_check import Backup
from discreet.release.running.hold import Told, hold

VERSIONS = "alembic_version"


@dataclass(frozen=True)
class Lost:
    """What a ledger has beyond a backup: per chain the number of entries that are kept and how many there were.

    `told` lists what was released in the lost ones, whole or in part; `revoked` the tokens that were revoked,
    `others` whatever else happened.
    """

    chains: dict[str, tuple[int, int]]
    told: tuple[Told, ...]
    revoked: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True)
class Restored:
    """What a restore did: `held` says whether decisions wait, `lost` what the ledger no longer knows."""

    held: bool
    lost: Lost


def restore(
    database: Database,
    who: str,
    backup: Backup,
    *,
    receipts: Iterable[str] = (),
    rollback: bool = False,
    complete: bool = False,
) -> Restored:
    """Put the backup in the place of whatever is in the database."""
    missing = backup.missing(receipts)
    if missing and not rollback:
        raise InputError([f"the receipt {one} is not in the backup: it was given after it was made" for one in missing])
    _check_alone(database.engine)
    with database.writing() as connection:
        fresh = not any(length for length, _ in store.read_chains(connection).values())
        lost = _lost(connection, backup)
        if lost.chains and not rollback:
            faults = [
                f"{chain}: the backup has {kept} of {all_} entries" for chain, (kept, all_) in lost.chains.items()
            ]
            raise InputError(["the database has answers that the backup does not know of", *faults])
        _clear(connection)
        _upgrade(connection, backup.schema)
        _fill(connection, backup)
        _upgrade(connection, "head")
        held = bool(lost.chains or missing or (fresh and not complete))
        content = {
            "what": "restored",
            "who": who,
            "backup": backup.digest,
            "made": backup.made,
            "heads": backup.heads,
            "lost": lost.chains,
            "missing receipts": missing,
            "complete": not held,
        }
        entry = store.append(connection, SERVER, content)
        _revoke_again(connection, who, lost.revoked)
        if held:
            hold(connection, {"entry": entry.hash})
        found = audit_within(connection).faults
        if found:
            raise InputError(["the backup holds a database that was not intact: nothing is restored", *found])
    return Restored(held, lost)


def _check_alone(engine: Engine) -> None:
    """Nobody else may be connected: a server would go on from what it remembers."""
    problem = InputError("the database is in use: stop the server before restoring")
    engine.dispose()
    if engine.dialect.name == "postgresql":
        with engine.connect() as connection:
            others = (
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            if connection.execute(text(others)).scalar_one():
                raise problem
        return
    raw = engine.raw_connection()
    try:
        # Leaving the write-ahead log needs the file for oneself; every connection goes back to it.
        raw.cursor().execute("PRAGMA busy_timeout = 200")
        raw.cursor().execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError:
        raise problem from None
    finally:
        raw.close()
        engine.dispose()


def _lost(connection: Connection, backup: Backup) -> Lost:
    """What the database's ledger has beyond the backup's."""
    chains: dict[str, tuple[int, int]] = {}
    told: list[Told] = []
    revoked: list[str] = []
    others: list[str] = []
    for chain, (length, _) in store.read_chains(connection).items():
        kept = backup.hashes.get(chain, [])
        common, there = 0, 0
        for entry in store.read_entries(connection, chain):
            there += 1
            if common == there - 1 and there <= len(kept) and kept[there - 1] == entry.hash:
                common = there
                continue
            content = entry.content
            told += _told(chain.removeprefix("dataset/"), content)
            if content.get("what") == "token revoked":
                revoked.append(content["name"])
            elif content.get("what") not in ("answer", "passed on"):
                others.append(f"{chain}, entry {entry.sequence}: {content.get('what')}")
        if common < max(there, length):
            chains[chain] = (common, max(there, length))
    return Lost(chains, tuple(dict.fromkeys(told)), tuple(revoked), tuple(others))


def _told(dataset: str, content: Mapping[str, Any]) -> list[Told]:
    """What an entry tells that was not public before it."""
    found, part = [], content.get("part")
    if content.get("answer") == "release":
        found.append(Told(dataset, tuple(content["variables"])))
    if content.get("total released"):
        found.append(Told(dataset, ()))
    if part is not None:
        rows = tuple(place + 1 for place in part.get("hidden", ()))
        found.append(Told(dataset, tuple(content["variables"]), rows, part.get("base", 1)))
    return found


def _revoke_again(connection: Connection, who: str, names: Iterable[str]) -> None:
    """Tokens that were revoked after the backup was made must not come back."""
    for name in names:
        valid = (Token.name == name, Token.revoked.is_(None))
        done = connection.execute(update(Token).where(*valid).values(revoked=datetime.now(UTC)))
        if done.rowcount:
            store.append(connection, SERVER, {"what": "token revoked", "who": who, "name": name})


def _clear(connection: Connection) -> None:
    """Take away all that is ours."""
    there = set(inspect(connection).get_table_names())
    for table in reversed(Base.metadata.sorted_tables):
        if table.name in there:
            connection.execute(text(f"DROP TABLE {table.name}"))
    connection.execute(text(f"DROP TABLE IF EXISTS {VERSIONS}"))
    if connection.dialect.name == "postgresql":
        ours = (
            "SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
            "WHERE n.nspname = current_schema() AND p.prorettype = 'trigger'::regtype AND p.proname LIKE 'ledger%'"
        )
        for name in connection.execute(text(ours)).scalars().all():
            connection.execute(text(f'DROP FUNCTION "{name}"()'))


def _upgrade(connection: Connection, revision: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(history.__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _fill(connection: Connection, backup: Backup) -> None:
    """Insert the rows, under the schema they were read with; the first chain, which a new schema has, is replaced."""
    schema = MetaData()
    schema.reflect(connection)
    connection.execute(text("DELETE FROM chains"))
    for name, rows in groupby(_rows(backup.path), key=lambda row: row[0]):
        table = schema.tables[name]
        batch: list[dict[str, Any]] = []
        for _, row in rows:
            batch.append(row)
            if len(batch) == ROWS_AT_ONCE:
                connection.execute(table.insert(), batch)
                batch = []
        if batch:
            connection.execute(table.insert(), batch)
        counted = [c.name for c in table.primary_key if isinstance(c.type, Integer) and not c.foreign_keys]
        if connection.dialect.name == "postgresql" and len(table.primary_key) == len(counted) == 1:
            place = f"pg_get_serial_sequence('{name}', '{counted[0]}')"
            connection.execute(text(f"SELECT setval({place}, (SELECT max({counted[0]}) FROM {name}))"))


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for _, line in read_lines(path):
        if "table" in line:
            yield line["table"], {name: value_of(plain) for name, plain in line["row"].items()}
