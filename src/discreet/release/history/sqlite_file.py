"""What can be said of a SQLite file before it is opened for good, which would change it; and reading it only."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from discreet.errors import InputError

MAGIC = b"SQLite format 3\0"


def check(path: Path, *, create: bool, writing: bool) -> None:
    """Whether a database of ours may be opened or created here; `InputError` with a sentence where not."""
    if not path.parent.is_dir():
        raise InputError(f"the folder {path.parent} does not exist")
    if not path.exists():
        if not create:
            raise InputError("there is no such file; `discreet serve`, `dataset add` and `token create` make one")
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise InputError(f"nothing may be written to the folder {path.parent}")
        return
    if not path.is_file():
        raise InputError("it is not a file")
    if not os.access(path, os.R_OK):
        raise InputError("it may not be read by this user")
    if writing and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)):
        raise InputError("this user may not write to it or to its folder")
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    if not head:
        if not create:
            raise InputError("the file is empty: no database")
    elif head != MAGIC:
        raise InputError("it is not a database: the file does not begin as one of SQLite does")
    else:
        _check_owner(path)


def reader(path: Path, *, glance: bool = False) -> Callable[[], sqlite3.Connection]:
    """Opens connections that cannot write, also while a server does.

    SQLite keeps small files beside a database for its readers. Where none may be made, because the folder belongs to
    others, or for a `glance`, a database that nobody has open is read as it lies there.
    """
    idle = not path.with_name(path.name + "-wal").exists()
    still = idle and (glance or not os.access(path.parent, os.W_OK | os.X_OK))
    address = f"file:{quote(str(path.resolve()))}?{'immutable=1' if still else 'mode=ro'}"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(address, uri=True, check_same_thread=False)

    return connect


def _check_owner(path: Path) -> None:
    """A SQLite file of another program is left alone."""
    connection = reader(path, glance=True)()
    try:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as error:
        raise InputError(f"it is damaged or locked: {error}") from None
    finally:
        connection.close()
    if tables and not {"alembic_version", "chains", "ledger"} <= tables:
        raise InputError("it is the database of another program")
