"""Opening the database: SQLite by path or URL, PostgreSQL by URL; migrations; transactions that write.

A writing transaction in SQLite begins with the write lock (BEGIN IMMEDIATE), so that what it reads cannot change before
it commits, and every commit reaches the disk (synchronous = FULL). In PostgreSQL the row of a ledger chain is locked
instead (`store.py`), so that datasets do not wait for one another.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError, SQLAlchemyError

from discreet.errors import InputError

DEFAULT = "sqlite:///discreet.db"
BUSY_SECONDS = 60


class Database:
    """An open database with an up-to-date schema."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, committed at the end; whoever else writes waits or is waited for."""
        with self.engine.connect().execution_options(writing=True) as connection, connection.begin():
            yield connection

    def close(self) -> None:
        self.engine.dispose()


def open_database(given: str | None) -> Database:
    """Open and migrate; `given` is a URL or the path of a SQLite file, else DISCREET_DATABASE, else the default."""
    url = _url(given or os.environ.get("DISCREET_DATABASE") or DEFAULT)
    try:
        engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgres(url)
        _migrate(engine)
    except OperationalError as error:
        # The driver's text names the host or the file and no data; SQLAlchemy's own would repeat the statement.
        reason = str(error.orig).strip().splitlines()[0]
        raise InputError(f"the database {_named(url)} cannot be opened: {reason}") from None
    except SQLAlchemyError as error:
        raise InputError(f"the database {_named(url)} cannot be used ({type(error).__name__})") from None
    return Database(engine)


def file_of(given: str | None) -> str | None:
    """The file of a SQLite database, as `open_database` would take it; None for any other."""
    url = _url(given or os.environ.get("DISCREET_DATABASE") or DEFAULT)
    return str(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _url(given: str) -> Any:
    if "://" not in given:
        given = f"sqlite:///{given}"
    try:
        url = make_url(given)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise InputError("the database must be a URL, such as sqlite:///discreet.db") from None
    if backend == "postgresql" and url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if backend not in ("sqlite", "postgresql"):
        raise InputError(
            "the database must be SQLite (sqlite:///discreet.db) or PostgreSQL (postgresql+psycopg://user@host/name)"
        )
    return url


def _named(url: Any) -> str:
    return str(url.render_as_string(hide_password=True))


def _sqlite(url: Any) -> Engine:
    if not url.database or url.database == ":memory:":
        raise InputError("the ledger must outlive the process: give a file, such as sqlite:///discreet.db")
    path = Path(url.database)
    if not path.parent.is_dir():
        raise InputError(f"the folder of the database {path} does not exist")
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # the counts are in it: for its owner alone
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, pool_size=16, max_overflow=64)

    @event.listens_for(engine, "connect")
    def _connect(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # transactions are begun below, not by the driver
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            raw.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("writing", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _postgres(url: Any) -> Engine:
    try:
        return create_engine(url, pool_size=16, max_overflow=16, pool_pre_ping=True)
    except ModuleNotFoundError:
        raise InputError("PostgreSQL needs the package psycopg: pip install 'discreet[server]'") from None


def _migrate(engine: Engine) -> None:
    """Bring the schema up to date; processes that start together take turns."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(7460321001)"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
