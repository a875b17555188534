"""A database with a history in it, of either kind, and a place to restore into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from discreet.release.history.database import Database, open_database
from discreet.release.running.backup import write_backup
from discreet.release.running.backup_check import Backup, read_backup

Place = Callable[[str, str], Database]


@pytest.fixture
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Place]:
    """An empty database by kind and name."""
    opened: list[Database] = []

    def make(kind: str, name: str) -> Database:
        if kind == "sqlite":
            url = str(tmp_path / f"{name}.db")
        else:
            url = request.getfixturevalue("postgres")(f"{name}_{tmp_path.name.lower().replace('-', '_')}"[:60])
        opened.append(open_database(url, create=True))
        return opened[-1]

    yield make
    for database in opened:
        database.close()


@pytest.fixture
def copy(tmp_path: Path) -> Callable[[Database], Backup]:
    number = iter(range(100))

    def make(database: Database) -> Backup:
        path = tmp_path / f"copy{next(number)}.backup"
        write_backup(database, "custodian", path)
        return read_backup(path)

    return make
