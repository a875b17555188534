"""Four eyes: a change waits until another custodian confirms it.

What waits is kept as it will be done, and the ledger has its digest, so that what is confirmed is what was proposed.
Confirming enters the confirmation, which claims the proposal, and then carries it out: of two who confirm together one
does, and a proposal whose carrying out fails waits again.

*Another* custodian is another person as far as the server can know. Two people of the sign-in service are two subjects.
A token that somebody made on the page "Access" was shown to its maker: it counts as the maker's own, and so do the
tokens made with it in turn. What cannot be known: whether one person holds two tokens made by the command, has two
accounts at the sign-in service, or can work on the database itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select, update

from discreet.errors import InputError
from discreet.release.history import store
from discreet.release.history.chain import SERVER, canonical
from discreet.release.history.database import Database
from discreet.release.history.models import Proposal, Token
from discreet.release.people.actor import CUSTODIAN, Actor
from discreet.release.people.expiry import aware
from discreet.release.people.record import content_digest

LOAD, POLICY = "load", "policy"
ABANDONED = timedelta(minutes=10)
CLAIMED, CONFIRMED = "claimed", "confirmed"


@dataclass(frozen=True)
class Pending:
    """A change that waits. `subject` is the dataset it is about."""

    number: int
    kind: str
    subject: str
    who: str
    created: datetime
    content: Mapping[str, Any]
    claimed: datetime | None


Carrier = Callable[[Database, Pending], None]


def propose(database: Database, who: str, kind: str, subject: str, content: Mapping[str, Any]) -> int:
    """Let a change wait for another custodian; its number. Only one of a kind waits for a dataset."""
    text = canonical(content)
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        if any(p.kind == kind and p.subject == subject for p in _waiting(connection)):
            raise InputError(f"a proposal ({kind}) for {subject!r} waits already: it must be settled first")
        made = connection.execute(
            insert(Proposal).values(kind=kind, subject=subject, content=text, who=who, created=datetime.now(UTC))
        )
        assert made.inserted_primary_key is not None
        number = int(made.inserted_primary_key[0])
        told = {"what": "proposal made", "who": who, "number": number, "kind": kind, "subject": subject}
        store.append(connection, SERVER, {**told, "digest": content_digest(text)})
    return number


def pending(database: Database, actor: Actor | None = None) -> list[Pending]:
    """What waits, the oldest first; for an actor what they may confirm or could if it were not their own."""
    with database.reading() as connection:
        found = _waiting(connection)
    return [one for one in found if actor is None or concerns(actor, one)]


def concerns(actor: Actor, proposal: Pending) -> bool:
    """New tables are for custodians of everything, changes of a dataset for its own."""
    if proposal.kind == LOAD:
        return actor.custodian
    return actor.role_for(proposal.subject) == CUSTODIAN


def confirm(database: Database, actor: Actor, number: int, carriers: Mapping[str, Carrier]) -> Pending:
    """Carry a proposal out, in the name of whoever made it; `carriers` does so for each kind."""
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        found = _find(connection, actor, number)
        if _root(connection, found.who) == _root(connection, actor.name):
            raise InputError(
                "another custodian must confirm this: you made it yourself, or one of you made the other's token"
            )
        if found.claimed is not None and datetime.now(UTC) - found.claimed < ABANDONED:
            raise InputError("this proposal is being carried out: look again in a moment")
        _settle(connection, number, CLAIMED, actor.name)
        _enter(connection, "proposal confirmed", actor.name, found)
    try:
        carriers[found.kind](database, found)
    except BaseException:
        with database.writing() as connection:
            store.lock_chain(connection, SERVER)
            _settle(connection, number, None, None)
            _enter(connection, "proposal not carried out", actor.name, found)
        raise
    with database.writing() as connection:
        _settle(connection, number, CONFIRMED, actor.name)
    return found


def same_person(database: Database, one: str, other: str) -> bool:
    """Whether these are one custodian, as far as the server can know."""
    with database.reading() as connection:
        return _root(connection, one) == _root(connection, other)


def reject(database: Database, actor: Actor, number: int) -> Pending:
    """Let a proposal be forgotten; whoever made it may do so too."""
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        found = _find(connection, actor, number)
        if found.claimed is not None and datetime.now(UTC) - found.claimed < ABANDONED:
            raise InputError("this proposal is being carried out: look again in a moment")
        _settle(connection, number, "rejected", actor.name)
        _enter(connection, "proposal rejected", actor.name, found)
    return found


def _enter(connection: Connection, what: str, who: str, found: Pending) -> None:
    told = {"what": what, "who": who, "number": found.number, "kind": found.kind, "subject": found.subject}
    store.append(connection, SERVER, {**told, "proposer": found.who})


def _find(connection: Connection, actor: Actor, number: int) -> Pending:
    for one in _waiting(connection):
        if one.number == number and concerns(actor, one):
            return one
    raise InputError(f"no proposal {number} waits; it may have been settled meanwhile")


def _waiting(connection: Connection) -> list[Pending]:
    open_ones = Proposal.outcome.is_(None) | (Proposal.outcome == CLAIMED)
    rows = connection.execute(select(Proposal.__table__).where(open_ones).order_by(Proposal.id)).all()
    return [
        Pending(
            row.id,
            row.kind,
            row.subject,
            row.who,
            aware(row.created),
            json.loads(row.content),
            aware(row.decided) if row.outcome == CLAIMED else None,
        )
        for row in rows
    ]


def _settle(connection: Connection, number: int, outcome: str | None, who: str | None) -> None:
    when = None if outcome is None else datetime.now(UTC)
    connection.execute(
        update(Proposal).where(Proposal.id == number).values(outcome=outcome, decided_by=who, decided=when)
    )


def _root(connection: Connection, name: str) -> str:
    """Who was the first to hold a token by which this one was made; the person, for people of a sign-in service."""
    seen = {name}
    while True:
        maker = connection.execute(select(Token.creator).where(Token.name == name)).scalar_one_or_none()
        known = maker is not None and connection.execute(select(Token.id).where(Token.name == maker)).first()
        if maker is None or not known or maker in seen:
            return name
        seen.add(maker)
        name = maker
