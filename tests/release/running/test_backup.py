"""A backup holds everything as it was at one moment, while others write; its format is read by a second reader here."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.history.models import Base
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.running.backup import write_backup
from discreet.release.running.backup_check import Backup, read_backup
from discreet.release.service import Service

Copy = Callable[[Database], Backup]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def test_every_row_is_in_it(database: Database, analyst: Actor, service: Service, copy: Copy) -> None:
    service.ask(analyst, "auto", ["A", "B"])
    service.ask(analyst, "auto", list("ABCDEF"))
    backup = copy(database)
    found: dict[str, list[dict[str, Any]]] = {}
    for line in lines(backup.path)[1:-1]:
        found.setdefault(line["table"], []).append(line["row"])
    with database.reading() as connection:
        for table in Base.metadata.sorted_tables:
            rows = [dict(row) for row in connection.execute(select(table)).mappings()]
            told = found.get(table.name, [])
            assert len(told) == (0 if table.name == "sessions" else len(rows))
            for plain, row in zip(sorted(told, key=str), sorted(rows, key=str)):
                assert set(plain) == set(row)
    (dataset,) = found["datasets"]
    with database.reading() as connection:
        kept = connection.execute(select(Base.metadata.tables["datasets"])).mappings().one()
    assert base64.b64decode(dataset["counts"]["bytes"]) == kept["counts"]
    assert datetime.fromisoformat(dataset["created"]["moment"]).replace(tzinfo=None) == kept["created"]


def test_it_says_what_it_holds(database: Database, service: Service, copy: Copy) -> None:
    backup = copy(database)
    data = gzip.decompress(backup.path.read_bytes()).splitlines(keepends=True)
    end = json.loads(data[-1])
    assert end["digest"] == hashlib.sha256(b"".join(data[:-1])).hexdigest() == backup.digest
    header = json.loads(data[0])
    assert {name: tuple(head) for name, head in header["heads"].items()} == backup.heads
    last = [
        line["row"] for line in lines(backup.path) if line.get("table") == "ledger" and line["row"]["chain"] == "server"
    ]
    content = json.loads(last[-1]["body"])
    assert (content["what"], content["who"]) == ("backup made", "custodian")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_one_moment_while_others_write(kind: str, place: Callable[..., Database], auto: Table, tmp_path: Path) -> None:
    from discreet.release.tokens import actor_of_token, create_token

    database = place(kind, "moment")
    actor = actor_of_token(database, create_token(database, "analyst")[0])
    assert actor is not None
    service = Service(database)
    service.add("custodian", "auto", auto, Policy(published=(("A", "B"),)))
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            service.ask(actor, "auto", ["A"])

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    lengths: list[int] = []
    try:
        # On a busy machine the writers may not come to write between the first few.
        while len(lengths) < 8 or (lengths[-1] == lengths[0] and len(lengths) < 200):
            file = tmp_path / f"{len(lengths)}.backup"
            write_backup(database, "custodian", file)
            lengths.append(read_backup(file).heads["dataset/auto"][0])
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert lengths == sorted(lengths)
    assert lengths[-1] > lengths[0]
