"""The migrations make what the models say; addresses that cannot work are explained."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from discreet.errors import InputError
from discreet.release.history.database import Database, open_database
from discreet.release.history.models import Base


def differences(database: Database) -> list[object]:
    with database.reading() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))


def test_migrations_make_the_models(database: Database) -> None:
    assert differences(database) == []


def test_opening_again_changes_nothing(database: Database, people: dict[str, str]) -> None:
    again = open_database(str(database.engine.url))
    assert differences(again) == []
    again.close()


def test_every_commit_reaches_the_disk(database: Database) -> None:
    with database.writing() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


@pytest.mark.parametrize(
    "url", ["mysql://host/x", "sqlite://", "sqlite:///:memory:", "nonsense://x", "/no/such/folder/x.db", "a://b://"]
)
def test_bad_addresses(url: str) -> None:
    with pytest.raises(InputError):
        open_database(url, create=True)


def test_passwords_stay_out_of_messages() -> None:
    with pytest.raises(InputError) as caught:
        open_database("postgresql+psycopg://someone:sesame@127.0.0.1:1/none", create=True)
    assert "sesame" not in str(caught.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_text("not a database at all, but long enough to be looked at " * 20)
    with pytest.raises(InputError):
        open_database(str(path))
