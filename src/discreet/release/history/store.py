"""What the database keeps of datasets and decisions, and how the ledger is appended to.

Every function takes a connection, so that its caller says what belongs to one transaction.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Connection, bindparam, insert, select, update

from discreet.release.frontier import Frontier
from discreet.release.history.chain import START, Entry, next_entry
from discreet.release.history.models import Chain, Dataset, DatasetState, LedgerEntry, Synthetic
from discreet.release.policy import Policy

if TYPE_CHECKING:
    from discreet.release.engine import Carried, Ints, Table

NAME_RULE = "name must begin with a letter or digit, go on with letters, digits, '.', '_' or '-', and have at most 64"
NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"


# Statements of the hot path, built once.
_LOCK = select(Chain.length, Chain.head).where(Chain.name == bindparam("chain")).with_for_update()
_ENTRY = insert(LedgerEntry.__table__)  # type: ignore[arg-type]
_ADVANCE = (
    update(Chain).where(Chain.name == bindparam("chain")).values(length=bindparam("length"), head=bindparam("head"))
)


def is_name(text: str) -> bool:
    return re.fullmatch(NAME_PATTERN.strip("^$"), text) is not None


@dataclass(frozen=True)
class StoredDataset:
    id: int
    name: str
    table: Table
    policy: Policy
    digest: str
    created: datetime

    @property
    def chain(self) -> str:
        return chain_of(self.name)


@dataclass(frozen=True)
class StoredState:
    revision: int
    version: int
    frontier: Frontier
    carried: Carried


def chain_of(dataset: str) -> str:
    return f"dataset/{dataset}"


def add_dataset(connection: Connection, name: str, table: Table, policy: Policy, state: StoredState) -> int:
    """Insert a dataset with its first state and an empty chain; its number."""
    variables = [{"name": n, "categories": list(c)} for n, c in zip(table.names, table.categories)]
    row = insert(Dataset).values(
        name=name,
        variables=json.dumps(variables, ensure_ascii=False),
        policy=json.dumps(policy.to_dict()),
        counts=pack({"counts": table.dense()}),
        digest=table_digest(table),
        created=datetime.now(UTC),
    )
    done = connection.execute(row)
    assert done.inserted_primary_key is not None
    number = int(done.inserted_primary_key[0])
    connection.execute(
        insert(DatasetState).values(
            dataset_id=number,
            revision=state.revision,
            version=state.version,
            frontier=_frontier_text(state.frontier),
            carried=pack(state.carried),
        )
    )
    connection.execute(insert(Chain).values(name=chain_of(name), length=0, head=START))
    return number


def load_dataset(connection: Connection, name: str) -> StoredDataset | None:
    row = connection.execute(
        select(Dataset.id, Dataset.variables, Dataset.policy, Dataset.counts, Dataset.digest, Dataset.created).where(
            Dataset.name == name
        )
    ).first()
    if row is None:
        return None
    from discreet.release.engine import Table

    variables = json.loads(row.variables)
    table = Table(
        tuple(v["name"] for v in variables),
        tuple(tuple(v["categories"]) for v in variables),
        unpack(row.counts)["counts"],
    )
    return StoredDataset(
        row.id, name, table, Policy.from_mapping(json.loads(row.policy)), row.digest, _aware(row.created)
    )


def list_datasets(connection: Connection) -> list[tuple[str, list[dict[str, Any]]]]:
    """Name and variables of every dataset: all that may be told without looking at counts."""
    rows = connection.execute(select(Dataset.name, Dataset.variables).order_by(Dataset.name)).all()
    return [(row.name, json.loads(row.variables)) for row in rows]


def load_state(connection: Connection, dataset: int) -> StoredState:
    row = connection.execute(
        select(DatasetState.revision, DatasetState.version, DatasetState.frontier, DatasetState.carried).where(
            DatasetState.dataset_id == dataset
        )
    ).one()
    known = json.loads(row.frontier)
    frontier = Frontier(tuple(known["released"]), tuple(known["refused"]))
    return StoredState(row.revision, row.version, frontier, unpack(row.carried))


def load_revision(connection: Connection, dataset: int) -> int:
    return int(connection.execute(select(DatasetState.revision).where(DatasetState.dataset_id == dataset)).scalar_one())


def save_state(connection: Connection, dataset: int, state: StoredState, *, carried: bool) -> None:
    values: dict[str, Any] = {
        "revision": state.revision,
        "version": state.version,
        "frontier": _frontier_text(state.frontier),
    }
    if carried:
        values["carried"] = pack(state.carried)
    connection.execute(update(DatasetState).where(DatasetState.dataset_id == dataset).values(values))


def load_synthetic(connection: Connection, dataset: int, version: int) -> Ints | None:
    packed = connection.execute(
        select(Synthetic.counts).where(Synthetic.dataset_id == dataset, Synthetic.version == version)
    ).scalar_one_or_none()
    if packed is None:
        return None
    counts: Ints = unpack(packed)["counts"]
    return counts


def save_synthetic(connection: Connection, dataset: int, version: int, counts: Ints) -> None:
    connection.execute(insert(Synthetic).values(dataset_id=dataset, version=version, counts=pack({"counts": counts})))


def lock_chain(connection: Connection, chain: str) -> tuple[int, str]:
    """Length and last hash; until the transaction ends nobody else appends to this chain."""
    row = connection.execute(_LOCK, {"chain": chain}).one()
    return row.length, row.head


def append(connection: Connection, chain: str, content: Mapping[str, Any], tip: tuple[int, str] | None = None) -> Entry:
    """Add an entry to a chain, whose tip was locked or is locked now; it counts once the transaction is committed."""
    return append_all(connection, chain, [content], tip)[0]


def append_all(
    connection: Connection,
    chain: str,
    contents: Sequence[Mapping[str, Any]],
    tip: tuple[int, str] | None = None,
) -> list[Entry]:
    length, head = tip or lock_chain(connection, chain)
    entries: list[Entry] = []
    for content in contents:
        entry = next_entry(chain, length, head, content)
        entries.append(entry)
        length, head = entry.sequence, entry.hash
    connection.execute(_ENTRY, [asdict(entry) for entry in entries])
    connection.execute(_ADVANCE, {"chain": chain, "length": length, "head": head})
    return entries


def read_entries(
    connection: Connection,
    chain: str,
    *,
    after: int = 0,
    before: int | None = None,
    limit: int | None = None,
    latest: bool = False,
) -> Iterator[Entry]:
    """Entries of a chain in the order of the numbers they bear, or the last first."""
    order = LedgerEntry.sequence.desc() if latest else LedgerEntry.sequence
    query = (
        select(LedgerEntry.sequence, LedgerEntry.previous, LedgerEntry.body, LedgerEntry.hash)
        .where(LedgerEntry.chain == chain, LedgerEntry.sequence > after)
        .order_by(order, LedgerEntry.id)
    )
    if before is not None:
        query = query.where(LedgerEntry.sequence < before)
    if limit is not None:
        query = query.limit(limit)
    for row in connection.execute(query):
        yield Entry(chain, row.sequence, row.previous, row.body, row.hash)


def read_chains(connection: Connection) -> dict[str, tuple[int, str]]:
    rows = connection.execute(select(Chain.name, Chain.length, Chain.head).order_by(Chain.name)).all()
    return {row.name: (row.length, row.head) for row in rows}


def table_digest(table: Table) -> str:
    """SHA-256 of names, categories and counts."""
    head = json.dumps([list(table.names), [list(c) for c in table.categories]], ensure_ascii=False)
    counts = np.ascontiguousarray(table.dense(), "<i8")
    return hashlib.sha256(head.encode() + b"\0" + counts.tobytes()).hexdigest()


def pack(arrays: Mapping[str, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def unpack(packed: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _frontier_text(frontier: Frontier) -> str:
    return json.dumps({"released": list(frontier.released), "refused": list(frontier.refused)})


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
