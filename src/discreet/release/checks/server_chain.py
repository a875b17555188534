"""Do datasets and tokens stand in the database as the server's chain says?

Every dataset that was added is there with the chain it was opened with, and no other; tokens, roles, grants and
proposals are those that were entered (`people/record.py`), and a token still has the digest it was made with (by its
mark, so that two tokens cannot change places).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, select

from discreet.release.history import store
from discreet.release.history.chain import SERVER, Entry
from discreet.release.history.models import Token
from discreet.release.people.record import people_faults


def added(entries: Iterable[Entry]) -> list[str]:
    """Names of the datasets that the chain knows."""
    return [e.content["name"] for e in entries if e.content.get("what") == "dataset added"]


def server_faults(connection: Connection, found: Mapping[str, list[Entry]]) -> list[str]:
    entries = found[SERVER]
    return [*_dataset_faults(connection, found), *people_faults(connection, entries), *mark_faults(connection, entries)]


def _dataset_faults(connection: Connection, found: Mapping[str, list[Entry]]) -> list[str]:
    faults = []
    for entry in found[SERVER]:
        content = entry.content
        if content["what"] == "dataset added":
            entries = found.get(store.chain_of(content["name"]), [])
            if not entries or entries[0].hash != content["entry"]:
                faults.append(f"dataset {content['name']}: its ledger is missing or another one")
    stored = {name for name, _ in store.list_datasets(connection)}
    named = set(added(found[SERVER]))
    faults += [f"dataset {name}: is gone" for name in sorted(named - stored)]
    faults += [f"dataset {name}: was never added" for name in sorted(stored - named)]
    faults += [
        f"chain {chain}: belongs to no dataset"
        for chain in sorted(set(found) - {SERVER} - {store.chain_of(name) for name in named})
    ]
    return faults


def mark_faults(connection: Connection, entries: Iterable[Entry]) -> list[str]:
    """Whether each token still has the digest that was entered when it was made or the schema changed."""
    marks: dict[str, str] = {}
    for entry in entries:
        content = entry.content
        if content["what"] == "token created" and "mark" in content:
            marks[content["name"]] = content["mark"]
        elif content["what"] == "schema brought up to date":
            marks |= content["tokens"]
    found = {row.name: row.digest for row in connection.execute(select(Token.name, Token.digest))}
    return [
        f"token {name}: its digest is not the one it was made with"
        for name, mark in sorted(marks.items())
        if name in found and store.token_mark(found[name]) != mark
    ]
