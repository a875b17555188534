"""What the commands around the release server share."""

from __future__ import annotations

from typing import Annotated

import typer

Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        help="SQLite file or URL, or postgresql+psycopg://user@host/name.",
        show_default="DISCREET_DATABASE, else sqlite:///discreet.db",
    ),
]


def need_server() -> None:
    """Say what to install where the server's packages are absent."""
    from importlib.util import find_spec

    from discreet.errors import InputError

    packages = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "python_multipart")
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise InputError(f"the server needs {', '.join(missing)}: pip install 'discreet[server]'")
