"""Files that were sent and wait for a custodian's word: sent, looked at, changed, confirmed or discarded.

A draft is seen by custodians only. Its file is as confidential as the table: it leaves the database when the draft is
confirmed or discarded, and after `DAYS` at the latest. Every step is entered in the server's chain, with who took it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from discreet.errors import InputError
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Dataset, Draft
from discreet.release.loading.choices import Choices
from discreet.release.loading.register import NewDataset, enter_dataset, taken_name
from discreet.release.policy import Policy

DAYS = 14
MOST = 50


class UnknownDraft(InputError):
    """There is no draft of this name."""


@dataclass(frozen=True)
class Intent:
    """Everything a custodian has chosen for a draft: how to read the file, the policy, how it relates to others."""

    choices: Choices = field(default_factory=Choices)
    policy: Policy = field(default_factory=Policy)
    codebook: str | None = None
    same_as: str | None = None
    distinct: bool = False
    population: str | None = None
    predecessor: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "choices": self.choices.to_dict(),
            "policy": self.policy.to_dict(),
            "codebook": self.codebook,
            "same_as": self.same_as,
            "distinct": self.distinct,
            "population": self.population,
            "predecessor": self.predecessor,
        }

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> Intent:
        rest = {key: value for key, value in given.items() if key not in ("choices", "policy")}
        return cls(Choices.from_mapping(given["choices"]), Policy.from_mapping(given["policy"]), **rest)


@dataclass(frozen=True)
class StoredDraft:
    """`preview` is what the file held under the plan, as it was shown."""

    name: str
    who: str
    created: datetime
    suffix: str
    plan: Intent
    preview: dict[str, Any]

    @property
    def expires(self) -> datetime:
        return self.created + timedelta(days=DAYS)


def send(database: Database, who: str, name: str, data: bytes, suffix: str, plan: Intent, preview: Any) -> None:
    """Keep a file as a draft under the name that the dataset is to have."""
    if not store.is_name(name):
        raise InputError("a dataset's " + store.NAME_RULE)
    expire(database)
    row = {
        "name": name,
        "who": who,
        "created": datetime.now(UTC),
        "suffix": suffix,
        "data": data,
        "choices": _text(plan, preview),
    }
    try:
        with database.writing() as connection:
            if connection.execute(select(Dataset.id).where(Dataset.name == name)).first() is not None:
                raise taken_name(name)
            if connection.execute(select(func.count()).select_from(Draft)).scalar_one() >= MOST:
                raise InputError(f"there are {MOST} drafts already: confirm or discard some first")
            connection.execute(insert(Draft).values(row))
            _note(connection, "draft sent", who, name)
    except IntegrityError:
        raise InputError(f"there is already a draft named {name!r}: settle that one, or choose another name") from None


def change(database: Database, who: str, draft: StoredDraft, plan: Intent, preview: Any) -> StoredDraft:
    """Keep other choices for a draft, which is then of whoever made them."""
    with database.writing() as connection:
        _check_same_file(connection, draft)
        values = {"choices": _text(plan, preview), "who": who}
        done = connection.execute(update(Draft).where(Draft.name == draft.name).values(values))
        if not done.rowcount:
            raise _unknown()
        _note(connection, "draft changed", who, draft.name)
    return replace(draft, who=who, plan=plan, preview=preview)


def load(database: Database, name: str) -> StoredDraft:
    """A draft without its file."""
    found = [draft for draft in list_drafts(database, name) if draft.name == name]
    if not found:
        raise _unknown()
    return found[0]


def load_data(database: Database, name: str) -> bytes:
    with database.reading() as connection:
        data = connection.execute(select(Draft.data).where(Draft.name == name)).scalar_one_or_none()
    if data is None:
        raise _unknown()
    return bytes(data)


def list_drafts(database: Database, name: str | None = None) -> list[StoredDraft]:
    """The drafts that wait, the latest first."""
    query = select(Draft.name, Draft.who, Draft.created, Draft.suffix, Draft.choices).order_by(Draft.id.desc())
    if name is not None:
        query = query.where(Draft.name == name)
    with database.reading() as connection:
        rows = connection.execute(query).all()
    found = []
    for row in rows:
        told = json.loads(row.choices)
        plan = Intent.from_mapping(told["plan"])
        found.append(StoredDraft(row.name, row.who, _in_utc(row.created), row.suffix, plan, told["preview"]))
    return found


def confirm(database: Database, who: str, draft: StoredDraft, new: NewDataset) -> None:
    """The draft becomes a dataset and its file is removed, in one transaction; not if it has changed meanwhile."""
    try:
        with database.writing() as connection:
            text = _check_same_file(connection, draft)
            if json.loads(text)["plan"] != draft.plan.to_dict():
                raise InputError("someone has changed the draft meanwhile: look at it again")
            if not _remove(connection, draft.name):
                raise _unknown()
            _note(connection, "draft confirmed", who, draft.name)
            enter_dataset(connection, who, new)
    except IntegrityError:
        raise taken_name(draft.name) from None
    database.tidy()


def discard(database: Database, who: str, name: str) -> None:
    """Remove a draft and its file."""
    with database.writing() as connection:
        if not _remove(connection, name):
            raise _unknown()
        _note(connection, "draft discarded", who, name)
    database.tidy()


def expire(database: Database) -> int:
    """Remove what nobody has settled in time; how many."""
    before = datetime.now(UTC) - timedelta(days=DAYS)
    with database.reading() as connection:
        late = connection.execute(select(Draft.id).where(Draft.created < before)).first() is not None
    if not late:
        return 0
    with database.writing() as connection:
        names = connection.execute(select(Draft.name).where(Draft.created < before)).scalars().all()
        for name in names:
            _remove(connection, name)
            _note(connection, "draft expired", "server", name)
    database.tidy()
    return len(names)


def _check_same_file(connection: Connection, draft: StoredDraft) -> str:
    """What is kept of a draft; an error where another file was sent under its name since it was looked at."""
    row = connection.execute(select(Draft.choices, Draft.created).where(Draft.name == draft.name)).one_or_none()
    if row is None:
        raise _unknown()
    if _in_utc(row.created) != draft.created:
        raise InputError("someone has sent another file under this name meanwhile: look at it again")
    return str(row.choices)


def _in_utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _remove(connection: Connection, name: str) -> bool:
    return connection.execute(delete(Draft).where(Draft.name == name)).rowcount > 0


def _note(connection: Connection, what: str, who: str, name: str) -> None:
    store.append(connection, SERVER, {"what": what, "who": who, "name": name})


def _text(plan: Intent, preview: Any) -> str:
    return json.dumps({"plan": plan.to_dict(), "preview": preview}, ensure_ascii=True)


def _unknown() -> UnknownDraft:
    return UnknownDraft("there is no draft of this name: it was confirmed, discarded or has expired")
