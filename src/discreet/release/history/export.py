"""The whole ledger as one file that can be checked without the database: signed JSON lines.

    {"format": "discreet ledger export 1", "chains": {"server": [12, "9f0c…"], …}, "made": …, "who": …}
    {"chain": "server", "sequence": 1, "previous": "000…", "hash": …, "body": "…"}        one line per entry
    {"digest": …, "algorithm": "Ed25519", "public": "-----BEGIN PUBLIC KEY…", "signature": …}

`digest` is the SHA-256 of every byte before its line. What is signed is the text "discreet ledger export 1" and the
digest, a line each, so that a signature fits nothing else. Without a key there is a digest and no signature: chains can
still be followed, but anybody could have written them.

It holds who asked for what and the grounds of refusals, and no counts. Grounds are for custodians' eyes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

from discreet.errors import InputError
from discreet.release.history import keys, store
from discreet.release.history.anchors import Anchor, anchor_faults
from discreet.release.history.chain import SERVER, Entry, canonical, chain_faults
from discreet.release.history.database import Database

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

FORMAT = "discreet ledger export 1"
FIELDS = ("chain", "sequence", "previous", "hash", "body")


def export(database: Database, who: str, key: Ed25519PrivateKey | None = None) -> Iterator[bytes]:
    """The lines of the file. That it was made is entered into the ledger first, and is in it."""
    with database.writing() as connection:
        store.append(connection, SERVER, {"what": "ledger exported", "who": who, "signed": key is not None})
    digest = hashlib.sha256()
    with database.snapshot() as connection:
        heads = store.read_chains(connection)
        made = datetime.now(UTC).isoformat(timespec="seconds")
        chains = {chain: list(tip) for chain, tip in heads.items()}
        yield _hashed(digest, {"format": FORMAT, "made": made, "who": who, "chains": chains})
        for chain in heads:
            for entry in store.read_entries(connection, chain):
                yield _hashed(digest, {field: getattr(entry, field) for field in FIELDS})
    yield _line(_seal(digest.hexdigest(), key))


def check_export(
    file: IO[bytes], public: Ed25519PublicKey, anchors: Iterable[Anchor] = ()
) -> tuple[list[str], dict[str, tuple[int, str]]]:
    """What is wrong with an exported ledger, and its heads; `public` is the key that must have signed it."""
    digest = hashlib.sha256()
    faults: list[str] = []
    found: dict[str, list[Entry]] = {}
    heads: dict[str, tuple[int, str]] = {}
    seal: tuple[bytes, dict[str, Any]] | None = None
    for number, line in enumerate(file, start=1):
        content = _parsed(line, number)
        if number == 1:
            heads = _heads(content)
            found = {chain: [] for chain in heads}
        elif seal is not None:
            faults.append(f"line {number}: there is more after the end")
            break
        elif "digest" in content:
            seal = line, content
            continue
        else:
            entry = _entry(content, number)
            if entry.chain not in found:
                faults.append(f"line {number}: belongs to a chain that the first line does not name")
                continue
            found[entry.chain].append(entry)
        digest.update(line)
    if not heads:
        raise InputError("this is no export of a ledger: it names no chain")
    for chain, entries in found.items():
        faults += chain_faults(chain, entries, *heads[chain])
    faults += anchor_faults(anchors, found)
    return faults + _seal_faults(seal, digest.hexdigest(), public), heads


def _seal(digest: str, key: Ed25519PrivateKey | None) -> dict[str, Any]:
    if key is None:
        return {"digest": digest, "algorithm": None, "public": None, "signature": None}
    signature = base64.b64encode(key.sign(_message(digest))).decode()
    return {
        "digest": digest,
        "algorithm": keys.ALGORITHM,
        "public": keys.public_text(key.public_key()),
        "signature": signature,
    }


def _seal_faults(last: tuple[bytes, dict[str, Any]] | None, digest: str, public: Ed25519PublicKey) -> list[str]:
    if last is None:
        return ["the last line, with the digest, is missing"]
    (line, seal), faults = last, []
    if seal.get("digest") != digest:
        faults.append("the digest does not fit the lines before it")
    if seal.get("signature") is None:
        return [*faults, "it is not signed"]
    try:
        signature = base64.b64decode(seal["signature"], validate=True)
    except (ValueError, TypeError):
        return [*faults, "the signature cannot be read"]
    if seal.get("algorithm") != keys.ALGORITHM or not keys.signed_by(public, signature, _message(digest)):
        faults.append("the signature was not made with this key, or not for these lines")
    text = base64.b64encode(signature).decode()
    named = {"digest": digest, "algorithm": keys.ALGORITHM, "public": keys.public_text(public), "signature": text}
    if not faults and line != _line(named):
        faults.append("the last line was changed: it names another key, or is spelled otherwise")
    return faults


def _message(digest: str) -> bytes:
    return f"{FORMAT}\n{digest}\n".encode()


def _line(content: dict[str, Any]) -> bytes:
    return canonical(content).encode() + b"\n"


def _hashed(digest: Any, content: dict[str, Any]) -> bytes:
    line = _line(content)
    digest.update(line)
    return line


def _parsed(line: bytes, number: int) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or (number == 1 and content.get("format") != FORMAT):
        raise InputError(f"this is no export of a ledger: line {number} cannot be read")
    return content


def _heads(content: dict[str, Any]) -> dict[str, tuple[int, str]]:
    try:
        return {str(chain): (int(length), str(head)) for chain, (length, head) in content["chains"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError("this is no export of a ledger: the first line does not name the chains") from None


def _entry(content: dict[str, Any], number: int) -> Entry:
    if set(content) != set(FIELDS) or not isinstance(content["sequence"], int):
        raise InputError(f"this is no export of a ledger: line {number} is not an entry")
    texts = {field: str(content[field]) for field in FIELDS if field != "sequence"}
    return Entry(sequence=content["sequence"], **texts)
