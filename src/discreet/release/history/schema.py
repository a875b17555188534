"""Which schema a database has, and bringing it up to date.

A database without a schema is only given one by whoever may create it. One with a schema that this version does not
know was written by a newer version, and is left alone. An earlier schema is brought up to date, which is entered into
the server's chain together with the marks of the tokens known by then; whoever may only read says so instead.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, select, text

from discreet.errors import InputError
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.models import Token
from discreet.release.history.operator import operator

MIGRATIONS = Path(__file__).parent / "migrations"
VERSIONS = "alembic_version"
CREATORS = "`discreet serve`, `dataset add`, `token create` and `restore` make one"


@cache
def revisions() -> tuple[str, ...]:
    """Every schema this version knows, the first one first."""
    from alembic.script import ScriptDirectory

    return tuple(script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions())[::-1]


def revision_of(connection: Connection) -> str | None:
    """The schema of a database; None where it has none of ours."""
    if not inspect(connection).has_table(VERSIONS):
        return None
    found: str | None = connection.execute(text(f"SELECT version_num FROM {VERSIONS}")).scalar()
    return found


def check(found: str | None, *, create: bool, read_only: bool) -> None:
    """Whether a database of this schema can be used; `InputError` with the way out where it cannot."""
    known = revisions()
    if found is None:
        if not create:
            raise InputError(f"there is no release server in it; {CREATORS}")
    elif found not in known:
        raise InputError(
            f"its schema {found[:32]!r} is not known to this version, which knows {known[0]} to {known[-1]}: it was "
            "written by a newer version of discreet, or by another program"
        )
    elif found != known[-1] and read_only:
        raise InputError(
            f"it has the schema {found} of an earlier version and a command that only reads does not change it: "
            "start `discreet serve` on it once, which brings it up to date, or use the earlier version"
        )


def bring_up_to_date(engine: Engine, *, create: bool) -> None:
    """Give the database the schema of this version; processes that start together take turns."""
    from alembic import command
    from alembic.config import Config

    with engine.connect() as connection:
        if revision_of(connection) == revisions()[-1]:
            return
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(7460321001)"))
        before = revision_of(connection)
        check(before, create=create, read_only=False)
        if before == revisions()[-1]:
            return
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if before is not None:
            store.append(connection, SERVER, _brought_up(connection, before))


def _brought_up(connection: Connection, before: str) -> dict[str, object]:
    tokens = connection.execute(select(Token.name, Token.digest).order_by(Token.id)).all()
    return {
        "what": "schema brought up to date",
        "who": operator(),
        "from": before,
        "to": revisions()[-1],
        "tokens": {row.name: store.token_mark(row.digest) for row in tokens},
    }
