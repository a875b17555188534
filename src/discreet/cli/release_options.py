"""What the commands around the release server share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        help="SQLite file or URL, or postgresql+psycopg://user@host/name.",
        show_default="DISCREET_DATABASE, else sqlite:///discreet.db",
    ),
]

TokenFile = Annotated[
    Path | None,
    typer.Option("--token-file", help="File with your token.", show_default="DISCREET_TOKEN, else DISCREET_TOKEN_FILE"),
]


def open_database(given: str | None, *inputs: object, create: bool = False, read_only: bool = False) -> Any:
    """Open the database, until the command ends; not where it is one of the `inputs`. It is made only where `create`
    says so."""
    from discreet.cli.console import at_end
    from discreet.cli.outputs import check_outputs
    from discreet.frames.atomic import record
    from discreet.release.history import database

    place = database.file_of(given)
    if place is not None and not read_only:
        check_outputs([place], force=True, inputs=[str(path) for path in inputs if path is not None])
    opened = database.open_database(given, create=create, read_only=read_only)
    at_end(opened.close)
    if place is not None and not read_only:
        record(f"the database {place}")
    return opened


def operator() -> str:
    """Who works at the command line, for the ledger."""
    from discreet.release.history.operator import operator

    return operator()


def need_server(*more: str) -> None:
    """Say what to install where the server's packages are absent, or `more` that a part of it needs."""
    from importlib.util import find_spec

    from discreet.errors import InputError

    needed = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "python_multipart", "cryptography", "prometheus_client")
    packages = (*needed, *more)
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise InputError(f"the server needs {', '.join(missing)}: pip install 'discreet[server]'")


def token_of(token: str | None, token_file: Path | None) -> str:
    """The token that was given, by an option or by the environment; one that others can read is worth a warning."""
    from discreet.cli.console import warn
    from discreet.client import find_token
    from discreet.errors import InputError

    if token is not None and token_file is not None:
        raise InputError("give --token or --token-file, not both")
    found = find_token(token, token_file)
    if token_file is not None and os.name == "posix" and token_file.stat().st_mode & 0o077:
        warn(f"others can read {token_file}: chmod 600 it")
    return found


@contextmanager
def private_file(path: Path) -> Iterator[Callable[[str], None]]:
    """A new file for its owner alone, made before the work and removed if that fails; nothing is replaced."""
    from discreet.errors import InputError
    from discreet.frames.atomic import record

    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        raise InputError(f"{path} exists already: choose another name") from None
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:

            def write(text: str) -> None:
                stream.write(text + "\n")
                stream.flush()
                os.fsync(stream.fileno())

            yield write
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    record(str(path))
