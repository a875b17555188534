"""`discreet ledger`: what was told can be checked, taken away and anchored, and a change shows by the exit code."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi", reason="the release server needs the extra `server`")

from discreet.release.engine import Table
from discreet.release.history.database import open_database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import create_token

Run = Callable[..., Any]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A database with a dataset and an analyst."""
    path = tmp_path / "d.db"
    opened = open_database(str(path), create=True)
    create_token(opened, "analyst", "analyst")
    Service(opened).add("carla", "auto", Table.from_array(np.array([[5, 7], [8, 9]])), Policy())
    opened.close()
    return path


def entered(place: Path, chain: str = "server") -> list[str]:
    raw = sqlite3.connect(place)
    rows = raw.execute("SELECT hash FROM ledger WHERE chain = ? ORDER BY sequence", (chain,)).fetchall()
    raw.close()
    return [row[0] for row in rows]


def cut(place: Path) -> None:
    """Take the last entry of the server's chain away, so that all that is left fits together."""
    raw = sqlite3.connect(place)
    for trigger in ("ledger_no_update", "ledger_no_delete"):
        raw.execute(f"DROP TRIGGER {trigger}")
    raw.execute("DELETE FROM ledger WHERE chain = 'server' AND sequence = (SELECT length FROM chains)")
    (length,) = raw.execute("SELECT MAX(sequence) FROM ledger WHERE chain = 'server'").fetchone()
    head = raw.execute("SELECT hash FROM ledger WHERE chain = 'server' AND sequence = ?", (length,)).fetchone()[0]
    raw.execute("UPDATE chains SET length = ?, head = ? WHERE name = 'server'", (length, head))
    raw.commit()
    raw.close()


def test_an_intact_ledger_is_printed_as_an_anchor(place: Path, tmp_path: Path, discreet: Run) -> None:
    verified = discreet("ledger", "verify", "--database", place, "--receipt", entered(place)[0])
    assert verified.code == 0
    assert f"intact: {len(entered(place)) + 1} entries in 2 chains" in verified.err
    for chain in ("server", "dataset/auto"):
        assert any(
            line.startswith(chain) and line.endswith(entered(place, chain)[-1]) for line in verified.out.split("\n")
        )
    anchor = tmp_path / "anchor"
    for printed in (verified.out, discreet("ledger", "head", "--database", place).out):
        anchor.write_text(printed)
        assert discreet("ledger", "verify", "--database", place, "--anchor", anchor).code == 0
    create_token(open_database(str(place)), "analyst", "later")
    assert discreet("ledger", "verify", "--database", place, "--anchor", anchor).code == 0


def test_a_ledger_that_was_cut_shows_by_what_was_kept(place: Path, tmp_path: Path, discreet: Run) -> None:
    """Whoever can write the file can make hashes that fit, but not those that somebody has noted."""
    assert discreet("ledger", "export", "-o", tmp_path / "out.jsonl", "--database", place).code == 0
    last, anchor = entered(place)[-1], tmp_path / "anchor"
    anchor.write_text(discreet("ledger", "head", "--database", place).out)
    cut(place)
    assert discreet("ledger", "verify", "--database", place).code == 0
    for kept in (("--receipt", last), ("--anchor", anchor)):
        ran = discreet("ledger", "verify", "--database", place, *kept)
        assert ran.code == 1, kept
        assert "not intact:" in ran.err and "  - " in ran.err


@pytest.mark.parametrize("content", [b"", b"server\n", b"\xff\xfe", b"server 1 entries nonsense\n", None])
def test_what_is_no_anchor_proves_nothing(place: Path, tmp_path: Path, discreet: Run, content: bytes | None) -> None:
    """An empty or unreadable anchor must not end as "intact"."""
    anchor = tmp_path / "anchor"
    if content is not None:
        anchor.write_bytes(content)
    ran = discreet("ledger", "verify", "--database", place, "--anchor", anchor)
    assert ran.code == 2 and "intact" not in ran.err


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, discreet: Run) -> None:
    place = tmp_path / "none.db"
    for words in (("verify",), ("head",), ("export", "-o", tmp_path / "out.jsonl")):
        assert discreet("ledger", *words, "--database", place).code == 2
    assert list(tmp_path.iterdir()) == []


def test_an_export_is_checked_without_the_database(place: Path, tmp_path: Path, discreet: Run) -> None:
    out, key = tmp_path / "ledger.jsonl", tmp_path / "key.pem"
    ran = discreet("ledger", "export", "-o", out, "--key", key, "--database", place)
    assert ran.code == 0, ran.err
    assert out.stat().st_mode & 0o777 == key.stat().st_mode & 0o777 == 0o600
    anchor = tmp_path / "anchor"
    anchor.write_text(discreet("ledger", "head", "--database", place).out)
    for words in (("--public", f"{key}.pub"), ("--key", str(key))):
        ran = discreet("ledger", "check-export", out, *words, "--anchor", anchor)
        assert (ran.code, "intact" in ran.err) == (0, True)
        assert f"server  {len(entered(place))} entries  {entered(place)[-1]}" in ran.out.splitlines()
    for words in ((), ("--key", key, "--public", f"{key}.pub")):
        assert discreet("ledger", "check-export", out, *words).code == 2
    kept = out.read_bytes()
    assert discreet("ledger", "export", "-o", out, "--key", key, "--database", place).code == 2
    assert out.read_bytes() == kept
    out.write_bytes(kept.replace(b"analyst", b"nobody", 1))
    ran = discreet("ledger", "check-export", out, "--key", key)
    assert (ran.code, "not intact" in ran.err) == (1, True)
    out.unlink()
    assert discreet("ledger", "check-export", out, "--key", key).code == 2


def test_an_export_must_begin_as_it_was_anchored(place: Path, tmp_path: Path, discreet: Run) -> None:
    create_token(open_database(str(place)), "analyst", "later")
    anchor, out, key = (tmp_path / name for name in ("anchor", "ledger.jsonl", "key.pem"))
    anchor.write_text(discreet("ledger", "head", "--database", place).out)
    cut(place)
    assert discreet("ledger", "export", "-o", out, "--key", key, "--database", place).code == 0
    assert discreet("ledger", "check-export", out, "--key", key).code == 0
    assert discreet("ledger", "check-export", out, "--key", key, "--anchor", anchor).code == 1


def test_an_export_that_nobody_signed_says_so(place: Path, tmp_path: Path, discreet: Run) -> None:
    out, key = tmp_path / "ledger.jsonl", tmp_path / "key.pem"
    ran = discreet("ledger", "export", "-o", out, "--database", place)
    assert ran.code == 0 and "not signed" in ran.err
    assert json.loads(out.read_bytes().splitlines()[-1])["signature"] is None
    other = tmp_path / "other.jsonl"
    assert discreet("ledger", "export", "-o", other, "--key", key, "--database", place).code == 0
    assert discreet("ledger", "check-export", out, "--key", key).code == 1
    assert discreet("ledger", "export", "-o", key, "--key", key, "--force", "--database", place).code == 2
    assert b"PRIVATE KEY" in key.read_bytes()
