"""What the database keeps of datasets and decisions, and how the ledger is appended to.

Every function takes a connection, so that its caller says what belongs to one transaction.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.orm import aliased

from discreet.release.frontier import Frontier
from discreet.release.history.chain import START, Entry, next_entry
from discreet.release.history.models import Chain, Dataset, DatasetState, LedgerEntry, Synthetic
from discreet.release.offers.partial import Partial
from discreet.release.policy import Policy
from discreet.release.unresolved import Unresolved, read_back, write_down

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
class Origin:
    """What a custodian says of a table beside its counts and its rule.

    `labels` has the labels of the declared categories of each variable that a codebook declares, in their order. A view
    names its table (`unit`) and says, per variable, of which one it is and which of its categories each category of
    that one falls into (`mapping`). `population` names the people, `predecessor` the edition before.
    """

    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unit: str | None = None
    mapping: Mapping[str, tuple[str, Sequence[int]]] = field(default_factory=dict)
    population: str | None = None
    predecessor: str | None = None


@dataclass(frozen=True)
class StoredDataset:
    """A dataset as it was loaded; `policy` is the rule it was opened with."""

    id: int
    name: str
    table: Table
    policy: Policy
    digest: str
    created: datetime
    origin: Origin = field(default_factory=Origin)

    @property
    def chain(self) -> str:
        return chain_of(self.name)


@dataclass(frozen=True)
class StoredState:
    """What has been decided; `policy` is the present rule where it is no longer the opening one."""

    revision: int
    version: int
    frontier: Frontier
    carried: Carried
    unresolved: Unresolved = field(default_factory=dict)
    stage: str = "open"
    policy: Policy | None = None


def chain_of(dataset: str) -> str:
    return f"dataset/{dataset}"


def add_dataset(
    connection: Connection, name: str, table: Table, policy: Policy, state: StoredState, origin: Origin | None = None
) -> int:
    """Insert a dataset with its first state and an empty chain; its number."""
    said = origin or Origin()
    row = insert(Dataset).values(
        name=name,
        variables=json.dumps(_variables(table, said), ensure_ascii=False),
        policy=json.dumps(policy.to_dict()),
        counts=pack({"counts": table.dense()}),
        digest=table_digest(table),
        created=datetime.now(UTC),
        codebook=json.dumps({n: list(v) for n, v in said.labels.items()}, ensure_ascii=False) if said.labels else None,
        unit=None if said.unit is None else dataset_id(connection, said.unit),
        population=said.population,
        predecessor=None if said.predecessor is None else dataset_id(connection, said.predecessor),
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
            stage=state.stage,
        )
    )
    connection.execute(insert(Chain).values(name=chain_of(name), length=0, head=START))
    return number


def dataset_id(connection: Connection, name: str) -> int | None:
    return connection.execute(select(Dataset.id).where(Dataset.name == name)).scalar_one_or_none()


def load_dataset(connection: Connection, name: str) -> StoredDataset | None:
    base, before = aliased(Dataset), aliased(Dataset)
    row = connection.execute(
        select(
            *(Dataset.id, Dataset.variables, Dataset.policy, Dataset.counts, Dataset.digest, Dataset.created),
            *(Dataset.codebook, Dataset.population, base.name.label("unit"), before.name.label("predecessor")),
        )
        .outerjoin(base, base.id == Dataset.unit)
        .outerjoin(before, before.id == Dataset.predecessor)
        .where(Dataset.name == name)
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
    mapping = {v["name"]: (v["of"], tuple(v["places"])) for v in variables if "of" in v}
    labels = {n: tuple(v) for n, v in json.loads(row.codebook or "{}").items()}
    return StoredDataset(
        row.id,
        name,
        table,
        Policy.from_mapping(json.loads(row.policy)),
        row.digest,
        _aware(row.created),
        Origin(labels, row.unit, mapping, row.population, row.predecessor),
    )


def list_datasets(connection: Connection) -> list[tuple[str, list[dict[str, Any]]]]:
    """Name and variables of every dataset."""
    rows = connection.execute(select(Dataset.name, Dataset.variables).order_by(Dataset.name)).all()
    return [(row.name, json.loads(row.variables)) for row in rows]


def list_descriptions(connection: Connection) -> list[dict[str, Any]]:
    """Of every dataset all but its counts; `released` and `stages` look at its table too."""
    base, before, state, shared = aliased(Dataset), aliased(Dataset), aliased(DatasetState), aliased(DatasetState)
    rows = connection.execute(
        select(
            *(Dataset.name, Dataset.variables, Dataset.codebook, Dataset.population, base.name.label("unit")),
            *(base.variables.label("base"), before.name.label("predecessor"), state.stage, shared.frontier),
            shared.stage.label("base_stage"),
        )
        .outerjoin(base, base.id == Dataset.unit)
        .outerjoin(before, before.id == Dataset.predecessor)
        .join(state, state.dataset_id == Dataset.id)
        .join(shared, shared.dataset_id == func.coalesce(Dataset.unit, Dataset.id))
        .order_by(Dataset.name)
    ).all()
    found = []
    for row in rows:
        names = [v["name"] for v in json.loads(row.base or row.variables)]
        masks = json.loads(row.frontier)["released"]
        found.append(
            {
                "name": row.name,
                "variables": json.loads(row.variables),
                "labels": json.loads(row.codebook or "{}"),
                "released": {name for a, name in enumerate(names) if any(mask >> a & 1 for mask in masks)},
                "stages": (row.stage, row.base_stage),
                **{key: getattr(row, key) for key in ("unit", "population", "predecessor")},
            }
        )
    return found


def load_state(connection: Connection, dataset: int) -> StoredState:
    row = connection.execute(
        select(
            DatasetState.revision,
            DatasetState.version,
            DatasetState.frontier,
            DatasetState.carried,
            DatasetState.unresolved,
            DatasetState.stage,
            DatasetState.policy,
        ).where(DatasetState.dataset_id == dataset)
    ).one()
    frontier = _read_frontier(row.frontier)
    policy = None if row.policy is None else Policy.from_mapping(json.loads(row.policy))
    tries = read_back(json.loads(row.unresolved))
    return StoredState(row.revision, row.version, frontier, unpack(row.carried), tries, row.stage, policy)


def load_revision(connection: Connection, dataset: int) -> int:
    return int(connection.execute(select(DatasetState.revision).where(DatasetState.dataset_id == dataset)).scalar_one())


def lock_states(connection: Connection, datasets: Sequence[int]) -> None:
    """Until the transaction ends nobody else who asks for this changes one of these states; taken before any chain."""
    found = select(DatasetState.revision).where(DatasetState.dataset_id.in_(sorted(datasets)))
    connection.execute(found.order_by(DatasetState.dataset_id).with_for_update()).all()


def move_on(connection: Connection, datasets: Sequence[int]) -> None:
    """Decisions on these datasets that are under way must be made again."""
    found = update(DatasetState).where(DatasetState.dataset_id.in_(datasets))
    connection.execute(found.values(revision=DatasetState.revision + 1))


def save_state(connection: Connection, dataset: int, state: StoredState, *, carried: bool) -> None:
    values: dict[str, Any] = {
        "revision": state.revision,
        "version": state.version,
        "frontier": _frontier_text(state.frontier),
        "unresolved": json.dumps(write_down(state.unresolved)),
        "stage": state.stage,
        "policy": None if state.policy is None else json.dumps(state.policy.to_dict()),
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
    holding: str | None = None,
) -> Iterator[Entry]:
    """Entries of a chain in the order of the numbers they bear, or the last first; those `holding` a text."""
    order = LedgerEntry.sequence.desc() if latest else LedgerEntry.sequence
    query = (
        select(LedgerEntry.sequence, LedgerEntry.previous, LedgerEntry.body, LedgerEntry.hash)
        .where(LedgerEntry.chain == chain, LedgerEntry.sequence > after)
        .order_by(order, LedgerEntry.id)
    )
    if before is not None:
        query = query.where(LedgerEntry.sequence < before)
    if holding is not None:
        query = query.where(LedgerEntry.body.contains(holding, autoescape=True))
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


def counts_digest(counts: Ints) -> str:
    """SHA-256 of the counts of a synthetic table."""
    return hashlib.sha256(np.ascontiguousarray(counts, "<i8").tobytes()).hexdigest()


def token_mark(digest: str) -> str:
    """What the ledger knows a token's digest by, so that two tokens cannot change places; of no use to get in."""
    return hashlib.sha256(f"discreet token\n{digest}".encode()).hexdigest()


def pack(arrays: Mapping[str, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def unpack(packed: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _variables(table: Table, origin: Origin) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name, levels in zip(table.names, table.categories):
        entry: dict[str, Any] = {"name": name, "categories": list(levels)}
        if name in origin.mapping:
            of, places = origin.mapping[name]
            entry |= {"of": of, "places": list(places)}
        found.append(entry)
    return found


def _frontier_text(frontier: Frontier) -> str:
    parts = [partial.to_dict() for partial in frontier.partials]
    kept = {"released": frontier.released, "refused": frontier.refused, "partials": parts, "bare": frontier.bare}
    return json.dumps(kept)


def _read_frontier(text: str) -> Frontier:
    known = json.loads(text)
    if len(known) == 2:  # written before margins were told in part
        known |= {"partials": (), "bare": ()}
    parts = tuple(Partial.from_dict(part) for part in known["partials"])
    return Frontier(tuple(known["released"]), tuple(known["refused"]), parts, tuple(known["bare"]))


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
