"""Opening the database: SQLite by path or URL, PostgreSQL by URL; transactions that write.

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

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DBAPIError,
    NoSuchModuleError,
    SQLAlchemyError,
)
from sqlalchemy.pool import NullPool

from discreet.errors import InputError
from discreet.release.history import schema, sqlite_file

DEFAULT = "sqlite:///discreet.db"
# Waiting for another writer, and for PostgreSQL to answer at all.
BUSY_SECONDS = 20
CONNECT_SECONDS = 10


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

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """One moment of the database for everything that is read, whoever writes meanwhile."""
        engine = self.engine
        if engine.dialect.name == "postgresql":
            engine = engine.execution_options(isolation_level="REPEATABLE READ")
        with engine.connect() as connection:
            yield connection

    def damage(self) -> str | None:
        """What is wrong with the pages of a SQLite file; None where nothing is, or another system minds them."""
        if self.engine.dialect.name != "sqlite":
            return None
        try:
            with self.reading() as connection:
                found = connection.exec_driver_sql("PRAGMA integrity_check(3)").scalars().all()
        except DatabaseError as error:
            return reason(error)
        return None if found == ["ok"] else "pages of the file contradict one another"

    def tidy(self) -> None:
        """Overwrite what was deleted: SQLite zeroes its pages (secure_delete), and its log is emptied here.

        Where somebody is reading meanwhile, the log is emptied later. PostgreSQL does this when it vacuums.
        """
        if self.engine.dialect.name == "sqlite":
            raw = self.engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA busy_timeout = 1000").close()
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
                raw.cursor().execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}").close()
            finally:
                raw.close()

    def close(self) -> None:
        self.engine.dispose()


def open_database(given: str | None, *, create: bool = False, read_only: bool = False) -> Database:
    """Open a database; `given` is a URL or the path of a SQLite file, else DISCREET_DATABASE, else the default.

    It is created only where `create` says so. An earlier schema is brought up to date, unless `read_only`: then nothing
    is changed whatever, and what is read is one moment of the history even while a server writes.
    """
    url = _url(given or os.environ.get("DISCREET_DATABASE") or DEFAULT)
    with _explained(url):
        engine = _sqlite(url, create, read_only) if url.get_backend_name() == "sqlite" else _postgres(url, read_only)
        try:
            with engine.connect() as connection:
                schema.check(schema.revision_of(connection), create=create, read_only=read_only)
            if not read_only:
                schema.bring_up_to_date(engine, create=create)
        except BaseException:
            engine.dispose()
            raise
    return Database(engine)


@contextmanager
def _explained(url: Any) -> Iterator[None]:
    """Whatever goes wrong, in a sentence that names the database."""
    try:
        yield
    except InputError as error:
        raise InputError(f"the database {_named(url)} cannot be used: {error}") from None
    except DatabaseError as error:
        raise InputError(f"the database {_named(url)} cannot be opened: {reason(error)}") from None
    except SQLAlchemyError as error:
        raise InputError(f"the database {_named(url)} cannot be used ({type(error).__name__})") from None


def reason(error: DBAPIError) -> str:
    """The driver's text, which names a host or a file and no data; SQLAlchemy's own would repeat the statement."""
    said = str(error.orig).strip().splitlines()
    return said[0] if said else type(error).__name__


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


def _sqlite(url: Any, create: bool, read_only: bool) -> Engine:
    if not url.database or url.database == ":memory:":
        raise InputError("the ledger must outlive the process: give a file, such as sqlite:///discreet.db")
    path = Path(url.database)
    sqlite_file.check(path, create=create, writing=not read_only)
    connect = sqlite_file.reader(path) if read_only else None
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # the counts are in it: for its owner alone
    engine = (
        create_engine(url, connect_args={"timeout": BUSY_SECONDS}, pool_size=16, max_overflow=64)
        if connect is None
        else create_engine("sqlite://", creator=connect, poolclass=NullPool)
    )

    @event.listens_for(engine, "connect")
    def _connect(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # transactions are begun below, not by the driver
        if not read_only:
            # Drafts hold confidential files: what is deleted is overwritten.
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
                raw.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("writing", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _postgres(url: Any, read_only: bool) -> Engine:
    settings: dict[str, Any] = {"connect_args": {"connect_timeout": CONNECT_SECONDS}}
    if read_only:
        settings["connect_args"]["options"] = "-c default_transaction_read_only=on"
        settings["isolation_level"] = "REPEATABLE READ"
    try:
        return create_engine(url, pool_size=16, max_overflow=16, pool_pre_ping=True, **settings)
    except ModuleNotFoundError:
        raise InputError("PostgreSQL needs the package psycopg: pip install 'discreet[server]'") from None
