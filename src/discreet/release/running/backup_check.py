"""Is a backup whole, and what does its ledger hold? Everything is checked before a single row is restored."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.errors import InputError
from discreet.release.history.chain import START, digest
from discreet.release.running.backup import FORMAT, read_lines
from discreet.release.running.readiness import schemas

HASH = re.compile(r"\b[0-9a-f]{64}\b")


@dataclass(frozen=True)
class Backup:
    """A backup that was read to its end and found intact. `hashes` has the entries of each chain, in order."""

    path: Path
    schema: str
    made: str
    digest: str
    heads: dict[str, tuple[int, str]]
    hashes: dict[str, list[str]]

    def missing(self, receipts: Iterable[str]) -> list[str]:
        """Those of the receipts that are not in its ledger."""
        known = {one for chain in self.hashes.values() for one in chain}
        return sorted(set(receipts) - known)


def read_backup(path: Path) -> Backup:
    """Check a backup from beginning to end; `InputError` where anything is wrong with it."""
    try:
        return _read(path)
    except OSError as error:
        if error.strerror is None:  # gzip's own
            raise _damaged(path) from None
        raise InputError(f"the backup {path} cannot be read: {error.strerror}") from None
    except (EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(path) from None


def _read(path: Path) -> Backup:
    hashed, header, end = hashlib.sha256(), dict[str, Any](), dict[str, Any]()
    counted: Counter[str] = Counter()
    hashes: dict[str, list[str]] = {}
    chains: dict[str, tuple[int, str]] = {}
    for number, (written, line) in enumerate(read_lines(path)):
        if end:
            raise _damaged(path)
        if number == 0:
            header = line
            if header.get("format") != FORMAT:
                raise InputError(f"{path} is not a backup that this version can read")
            if header["schema"] not in schemas():
                raise InputError(f"the backup {path} was made by a newer version: restore it with that one")
        elif "digest" in line:
            end = line
            continue
        else:
            counted[line["table"]] += 1
            if line["table"] == "ledger":
                _follow(path, hashes, line["row"])
            elif line["table"] == "chains":
                chains[line["row"]["name"]] = (line["row"]["length"], line["row"]["head"])
        hashed.update(written)
    if not end or end["digest"] != hashed.hexdigest() or {k: n for k, n in end["rows"].items() if n} != dict(counted):
        raise _damaged(path)
    heads = {name: (length, head) for name, (length, head) in header["heads"].items()}
    ends = {name: (len(hashes.get(name, [])), (hashes.get(name) or [START])[-1]) for name in chains}
    if not heads == chains == ends or set(hashes) - set(chains):
        raise _broken(path)
    return Backup(path, header["schema"], header["made"], end["digest"], heads, hashes)


def _follow(path: Path, hashes: dict[str, list[str]], row: dict[str, Any]) -> None:
    chain = hashes.setdefault(row["chain"], [])
    previous = chain[-1] if chain else START
    right = row["sequence"] == len(chain) + 1 and row["previous"] == previous
    if not right or digest(previous, row["body"]) != row["hash"]:
        raise _broken(path)
    chain.append(row["hash"])


def _broken(path: Path) -> InputError:
    return InputError(f"the backup {path} was made of a ledger that was not intact: `discreet ledger verify` says how")


def _damaged(path: Path) -> InputError:
    return InputError(f"the backup {path} is damaged or not complete: use another copy")


def hashes_in(path: Path) -> list[str]:
    """Every hash that a text names, such as one kept of what `discreet ledger verify` printed."""
    try:
        found = HASH.findall(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise InputError(f"the anchor {path} cannot be read as text") from None
    if not found:
        raise InputError(f"the anchor {path} names no hash")
    return found
