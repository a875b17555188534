"""Heads of the chains as text, to be printed, posted or sent away: whoever holds an earlier one can prove a rewrite.

    discreet ledger heads, 2026-11-18T13:08:47+00:00
    server 12 9f0c…
    dataset/auto 7 52ab…

A line has the name of a chain, its number of entries and the hash of the last one, which depends on all before it. The
ledger still begins as it did if that entry still has that hash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from discreet.errors import Faults, InputError
from discreet.release.history.chain import START, Entry

TITLE = "discreet ledger heads"
_LINE = re.compile(r"(\S{1,80})\s+(\d{1,10})(?:\s+entries)?\s+([0-9a-f]{64})", re.ASCII)
LONGEST = 1 << 20


@dataclass(frozen=True)
class Anchor:
    """A chain as it once was: so many entries, the last with this hash."""

    chain: str
    length: int
    head: str


def heads_text(heads: Mapping[str, tuple[int, str]]) -> list[str]:
    """The lines to keep elsewhere."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return [f"{TITLE}, {now}", *(f"{chain} {length} {head}" for chain, (length, head) in heads.items())]


def parse_anchors(text: str) -> list[Anchor]:
    """Heads from a print, a post or a copy of what `ledger verify` said; `InputError` where a line makes no sense."""
    found: list[Anchor] = []
    faults = Faults()
    for number, line in enumerate(text[:LONGEST].splitlines(), start=1):
        words = line.strip()
        if not words or words.startswith((TITLE, "#")):
            continue
        match = _LINE.fullmatch(words)
        if faults.check(match is not None, f"line {number} of the anchor is not `chain, number of entries, hash`"):
            assert match is not None
            found.append(Anchor(match[1], int(match[2]), match[3]))
    faults.raise_if_any()
    if not found:
        raise InputError("the anchor names no chain: it should be what `discreet ledger head` printed")
    return found


def anchor_faults(anchors: Iterable[Anchor], found: Mapping[str, Sequence[Entry]]) -> list[str]:
    """Which anchors the chains no longer begin with."""
    faults = []
    for anchor in anchors:
        entries = found.get(anchor.chain)
        if entries is None:
            faults.append(f"{anchor.chain}: is gone, but an anchor has {anchor.length} entries of it")
        elif len(entries) < anchor.length:
            faults.append(f"{anchor.chain}: has {len(entries)} entries, but an anchor has {anchor.length}")
        elif (entries[anchor.length - 1].hash if anchor.length else START) != anchor.head:
            faults.append(f"{anchor.chain}: entry {anchor.length} is not the one that an anchor has")
    return faults
