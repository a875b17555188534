"""`discreet ledger verify`: does the database still tell the history that was written?

Beyond the chains themselves (`history/chain.py`): every dataset is in the server's chain and every one named there
exists; a dataset's counts, variables and policy are those it was opened with; its frontiers are those that follow from
its entries; every margin that was answered is the one the entry fixed; and roles of tokens are those they were given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from discreet.release.decision import CONTAINED, FRONTIER
from discreet.release.frontier import Frontier, mask_of
from discreet.release.history import store
from discreet.release.history.chain import SERVER, Entry, chain_faults
from discreet.release.history.database import Database
from discreet.release.history.models import LedgerEntry, Token
from discreet.release.history.store import StoredDataset, StoredState
from discreet.release.open_dataset import OpenDataset


@dataclass(frozen=True)
class Audit:
    """`heads` has, per chain, the number of entries and the last hash: worth keeping elsewhere."""

    faults: tuple[str, ...]
    heads: dict[str, tuple[int, str]]

    @property
    def intact(self) -> bool:
        return not self.faults

    @property
    def entries(self) -> int:
        return sum(length for length, _ in self.heads.values())


def audit(database: Database, receipts: Iterable[str] = ()) -> Audit:
    """Check every chain; `receipts` are hashes that must be in one of them."""
    faults: list[str] = []
    wanted = set(receipts)
    with database.reading() as connection:
        heads = store.read_chains(connection)
        found: dict[str, list[Entry]] = {}
        for chain, (length, head) in heads.items():
            entries = list(store.read_entries(connection, chain))
            faults += chain_faults(chain, entries, length, head)
            wanted -= {entry.hash for entry in entries}
            found[chain] = entries
        if SERVER not in heads:
            faults.append("the server's own chain is missing")
        stray = set(connection.execute(select(LedgerEntry.chain).distinct()).scalars()) - set(heads)
        faults += [f"chain {chain}: has entries but no length" for chain in sorted(stray)]
        if not faults:
            faults += _server_faults(connection, found)
        if not faults:
            for name in _names(found[SERVER]):
                faults += _dataset_faults(connection, name, found[store.chain_of(name)])
    faults += [f"the receipt {receipt[:64]} is not in the ledger" for receipt in sorted(wanted)]
    return Audit(tuple(faults), heads)


def _names(entries: Iterable[Entry]) -> list[str]:
    return [e.content["name"] for e in entries if e.content.get("what") == "dataset added"]


def _server_faults(connection: Connection, found: dict[str, list[Entry]]) -> list[str]:
    faults = []
    roles: dict[str, str] = {}
    revoked: set[str] = set()
    for entry in found[SERVER]:
        content = entry.content
        if content["what"] == "token created":
            roles[content["name"]] = content["role"]
        elif content["what"] == "token revoked":
            revoked.add(content["name"])
        elif content["what"] == "dataset added":
            entries = found.get(store.chain_of(content["name"]), [])
            if not entries or entries[0].hash != content["entry"]:
                faults.append(f"dataset {content['name']}: its ledger is missing or another one")
    stored = {name for name, _ in store.list_datasets(connection)}
    named = set(_names(found[SERVER]))
    faults += [f"dataset {name}: is gone" for name in sorted(named - stored)]
    faults += [f"dataset {name}: was never added" for name in sorted(stored - named)]
    faults += [
        f"chain {chain}: belongs to no dataset"
        for chain in sorted(set(found) - {SERVER} - {store.chain_of(name) for name in named})
    ]
    tokens = {row.name: row for row in connection.execute(select(Token.name, Token.role, Token.revoked))}
    for name in sorted(set(tokens) | set(roles)):
        row = tokens.get(name)
        if row is None or roles.get(name) != row.role or (row.revoked is not None) != (name in revoked):
            faults.append(f"token {name}: is not as the ledger says")
    return faults


def _dataset_faults(connection: Connection, name: str, entries: list[Entry]) -> list[str]:
    stored = store.load_dataset(connection, name)
    if stored is None:
        return []
    opening = entries[0].content
    faults = []
    if store.table_digest(stored.table) != opening["table"] or stored.digest != opening["table"]:
        faults.append(f"dataset {name}: its counts are not those it was opened with")
    if stored.policy.to_dict() != opening["policy"]:
        faults.append(f"dataset {name}: its policy is not the one it was opened with")
    if faults:
        return faults
    state = store.load_state(connection, stored.id)
    return _replay(connection, stored, state, entries[1:])


def _replay(connection: Connection, stored: StoredDataset, state: StoredState, entries: Iterable[Entry]) -> list[str]:
    """Follow the entries and compare where they lead with what is stored."""
    faults = []
    frontier = Frontier()
    forget = stored.policy.mode == "simulatable"
    for margin in stored.policy.published:
        frontier = frontier.release(mask_of(stored.table.axes(margin)))
    opened = OpenDataset(stored, replace(state, frontier=frontier))
    for entry in entries:
        content = entry.content
        mask = opened.mask(content["variables"])
        if content["answer"] == "release":
            digest = opened.margin(mask)[2]
            if content["ground"] == CONTAINED and not frontier.covers(mask):
                faults.append(f"dataset {stored.name}, entry {entry.sequence}: was not contained in a release")
            frontier = frontier.release(mask, forget_refusals=forget)
        elif content["ground"] != FRONTIER:
            frontier = frontier.refuse(mask)
        if content.get("total released"):
            frontier = frontier.release(0)
        if content["answer"] == "simulate":
            counts = store.load_synthetic(connection, stored.id, content["version"])
            digest = "" if counts is None else opened.margin(mask, counts, content["version"])[2]
        if content["answer"] != "refuse" and digest != content["margin"]:
            faults.append(f"dataset {stored.name}, entry {entry.sequence}: the counts told are not those stored")
    if frontier != state.frontier:
        faults.append(f"dataset {stored.name}: what is stored as released or refused does not follow from its ledger")
    return faults
