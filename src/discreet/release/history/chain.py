"""The ledger: entries chained by hashes, so that an edit, a deletion or a reordering shows.

    hash_n = SHA-256("discreet ledger 1" ‖ hash_{n−1} ‖ body_n),     hash_0 = 64 zeros

The body is canonical JSON: the chain's name, the number of the entry, the time, who, what was asked, what was answered
and on which ground, and 16 random bytes. Whoever receives an answer receives the entry's hash as a receipt; the random
bytes keep the hash from being used to guess the grounds, which only the custodian may read. The length and the hash of
the last entry are kept apart from the entries, so that cutting off the end shows too; and a receipt that is no longer
in the chain proves a rewrite to anyone who holds it.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

START = "0" * 64
SERVER = "server"


@dataclass(frozen=True)
class Entry:
    """One line of the ledger, as stored."""

    chain: str
    sequence: int
    previous: str
    body: str
    hash: str

    @property
    def content(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.body)
        return loaded


def digest(previous: str, body: str) -> str:
    return hashlib.sha256(f"discreet ledger 1\n{previous}\n{body}".encode()).hexdigest()


def canonical(content: Mapping[str, Any]) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def next_entry(chain: str, length: int, head: str, content: Mapping[str, Any]) -> Entry:
    """The entry that follows `head`, the last of `length` entries."""
    body = canonical(
        {
            **content,
            "chain": chain,
            "sequence": length + 1,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "salt": secrets.token_hex(16),
        }
    )
    return Entry(chain, length + 1, head, body, digest(head, body))


def chain_faults(chain: str, entries: Iterable[Entry], length: int, head: str) -> list[str]:
    """What is wrong with a chain, entry by entry; empty where it is intact."""
    faults: list[str] = []
    previous, number = START, 0
    for entry in entries:
        number += 1
        where = f"{chain}, entry {number}"
        if entry.sequence != number:
            faults.append(f"{where}: entry {entry.sequence} stands in its place; entries are missing or reordered")
            number = entry.sequence
        if entry.previous != previous:
            faults.append(f"{where}: does not follow the entry before it")
        if digest(entry.previous, entry.body) != entry.hash:
            faults.append(f"{where}: its content does not match its hash")
        faults += _content_faults(chain, entry, where)
        previous = entry.hash
    if number != length:
        faults.append(f"{chain}: ends at entry {number}, but {length} were written")
    elif previous != head:
        faults.append(f"{chain}: its last entry is not the one that was written last")
    return faults


def clock_steps(chain: str, entries: Iterable[Entry]) -> list[str]:
    """Where the time of an entry is before that of the one before it: a clock was set back, or machines disagree."""
    notes: list[str] = []
    before: datetime | None = None
    for entry in entries:
        try:
            at = datetime.fromisoformat(entry.content["at"])
            step = 0.0 if before is None else (before - at).total_seconds()
        except (KeyError, TypeError, ValueError):
            notes.append(f"{chain}, entry {entry.sequence}: bears no time")
            continue
        if step > 0:
            notes.append(f"{chain}, entry {entry.sequence}: bears a time {step:g} s before that of the entry before it")
        before = at
    return notes


def _content_faults(chain: str, entry: Entry, where: str) -> list[str]:
    try:
        content = entry.content
        if content["chain"] != chain or entry.chain != chain:
            return [f"{where}: belongs to another chain"]
        if content["sequence"] != entry.sequence:
            return [f"{where}: says that it is another entry"]
    except (ValueError, KeyError, TypeError):
        return [f"{where}: cannot be read"]
    return []
