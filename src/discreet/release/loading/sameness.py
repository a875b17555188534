"""Is this table here already, under another name? Keyed digests of its margins tell.

The digest of a margin is a function of what does not change when variables or categories are renamed or reordered: the
sorted counts that are not zero, and those of each variable by itself, sorted likewise.

    digest(m) = HMAC-SHA-256(key, sorted counts of m ‖ sorted list of the sorted counts of m's variables)

Equal margins have equal digests. Margins with equal digests may differ: then a custodian is asked in vain, and says so.
All margins are digested up to `MAX_MARGINS` of them, the total first, then by size; and the whole table. Tables of the
same records, however many variables were dropped or categories merged, have the same total at least: no copy escapes.
A part of the records has other counts everywhere, and cannot be seen: a population says that two tables are about the
same people.

The key stays in the database, beside the counts: the digests alone, as in an export, tell nothing of them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from discreet.release.engine import Table
from discreet.release.history import store
from discreet.release.history.models import Dataset, MarginDigest, Setting

KEY = "digest key"
MAX_MARGINS = 512
MAX_WORK = 1 << 27  # cells that are read for all margins but the total and the whole table


@dataclass(frozen=True)
class Match:
    """A dataset that shares the total, and what else: how many margins of at least one variable, and the wholes.

    `whole` says that the new table is a margin of it (or it itself), `part` that it is a margin of the new table.
    """

    name: str
    unit: str | None
    margins: int
    whole: bool
    part: bool

    def sentence(self) -> str:
        if self.whole and self.part:
            return f"it has the counts of {self.name}"
        if self.whole:
            return f"its counts are a margin of {self.name}"
        if self.part:
            return f"{self.name} is a margin of it"
        if self.margins:
            return f"it shares {self.margins} margins with {self.name}"
        return f"it has as many people as {self.name}"


def digest_margins(table: Table, key: bytes) -> dict[tuple[int, ...], str]:
    """Digests of the margins that are compared, by their axes."""
    counts = table.dense()
    alone = [np.sort(_positive(_sum(counts, (axis,)))) for axis in range(counts.ndim)]
    found = {}
    for axes in _compared(counts.shape):
        body = hmac.new(key, digestmod=hashlib.sha256)
        parts = sorted(alone[axis].astype("<i8").tobytes() for axis in axes)
        for part in (np.sort(_positive(_sum(counts, axes))).astype("<i8").tobytes(), *parts):
            body.update(len(part).to_bytes(8, "little") + part)
        found[axes] = body.hexdigest()
    return found


def load_key(connection: Connection) -> bytes:
    """The key of this database; made when it is first needed.

    Until the transaction ends nobody else loads it, so that tables are compared one after the other.
    """
    wanted = select(Setting.value).where(Setting.name == KEY)
    if connection.execute(wanted).first() is None:
        try:
            with connection.begin_nested():
                connection.execute(insert(Setting).values(name=KEY, value=secrets.token_hex(32)))
        except IntegrityError:  # another process was faster
            pass
    return bytes.fromhex(connection.execute(wanted.with_for_update()).scalar_one())


def save_digests(connection: Connection, dataset: int, table: Table, digests: dict[tuple[int, ...], str]) -> None:
    rows = [
        {"dataset_id": dataset, "margin": json.dumps([table.names[a] for a in axes]), "digest": digest}
        for axes, digest in digests.items()
    ]
    connection.execute(insert(MarginDigest), rows)


def find_same(connection: Connection, digests: dict[tuple[int, ...], str], key: bytes) -> list[Match]:
    """The datasets that share the total with a table of these digests; those with most in common first."""
    _digest_the_others(connection, key)
    axes_by_digest: dict[str, int] = {}
    for axes, digest in digests.items():
        axes_by_digest[digest] = max(len(axes), axes_by_digest.get(digest, 0))
    size = max(map(len, digests))
    rows = connection.execute(
        select(MarginDigest.dataset_id, MarginDigest.margin, MarginDigest.digest).where(
            MarginDigest.digest.in_(list(axes_by_digest))
        )
    ).all()
    shared: dict[int, list[tuple[int, str]]] = {}
    for row in rows:
        shared.setdefault(row.dataset_id, []).append((len(json.loads(row.margin)), row.digest))
    found = []
    for number, margins in shared.items():
        if not any(length == 0 for length, _ in margins):
            continue
        name, unit, variables = _described(connection, number)
        whole = any(axes_by_digest[digest] == size for _, digest in margins)
        part = any(length == variables for length, _ in margins)
        found.append(Match(name, unit, sum(length > 0 for length, _ in margins), whole, part))
    return sorted(found, key=lambda match: (-match.whole, -match.part, -match.margins, match.name))


def digest_faults(connection: Connection, stored: store.StoredDataset, made: bool) -> list[str]:
    """Whether the digests that are kept of a table are its own: with others a copy of it would not be recognized.

    `made` says that the ledger has them as made when the table was loaded: then none may be gone.
    """
    query = select(MarginDigest.margin, MarginDigest.digest).where(MarginDigest.dataset_id == stored.id)
    kept = {row.margin: row.digest for row in connection.execute(query)}
    if not kept and not made:  # loaded by an earlier version: they are made when the next table comes
        return []
    key = connection.execute(select(Setting.value).where(Setting.name == KEY)).scalar_one_or_none()
    true = {} if key is None else digest_margins(stored.table, bytes.fromhex(key))
    named = {json.dumps([stored.table.names[a] for a in axes]): digest for axes, digest in true.items()}
    return [] if kept == named else [f"dataset {stored.name}: the digests of its margins are not those of its counts"]


def _described(connection: Connection, number: int) -> tuple[str, str | None, int]:
    """Name, the name of the table it is a view of, and how many variables it has."""
    row = connection.execute(select(Dataset.name, Dataset.unit, Dataset.variables).where(Dataset.id == number)).one()
    unit = None
    if row.unit is not None:
        unit = connection.execute(select(Dataset.name).where(Dataset.id == row.unit)).scalar_one()
    return row.name, unit, len(json.loads(row.variables))


def _digest_the_others(connection: Connection, key: bytes) -> None:
    """Datasets of a time when nothing was digested."""
    known = select(MarginDigest.dataset_id)
    for name in connection.execute(select(Dataset.name).where(Dataset.id.not_in(known))).scalars().all():
        stored = store.load_dataset(connection, name)
        if stored is not None:
            save_digests(connection, stored.id, stored.table, digest_margins(stored.table, key))


def _compared(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The total, margins from small to large while they are few and cheap, and the whole table."""
    whole = tuple(range(len(shape)))
    yield ()
    margins, work = 1, 0
    for size in range(1, len(shape)):
        for axes in combinations(whole, size):
            work += prod(shape)
            if margins >= MAX_MARGINS or work > MAX_WORK:
                break
            margins += 1
            yield axes
    if shape:
        yield whole


def _sum(counts: np.ndarray, axes: Iterable[int]) -> np.ndarray:
    kept = set(axes)
    return np.asarray(counts.sum(axis=tuple(a for a in range(counts.ndim) if a not in kept))).reshape(-1)


def _positive(counts: np.ndarray) -> np.ndarray:
    return counts[counts > 0]
