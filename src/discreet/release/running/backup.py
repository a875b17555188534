"""A copy of everything, made while the server runs: one file that says what it holds and proves that it is whole.

    gzip of lines of JSON: a header (schema, heads of all chains), one line per row, and a last line with the SHA-256 of
    all lines before it and the number of rows per table

All rows are read in one transaction that sees the database as it was at its beginning (SQLite: the snapshot that a
reader has beside a write-ahead log; PostgreSQL: repeatable read). The format is the same for both, so that a copy of
one can be restored into the other. Browser sessions are left out: whoever was signed in signs in again.

The counts are in it, and what recognizes tokens: the file is for its owner alone (0600).
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select, text

from discreet._version import __version__
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Base, LedgerEntry, Session

FORMAT = "discreet backup 1"
ROWS_AT_ONCE = 200


def write_backup(database: Database, who: str, path: Path) -> dict[str, tuple[int, str]]:
    """Fill `path`, which must be private already; the heads of the chains in it.

    The ledger knows of the copy before it is made, so that the copy knows of itself.
    """
    with database.writing() as connection:
        store.append(connection, SERVER, {"what": "backup made", "who": who})
    with _snapshot(database) as connection, gzip.open(path, "wb") as file:
        hashed, counted = hashlib.sha256(), dict[str, int]()

        def put(line: dict[str, Any]) -> None:
            written = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            hashed.update(written)
            file.write(written)

        heads = store.read_chains(connection)
        put(
            {
                "format": FORMAT,
                "version": __version__,
                "schema": connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one(),
                "made": datetime.now(UTC).isoformat(timespec="seconds"),
                "heads": heads,
            }
        )
        for table in Base.metadata.sorted_tables:
            if table.name != Session.__tablename__:
                counted[table.name] = _put_table(connection, table, put)
        end = {"digest": hashed.hexdigest(), "rows": counted}
        file.write(json.dumps(end).encode() + b"\n")
    return heads


def _put_table(connection: Connection, table: Any, put: Callable[[dict[str, Any]], None]) -> int:
    ledger = table.name == LedgerEntry.__tablename__
    order = (table.c.chain, table.c.sequence, table.c.id) if ledger else tuple(table.primary_key)
    rows = connection.execute(select(table).order_by(*order), execution_options={"yield_per": ROWS_AT_ONCE})
    number = 0
    for row in rows.mappings():
        put({"table": table.name, "row": {name: _plain(value) for name, value in row.items()}})
        number += 1
    return number


def _snapshot(database: Database) -> Any:
    """A connection whose reads all see the same moment."""
    connection = database.engine.connect()
    if database.engine.dialect.name == "postgresql":
        connection = connection.execution_options(isolation_level="REPEATABLE READ")
    return connection


def _plain(value: Any) -> Any:
    """A value as JSON has it: bytes and moments are marked."""
    if isinstance(value, bytes | memoryview):
        return {"bytes": base64.b64encode(bytes(value)).decode()}
    if isinstance(value, datetime):
        return {"moment": (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()}
    return value


def value_of(plain: Any) -> Any:
    """What `_plain` was made from."""
    if isinstance(plain, dict):
        if "bytes" in plain:
            return base64.b64decode(plain["bytes"], validate=True)
        return datetime.fromisoformat(plain["moment"])
    return plain


def read_lines(path: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """The lines of a backup, each as written and as understood."""
    with gzip.open(path, "rb") as file:
        for line in file:
            yield line, json.loads(line)
