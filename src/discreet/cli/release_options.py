"""What the commands around the release server share."""

from __future__ import annotations

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


def open_database(given: str | None, *inputs: object) -> Any:
    """Open the database, which may change from now on; not where it is one of the `inputs`."""
    from discreet.cli.outputs import check_outputs
    from discreet.frames.atomic import record
    from discreet.release.history import database

    place = database.file_of(given)
    if place is not None:
        check_outputs([place], force=True, inputs=[str(path) for path in inputs if path is not None])
        record(f"the database {place}")
    return database.open_database(given)


def need_server() -> None:
    """Say what to install where the server's packages are absent."""
    from importlib.util import find_spec

    from discreet.errors import InputError

    packages = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "python_multipart")
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise InputError(f"the server needs {', '.join(missing)}: pip install 'discreet[server]'")
