"""Is the server ready: can it reach its database, is the schema the one it knows, is it warm.

What is found is kept for a second, so that asking often costs the database nothing.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from discreet.release import history
from discreet.release.history.database import Database
from discreet.release.running.warmth import Warmth

KEPT = 1.0


@dataclass(frozen=True)
class Readiness:
    """`database` is reachable or unreachable; `schema` right, wrong or unknown; `decisions` warm, warming or failed."""

    database: str
    schema: str
    decisions: str

    @property
    def ready(self) -> bool:
        return (self.database, self.schema, self.decisions) == ("reachable", "right", "warm")


class Probe:
    def __init__(self, database: Database, warmth: Warmth) -> None:
        self.database, self.warmth = database, warmth
        self._guard = threading.Lock()
        self._schema: tuple[float, str | None] | None = None

    def look(self) -> Readiness:
        schema = self._known_schema()
        decisions = "warm" if self.warmth.warm else "failed" if self.warmth.failed else "warming"
        if schema is None:
            return Readiness("unreachable", "unknown", decisions)
        return Readiness("reachable", "right" if schema == schema_head() else "wrong", decisions)

    def _known_schema(self) -> str | None:
        with self._guard:
            if self._schema is None or time.monotonic() - self._schema[0] > KEPT:
                self._schema = (time.monotonic(), self._ask())
            return self._schema[1]

    def _ask(self) -> str | None:
        """The schema's number, empty where there is none; None where the database does not answer."""
        try:
            with self.database.reading() as connection:
                connection.execute(text("SELECT 1"))
                try:
                    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
                except SQLAlchemyError:
                    return ""
                return str(found or "")
        except SQLAlchemyError:
            return None


def schema_head() -> str:
    """The schema that this version makes."""
    return schemas()[0]


@cache
def schemas() -> tuple[str, ...]:
    """The schemas that this version knows, the latest first."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(Path(history.__file__).parent / "migrations"))
    return tuple(str(script.revision) for script in scripts.walk_revisions())
