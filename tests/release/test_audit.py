"""`discreet ledger verify` on a database that somebody has tampered with."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.release.audit import audit
from discreet.release.history.database import Database
from discreet.release.history.store import pack, unpack
from discreet.release.service import Service
from discreet.release.tokens import Actor


@pytest.fixture
def told(service: Service, analyst: Actor) -> Service:
    for request in ("A", "AB", "BC", "ABCDEF", "AB", "CDEF"):
        service.ask(analyst, "auto", list(request))
    assert audit(service.database).intact
    return service


def tamper(database: Database, *statements: tuple[str, tuple[object, ...]]) -> None:
    """Change the file behind the server's back, as someone with access to it could."""
    raw = sqlite3.connect(str(database.engine.url.database))
    for trigger in ("ledger_no_update", "ledger_no_delete"):
        raw.execute(f"DROP TRIGGER {trigger}")
    for statement, values in statements:
        assert raw.execute(statement, values).rowcount != 0
    raw.commit()
    raw.close()


def change(database: Database, table: str, column: str, edit: Callable[[str], str], where: str = "1=1") -> None:
    raw = sqlite3.connect(str(database.engine.url.database))
    (old,) = raw.execute(f"SELECT {column} FROM {table} WHERE {where}").fetchone()
    raw.close()
    assert edit(old) != old
    tamper(database, (f"UPDATE {table} SET {column} = ? WHERE {where}", (edit(old),)))


def test_the_ledger_refuses_changes(told: Service) -> None:
    raw = sqlite3.connect(str(told.database.engine.url.database))
    for statement in ("UPDATE ledger SET body = ''", "DELETE FROM ledger WHERE id = 3"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            raw.execute(statement)
    raw.close()


@pytest.mark.parametrize("sequence", range(1, 8))
def test_an_edited_entry_shows(told: Service, sequence: int) -> None:
    where = f"chain = 'dataset/auto' AND sequence = {sequence}"
    change(told.database, "ledger", "body", lambda body: body.replace('"who":"', '"who":"x'), where)
    assert any(f"entry {sequence}" in fault for fault in audit(told.database).faults)


@pytest.mark.parametrize("sequence", range(1, 8))
def test_a_deleted_entry_shows(told: Service, sequence: int) -> None:
    tamper(told.database, ("DELETE FROM ledger WHERE chain = 'dataset/auto' AND sequence = ?", (sequence,)))
    assert not audit(told.database).intact


def test_renumbering_after_a_deletion_shows(told: Service) -> None:
    tamper(
        told.database,
        ("DELETE FROM ledger WHERE chain = 'dataset/auto' AND sequence = 4", ()),
        ("UPDATE ledger SET sequence = sequence - 1 WHERE chain = 'dataset/auto' AND sequence > 4", ()),
        ("UPDATE chains SET length = length - 1 WHERE name = 'dataset/auto'", ()),
    )
    assert not audit(told.database).intact


def test_reordered_entries_show(told: Service) -> None:
    tamper(
        told.database,
        ("UPDATE ledger SET sequence = 99 WHERE chain = 'dataset/auto' AND sequence = 2", ()),
        ("UPDATE ledger SET sequence = 2 WHERE chain = 'dataset/auto' AND sequence = 3", ()),
        ("UPDATE ledger SET sequence = 3 WHERE chain = 'dataset/auto' AND sequence = 99", ()),
    )
    assert not audit(told.database).intact


def test_a_cut_end_shows_even_with_its_length(told: Service) -> None:
    tamper(
        told.database,
        ("DELETE FROM ledger WHERE chain = 'dataset/auto' AND sequence = 7", ()),
        ("UPDATE chains SET length = 6 WHERE name = 'dataset/auto'", ()),
    )
    assert not audit(told.database).intact


def test_a_rewritten_chain_is_betrayed_by_a_receipt(told: Service, analyst: Actor) -> None:
    receipt = told.ask(analyst, "auto", list("A")).entry
    assert audit(told.database, [receipt]).intact
    tamper(
        told.database,
        ("DELETE FROM ledger WHERE chain = 'dataset/auto' AND sequence = 8", ()),
        ("UPDATE chains SET length = 7 WHERE name = 'dataset/auto'", ()),
        (
            "UPDATE chains SET head = (SELECT hash FROM ledger WHERE chain = 'dataset/auto' AND sequence = 7) "
            "WHERE name = 'dataset/auto'",
            (),
        ),
    )
    assert audit(told.database).intact
    assert not audit(told.database, [receipt]).intact


def test_changed_counts_show(told: Service) -> None:
    def edit(packed: object) -> object:
        counts = unpack(packed)["counts"]  # type: ignore[arg-type]
        counts[0, 0, 0, 0, 0, 0] += 1
        return pack({"counts": counts})

    change(told.database, "datasets", "counts", edit)  # type: ignore[arg-type]
    assert any("counts are not those" in fault for fault in audit(told.database).faults)


def test_a_changed_policy_shows(told: Service) -> None:
    change(told.database, "datasets", "policy", lambda text: json.dumps({**json.loads(text), "w": 1}))
    assert any("policy" in fault for fault in audit(told.database).faults)


def test_a_changed_frontier_shows(told: Service) -> None:
    change(told.database, "states", "frontier", lambda text: json.dumps({**json.loads(text), "refused": []}))
    assert any("does not follow" in fault for fault in audit(told.database).faults)


def test_a_dataset_that_is_gone_shows(told: Service) -> None:
    tamper(
        told.database,
        ("DELETE FROM states", ()),
        ("DELETE FROM datasets", ()),
        ("DELETE FROM ledger WHERE chain = 'dataset/auto'", ()),
        ("DELETE FROM chains WHERE name = 'dataset/auto'", ()),
    )
    assert any("is gone" in fault for fault in audit(told.database).faults)


def test_a_promoted_token_shows(told: Service, people: dict[str, str]) -> None:
    tamper(told.database, ("UPDATE tokens SET role = 'custodian' WHERE name = 'analyst'", ()))
    assert any("token analyst" in fault for fault in audit(told.database).faults)


def test_the_command_says_so(told: Service, discreet: Callable[..., object], tmp_path: Path) -> None:
    url = str(told.database.engine.url)
    ran = discreet("ledger", "verify", "--database", url)
    assert (ran.code, "intact" in ran.err) == (0, True)  # type: ignore[attr-defined]
    change(told.database, "ledger", "hash", lambda text: text[::-1], "sequence = 2 AND chain = 'dataset/auto'")
    ran = discreet("ledger", "verify", "--database", url)
    assert (ran.code, "not intact" in ran.err) == (1, True)  # type: ignore[attr-defined]
