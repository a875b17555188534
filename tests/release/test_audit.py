"""`discreet ledger verify` on a database that somebody has tampered with."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from discreet.release import decision, engine
from discreet.release.audit import audit
from discreet.release.history import chain, store
from discreet.release.history.anchors import Anchor
from discreet.release.history.database import Database, open_database
from discreet.release.history.store import pack, unpack
from discreet.release.people.actor import Actor
from discreet.release.service import Service


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


@pytest.fixture
def open_question(told: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch) -> Service:
    """A margin left unresolved, asked again too early, tried again by a custodian, and one settled later."""
    with monkeypatch.context() as patched:
        flags = np.zeros(3, bool)
        patched.setattr(engine, "judge_widths", lambda *_: engine.Verdicts(flags, flags, "exact", {}))
        for limit in (None, None, 20.0):
            answer = told.ask(analyst, "auto", list("ABD"), limit=limit)
            assert (answer.answer, answer.ground) == ("refuse", "unresolved")
            assert answer.reason == told.ask(analyst, "auto", list("ABCDEF")).reason  # danger and doubt sound alike
        told.ask(analyst, "auto", list("ACD"))
    assert told.ask(analyst, "auto", list("ACD"), limit=30.0).answer == "release"
    state = told.current("auto").state
    assert [attempt.tries for attempt in state.unresolved.values()] == [2]
    assert Service(told.database).current("auto").state.unresolved == state.unresolved
    return told


def test_open_questions_follow_from_the_ledger(open_question: Service) -> None:
    assert audit(open_question.database).intact
    entries = [e.content for e in open_question.ledger("auto") if e.content.get("ground") == "unresolved"]
    assert [("attempt" in e, e.get("waiting"), e.get("limit")) for e in entries] == [
        (True, None, None), (False, True, None), (True, None, 20.0), (True, None, None),
    ]  # fmt: skip


@pytest.mark.parametrize("edited", ["{}", "later", "forgotten tries"])
def test_a_changed_open_question_shows(open_question: Service, edited: str) -> None:
    def edit(text: str) -> str:
        known = json.loads(text)
        for attempt in known.values():
            attempt["until"] += edited == "later"
            attempt["tries"] -= edited == "forgotten tries"
        return "{}" if edited == "{}" else json.dumps(known)

    change(open_question.database, "states", "unresolved", edit)
    assert any("unresolved does not follow" in fault for fault in audit(open_question.database).faults)


def test_a_try_before_its_time_shows(told: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not keep the pause is betrayed by its ledger."""
    flags = np.zeros(3, bool)
    monkeypatch.setattr(engine, "judge_widths", lambda *_: engine.Verdicts(flags, flags, "exact", {}))
    monkeypatch.setattr(decision, "waits", lambda *_: False)
    for _ in range(2):
        told.ask(analyst, "auto", list("ABD"))
    assert any("too early" in fault for fault in audit(told.database).faults)


def test_what_was_refused_for_good_before_tries_were_kept_still_is(told: Service) -> None:
    """Ledgers of the first version have entries with the ground "unresolved" and no try: they closed a frontier."""
    opened = told.current("auto")
    mask = opened.mask(list("ABD"))
    content = {"what": "answer", "who": "x", "variables": list("ABD"), "answer": "refuse", "ground": "unresolved"}
    with told.database.writing() as connection:
        store.append(connection, opened.stored.chain, {**content, "version": opened.state.version})
        after = replace(opened.state, frontier=opened.state.frontier.refuse(mask))
        store.save_state(connection, opened.stored.id, after, carried=False)
    assert audit(told.database).intact


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


def test_tokens_that_change_places_show(told: Service, people: dict[str, str]) -> None:
    """An analyst's secret with a custodian's name would open every door."""
    raw = sqlite3.connect(str(told.database.engine.url.database))
    found = dict(raw.execute("SELECT name, digest FROM tokens").fetchall())
    raw.close()
    tamper(
        told.database,
        ("UPDATE tokens SET digest = 'x' WHERE name = 'custodian'", ()),
        ("UPDATE tokens SET digest = ? WHERE name = 'analyst'", (found["custodian"],)),
        ("UPDATE tokens SET digest = ? WHERE name = 'custodian'", (found["analyst"],)),
    )
    assert len(audit(told.database).faults) == 2


