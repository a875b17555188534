"""Restoring: everything comes back, between both databases, and never behind what has been told."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from backups import sealed
from release_tables import declared
from sqlalchemy import select

from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database, open_database
from discreet.release.history.models import Base
from discreet.release.policy import Policy
from discreet.release.running.backup_check import Backup, read_backup
from discreet.release.running.hold import Held, Told, resume
from discreet.release.running.readiness import schema_head
from discreet.release.running.restore import restore
from discreet.release.service import Service
from discreet.release.tokens import Actor, actor_of_token, create_token, revoke_token

Copy = Callable[[Database], Backup]
Place = Callable[[str, str], Database]
KINDS = ("sqlite", "postgresql")


def someone(database: Database, name: str = "nora") -> tuple[Actor, str]:
    token, _ = create_token(database, "analyst", name)
    actor = actor_of_token(database, token)
    assert actor is not None
    return actor, token


def content(database: Database) -> dict[str, list[Any]]:
    with database.reading() as connection:
        return {
            table.name: sorted(
                str([v.replace(tzinfo=None) if hasattr(v, "tzinfo") else v for v in row])
                for row in connection.execute(select(table))
            )
            for table in Base.metadata.sorted_tables
        }


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_everything_comes_back(source: str, target: str, place: Place, copy: Copy, auto: Table) -> None:
    old, new = place(source, f"old_{target}"), place(target, f"new_{source}")
    actor, token = someone(old)
    service = Service(old)
    service.add("custodian", "auto", auto, Policy())
    receipts = [service.ask(actor, "auto", list(v)).entry for v in ("AB", "ABCDEF", "A")]
    before = content(old)
    backup = copy(old)
    done = restore(new, "custodian", backup, receipts=receipts, complete=True)
    assert (done.held, done.lost.chains) == (False, {})
    after = content(new)
    assert {name: rows for name, rows in after.items() if name not in ("ledger", "chains")} == {
        name: rows for name, rows in before.items() if name not in ("ledger", "chains")
    }
    assert audit(new, receipts).faults == ()
    again = Service(new)
    known = actor_of_token(new, token)
    assert known is not None
    assert again.ask(known, "auto", ["A", "B"]).ground == "contained"
    assert again.ask(known, "auto", ["C"]).answer == "release"  # numbers of new rows follow on
    create_token(new, "analyst", "another")
    assert audit(new, receipts).faults == ()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_goes_back_behind_what_was_told(kind: str, place: Place, copy: Copy, auto: Table) -> None:
    database = place(kind, "forward")
    actor, _ = someone(database)
    Service(database).add("custodian", "auto", auto, Policy())
    backup = copy(database)
    # Nothing has happened since: it may be restored over itself, and decides at once.
    assert not restore(database, "custodian", backup).held
    again = copy(database)
    Service(database).ask(actor, "auto", ["A"])
    before = content(database)
    with pytest.raises(InputError, match="dataset/auto: the backup has 1 of 2 entries"):
        restore(database, "custodian", again)
    assert content(database) == before


def test_a_later_backup_continues_an_earlier_database(place: Place, copy: Copy, auto: Table) -> None:
    live, standby = place("sqlite", "live"), place("sqlite", "standby")
    actor, _ = someone(live)
    Service(live).add("custodian", "auto", auto, Policy())
    restore(standby, "custodian", copy(live), complete=True)
    Service(live).ask(actor, "auto", ["A"])
    # The standby has an entry of its own, "restored", which the next backup does not know.
    with pytest.raises(InputError, match="server"):
        restore(standby, "custodian", copy(live))


@pytest.mark.parametrize("kind", KINDS)
def test_a_forced_rollback_is_in_the_ledger_and_holds_decisions(
    kind: str, place: Place, copy: Copy, auto: Table
) -> None:
    database = place(kind, "back")
    actor, _ = someone(database)
    _, stolen = someone(database, "stolen")
    service = Service(database)
    service.add("custodian", "auto", auto, Policy(published=(("F",),)))
    backup = copy(database)
    lost_receipt = service.ask(actor, "auto", ["A", "B"]).entry
    service.ask(actor, "auto", list("ABCDEF"))
    revoke_token(database, "stolen")
    done = restore(database, "custodian", backup, receipts=[lost_receipt], rollback=True)
    assert done.held
    assert done.lost.chains["dataset/auto"] == (1, 3)
    assert done.lost.told == (Told("auto", ("A", "B")),)
    assert audit(database).faults == ()
    with database.reading() as connection:
        entries = [e.content for e in store.read_entries(connection, SERVER)]
    (said,) = [e for e in entries if e["what"] == "restored"]
    assert said["who"] == "custodian"
    assert said["lost"]["dataset/auto"] == [1, 3]
    assert said["missing receipts"] == [lost_receipt]
    assert said["heads"]["dataset/auto"] == list(backup.heads["dataset/auto"])
    assert actor_of_token(database, stolen) is None  # revoked since: it does not come back
    fresh = Service(database)
    assert fresh.ask(actor, "auto", ["F"]).ground == "contained"
    with pytest.raises(Held):
        fresh.ask(actor, "auto", ["A"])


def test_a_new_database_proves_nothing(place: Place, copy: Copy, auto: Table) -> None:
    old, new = place("sqlite", "old"), place("sqlite", "new")
    actor, _ = someone(old)
    Service(old).add("custodian", "auto", auto, Policy())
    assert restore(new, "custodian", copy(old)).held
    with pytest.raises(Held):
        Service(new).ask(actor, "auto", ["A"])


def test_receipts_must_be_in_it(place: Place, copy: Copy, auto: Table) -> None:
    old, new = place("sqlite", "old"), place("sqlite", "new")
    actor, _ = someone(old)
    Service(old).add("custodian", "auto", auto, Policy())
    backup = copy(old)
    late = Service(old).ask(actor, "auto", ["A"]).entry
    with pytest.raises(InputError, match=late):
        restore(new, "custodian", backup, receipts=[late])
    with new.reading() as connection:
        assert store.read_chains(connection)[SERVER][0] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_not_while_a_server_runs(kind: str, place: Place, copy: Copy, auto: Table) -> None:
    database = place(kind, "busy")
    backup = copy(database)
    other = open_database(database.engine.url.render_as_string(hide_password=False), create=True)
    with other.reading() as connection:
        connection.execute(select(1))
    with pytest.raises(InputError, match="in use"):
        restore(database, "custodian", backup)
    other.close()
    restore(database, "custodian", backup)


@pytest.mark.parametrize("kind", KINDS)
def test_the_ledger_stays_append_only(kind: str, place: Place, copy: Copy) -> None:
    from sqlalchemy import delete
    from sqlalchemy.exc import SQLAlchemyError

    from discreet.release.history.models import LedgerEntry

    database = place(kind, "append")
    restore(database, "custodian", copy(database))
    with pytest.raises(SQLAlchemyError, match="append-only"), database.writing() as connection:
        connection.execute(delete(LedgerEntry))


def test_a_backup_of_an_older_schema(place: Place, copy: Copy, auto: Table, tmp_path: Path) -> None:
    """Rows that know nothing of later columns and tables are brought up to date."""
    old, new = place("sqlite", "old"), place("sqlite", "new")
    token, _ = create_token(old, "analyst", "nora", who=None)  # type: ignore[arg-type]  # nobody was entered then
    actor = actor_of_token(old, token)
    assert actor is not None
    Service(old).add("custodian", "auto", auto, Policy())
    receipt = Service(old).ask(actor, "auto", ["A"]).entry
    later = {
        "datasets": {"codebook", "unit", "population", "predecessor"},
        "states": {"stage", "policy", "unresolved"},
        "tokens": {"expires", "issuer", "subject"},
    }
    first = {"datasets", "states", "synthetics", "chains", "ledger", "tokens"}
    lines = [json.loads(line) for line in gzip.decompress(copy(old).path.read_bytes()).splitlines()[:-1]]
    lines[0]["schema"] = "0001"
    kept = [lines[0]]
    for line in lines[1:]:
        if line["table"] in first:
            row = {k: v for k, v in line["row"].items() if k not in later.get(line["table"], ())}
            kept.append({"table": line["table"], "row": row})
    path = tmp_path / "old.backup"
    path.write_bytes(sealed([json.dumps(line).encode() + b"\n" for line in kept]))
    assert restore(new, "custodian", read_backup(path), receipts=[receipt]).held
    assert audit(new, [receipt]).faults == ()
    with new.reading() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == schema_head()
        assert connection.exec_driver_sql("SELECT stage FROM states").scalar() == "open"


def test_a_forged_state_is_not_restored(place: Place, copy: Copy, auto: Table, tmp_path: Path) -> None:
    """A seal that is right does not help: what is stored as released must follow from the ledger."""
    old, new = place("sqlite", "old"), place("sqlite", "new")
    Service(old).add("custodian", "auto", auto, Policy())
    lines = gzip.decompress(copy(old).path.read_bytes()).splitlines(keepends=True)[:-1]
    forged = [line.replace(b'released\\": []', b'released\\": [63]') for line in lines]
    assert forged != lines
    path = tmp_path / "forged.backup"
    path.write_bytes(sealed(forged))
    before = content(new)
    with pytest.raises(InputError, match="does not follow from its ledger"):
        restore(new, "custodian", read_backup(path), complete=True)
    assert content(new) == before


def test_lost_parts_are_named_as_parts(place: Place, copy: Copy) -> None:
    """What a rollback prints is what `resume` takes: a part comes back as the part it was."""
    database = place("sqlite", "parts")
    actor, _ = someone(database)
    service = Service(database)
    table = Table(("A", "B"), (("a", "b"), ("x", "y", "z")), np.array([[1, 8, 9], [7, 2, 6]]))
    hiding, rounding = Policy(otherwise="suppress"), Policy(otherwise="round", base=8)
    service.add("custodian", "hiding", table, hiding, codebook=declared(table))
    service.add("custodian", "rounding", table, rounding, codebook=declared(table), distinct=True)
    backup = copy(database)
    before = [service.ask(actor, name, ["A", "B"]).json for name in ("hiding", "rounding")]
    done = restore(database, "custodian", backup, rollback=True)
    assert sorted(map(str, done.lost.told)) == ["hiding=A:B=1,5", "rounding=A:B=round8"]
    resume(database, "custodian", done.lost.told)
    again = Service(database)
    assert [again.ask(actor, name, ["A", "B"]).json for name in ("hiding", "rounding")] == before
    assert audit(database).faults == ()
