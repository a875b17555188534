"""`discreet restore`: a backup takes the place of a database, and never goes back behind what was told unnoticed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the release server needs the extra `server`")

from discreet.datasets import autoworkers
from discreet.release import engine
from discreet.release.engine import Table
from discreet.release.history.database import Database, open_database
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import actor_of_token, create_token

Run = Callable[..., Any]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compiling must not eat into the time limits of decisions."""
    engine.warm_up()


def begun(path: Path) -> tuple[Database, Actor, str]:
    """A database with a dataset and one answer; its receipt."""
    database = open_database(str(path), create=True)
    actor = actor_of_token(database, create_token(database, "analyst", "nora")[0])
    assert actor is not None
    Service(database).add("custodian", "auto", Table.from_counts(autoworkers()), Policy())
    return database, actor, Service(database).ask(actor, "auto", ["A"]).entry


def test_back_and_forth(discreet: Run, tmp_path: Path) -> None:
    here, there, file = tmp_path / "here.db", tmp_path / "there.db", tmp_path / "all.backup"
    database, actor, kept = begun(here)
    assert discreet("backup", "-o", file, "--database", here).code == 0
    late = Service(database).ask(actor, "auto", ["A", "B"]).entry
    database.close()
    refused = discreet("restore", file, "--database", here)
    assert refused.code == 2 and "dataset/auto" in refused.err
    missing = discreet("restore", file, "--database", there, "--receipt", late)
    assert missing.code == 2 and late in missing.err
    assert not there.exists()
    anchor = tmp_path / "anchor.txt"
    anchor.write_text(f"dataset/auto {kept}\n")
    words = ("restore", file, "--database", there, "--receipt", kept, "--anchor", anchor)
    both = discreet(*words, "--complete", "--force-rollback")
    assert both.code == 2 and "contradict" in both.err
    done = discreet(*words)
    assert done.code == 0
    assert "decisions are held" in done.err
    assert discreet("ledger", "verify", "--database", there, "--receipt", kept).code == 0
    back = discreet("restore", file, "--database", here, "--force-rollback")
    assert back.code == 0
    assert "auto=A:B" in back.out.splitlines()
    assert "dataset/auto: 1 entries are lost" in back.err
    assert discreet("ledger", "verify", "--database", here).code == 0


def test_a_refused_restore_leaves_no_connection(discreet: Run, tmp_path: Path) -> None:
    here, file = tmp_path / "here.db", tmp_path / "all.backup"
    database, actor, _ = begun(here)
    assert discreet("backup", "-o", file, "--database", here).code == 0
    Service(database).ask(actor, "auto", ["A", "B"])
    database.close()
    gc.collect()
    gc.disable()  # what is forgotten stays open
    try:
        assert discreet("restore", file, "--database", here).code == 2
        assert discreet("ledger", "verify", "--database", here).code == 0
        assert discreet("dataset", "list", "--database", here).code == 0
        assert discreet("restore", file, "--database", here, "--force-rollback").code == 0
    finally:
        gc.enable()


def test_only_a_word_lets_a_new_database_decide_at_once(discreet: Run, tmp_path: Path) -> None:
    file = tmp_path / "all.backup"
    database, _, _ = begun(tmp_path / "here.db")
    database.close()
    assert discreet("backup", "-o", file, "--database", tmp_path / "here.db").code == 0
    told = discreet("restore", file, "--database", tmp_path / "there.db", "--complete")
    assert told.code == 0 and "held" not in told.err
    assert discreet("resume", "--database", tmp_path / "there.db").code == 2, "nothing is held"


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x1f\x8b\x08\x00", None])
def test_what_is_no_backup_touches_nothing(discreet: Run, tmp_path: Path, content: bytes | None) -> None:
    file, there = tmp_path / "all.backup", tmp_path / "there.db"
    if content is not None:
        file.write_bytes(content)
    assert discreet("restore", file, "--database", there).code == 2
    assert not there.exists()
    open_database(str(there), create=True).close()
    before = there.read_bytes()
    assert discreet("restore", file, "--database", there, "--force-rollback").code == 2
    assert there.read_bytes() == before


def test_a_backup_is_not_its_own_database(discreet: Run, tmp_path: Path) -> None:
    """`restore FILE --database FILE` would write over the only copy there is."""
    file, here = tmp_path / "all.backup", tmp_path / "here.db"
    open_database(str(here), create=True).close()
    assert discreet("backup", "-o", file, "--database", here).code == 0
    kept = file.read_bytes()
    ran = discreet("restore", file, "--database", file, "--force-rollback")
    assert (ran.code, "is the input" in ran.err) == (2, True)
    assert file.read_bytes() == kept
