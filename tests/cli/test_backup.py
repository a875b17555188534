"""`discreet backup`: a copy of a database that exists, for its owner alone, in place of nothing but a backup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the release server needs the extra `server`")

from discreet.release.history.database import open_database
from discreet.release.running import backup as module
from discreet.release.running.backup_check import read_backup
from discreet.release.tokens import create_token

Run = Callable[..., Any]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "d.db"
    opened = open_database(str(path), create=True)
    create_token(opened, "analyst", "ann")
    opened.close()
    return path


def test_the_whole_is_copied_for_its_owner_alone(place: Path, tmp_path: Path, discreet: Run) -> None:
    file = tmp_path / "all.backup"
    ran = discreet("backup", "-o", file, "--database", place)
    assert ran.code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    read = read_backup(file)
    assert {chain: length for chain, (length, _) in read.heads.items()} == {"server": 2}
    assert "2 ledger entries in 1 chains" in ran.err, "the token, and that there is a backup"


def test_nothing_is_made_where_there_is_no_database(tmp_path: Path, discreet: Run) -> None:
    assert discreet("backup", "-o", tmp_path / "all.backup", "--database", tmp_path / "none.db").code == 2
    assert list(tmp_path.iterdir()) == []


def test_neither_a_file_nor_the_database_is_written_over(place: Path, tmp_path: Path, discreet: Run) -> None:
    file = tmp_path / "all.backup"
    file.write_text("precious")
    assert discreet("backup", "-o", file, "--database", place).code == 2
    assert file.read_text() == "precious"
    kept = place.read_bytes()
    for name in (place, f"sqlite:///{place}"):
        assert discreet("backup", "-o", place, "--database", name, "--force").code == 2
    assert place.read_bytes() == kept
    assert discreet("backup", "-o", file, "--database", place, "--force").code == 0
    assert read_backup(file).heads


def test_a_backup_that_fails_leaves_no_half_file(
    place: Path, tmp_path: Path, discreet: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(database: object, who: str, path: Path) -> None:
        Path(path).write_bytes(b"half of the counts")
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "write_backup", broken)
    assert discreet("backup", "-o", tmp_path / "all.backup", "--database", place).code == 130
    assert {path.name.removesuffix("-shm").removesuffix("-wal") for path in tmp_path.iterdir()} == {"d.db"}