def test_a_clock_that_was_set_back_is_noted(told: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    class Yesterday(datetime):
        @classmethod
        def now(cls, zone: object = None) -> datetime:  # type: ignore[override]
            return datetime(2020, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(chain, "datetime", Yesterday)
    told.ask(analyst, "auto", list("A"))
    monkeypatch.undo()
    told.ask(analyst, "auto", list("A"))
    found = audit(told.database)
    assert found.intact
    assert len(found.notes) == 1
    assert "dataset/auto, entry 8" in found.notes[0]


@pytest.mark.parametrize("content", ["[]", "{}", '{"what": 1}', "7", '"x"'])
def test_a_consistent_chain_of_nonsense_is_not_intact(told: Service, content: str) -> None:
    """Someone who can write the file can write hashes that fit."""
    raw = sqlite3.connect(str(told.database.engine.url.database))
    (length, head) = raw.execute("SELECT length, head FROM chains WHERE name = 'server'").fetchone()
    raw.close()
    body = content
    if content.startswith("{"):
        body = chain.canonical({**json.loads(content), "chain": "server", "sequence": length + 1})
    made = chain.digest(head, body)
    tamper(
        told.database,
        (
            "INSERT INTO ledger (chain, sequence, previous, body, hash) VALUES ('server', ?, ?, ?, ?)",
            (length + 1, head, body, made),
        ),
        ("UPDATE chains SET length = length + 1, head = ? WHERE name = 'server'", (made,)),
    )
    assert audit(told.database).intact is ('"what"' in body)  # an event of an unknown kind is none of our business


def test_an_earlier_head_is_still_a_beginning(told: Service, analyst: Actor) -> None:
    early = [Anchor(chain, length, head) for chain, (length, head) in audit(told.database).heads.items()]
    told.ask(analyst, "auto", list("A"))
    assert audit(told.database, anchors=early).intact
    forged = [replace(anchor, head=anchor.head[::-1]) for anchor in early]
    assert len(audit(told.database, anchors=forged).faults) == len(forged)


def test_verify_while_a_server_writes(told: Service, analyst: Actor) -> None:
    """Readers see one moment, so a chain never seems longer than its length."""
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            told.ask(analyst, "auto", list("A"))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(10):
            reader = open_database(str(told.database.engine.url), read_only=True)
            assert audit(reader).faults == ()
            reader.close()
    finally:
        stop.set()
        writer.join()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger SET sequence = 'x' WHERE chain = 'server' AND sequence = 1",
        "UPDATE ledger SET body = X'00ff' WHERE chain = 'server' AND sequence = 1",
        "UPDATE ledger SET body = NULL WHERE 1 = 0",
        "UPDATE ledger SET body = '" + "[" * 100_000 + "' WHERE chain = 'server' AND sequence = 1",
        "UPDATE chains SET length = 'many' WHERE name = 'server'",
        "UPDATE chains SET length = 'many' WHERE name = 'dataset/auto'",
        "DELETE FROM states",
        "UPDATE datasets SET variables = '[]'",
        "UPDATE datasets SET counts = X'504b0304'",
        "UPDATE tokens SET revoked = 'yesterday'",
        "DELETE FROM chains",
    ],
)
def test_whatever_is_put_there_is_a_fault_and_no_defect(
    told: Service, statement: str, people: dict[str, str], discreet: Callable[..., object]
) -> None:
    raw = sqlite3.connect(str(told.database.engine.url.database))
    raw.execute("DROP TRIGGER ledger_no_update")
    done = raw.execute(statement).rowcount
    raw.commit()
    raw.close()
    ran = discreet("ledger", "verify", "--database", told.database.engine.url)
    assert "defect" not in ran.err  # type: ignore[attr-defined]
    assert ran.code == (1 if done else 0)  # type: ignore[attr-defined]
