"""API tokens and the browser sessions begun with them.

A token is 256 random bits, shown once; the database keeps its SHA-256, which nobody can turn back (no slow hash is
needed: there is nothing to guess). Tokens are looked up on every request, so that revoking one, its expiry or a change
of its roles counts at once, and in its sessions too. A person who signs in elsewhere has a row without a usable token.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from discreet.errors import Faults, InputError
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Grant, Session, Token
from discreet.release.people import grants
from discreet.release.people.actor import COMMAND_LINE, CUSTODIAN, NOBODY, ROLES, SERVER_ITSELF, Actor
from discreet.release.people.expiry import aware

PREFIX = "discreet_"
SESSION_HOURS = 8

_PERSON = (Token.id, Token.name, Token.role, Token.expires, Grant.dataset, Grant.role.label("granted"))
_OF_TOKEN = (
    select(*_PERSON)
    .outerjoin(Grant, Grant.token_id == Token.id)
    .where(Token.digest == bindparam("digest"), Token.revoked.is_(None))
)
_OF_SESSION = (
    select(*_PERSON, Session.csrf)
    .join(Session, Session.token_id == Token.id)
    .outerjoin(Grant, Grant.token_id == Token.id)
    .where(Session.digest == bindparam("digest"), Session.expires > bindparam("now"), Token.revoked.is_(None))
)


@dataclass(frozen=True)
class TokenLine:
    """What is shown of a token or a person."""

    name: str
    role: str
    created: datetime
    revoked: datetime | None
    expires: datetime | None
    issuer: str | None
    subject: str | None
    grants: tuple[tuple[str, str], ...]

    @property
    def ended(self) -> bool:
        return self.revoked is not None or self.expired

    @property
    def expired(self) -> bool:
        end = self.revoked or datetime.now(UTC)
        return self.expires is not None and self.expires <= end

    @property
    def state(self) -> str:
        if self.expired:
            return f"expired {self.expires:%Y-%m-%d %H:%M}"
        if self.revoked is not None:
            return f"revoked {self.revoked:%Y-%m-%d %H:%M}"
        if self.role == NOBODY and not self.grants:
            return "no access"
        return "valid" if self.expires is None else f"expires {self.expires:%Y-%m-%d %H:%M}"


def create_token(
    database: Database,
    role: str,
    name: str | None = None,
    *,
    who: str = COMMAND_LINE,
    expires: datetime | None = None,
    only: Sequence[str] = (),
) -> tuple[str, str]:
    """A new token and its name; the token itself is nowhere kept. `only` names the datasets the role is for."""
    chosen = name if name is not None else f"{role}-{secrets.token_hex(3)}"
    faults = Faults()
    faults.check(role in ROLES, f"there is no role {role[:40]!r}; known are {', '.join(ROLES)}")
    faults.check(store.is_name(chosen), "a token's " + store.NAME_RULE)
    faults.raise_if_any()
    token = PREFIX + secrets.token_urlsafe(32)
    everywhere = NOBODY if only else role
    content: dict[str, Any] = {"what": "token created", "who": who, "name": chosen, "role": everywhere}
    if only:
        content["only"] = dict.fromkeys(only, role)
    if expires is not None:
        content["expires"] = expires.isoformat(timespec="seconds")
    try:
        with database.writing() as connection:
            store.lock_chain(connection, SERVER)
            grants.check_datasets(connection, list(only))
            if everywhere == CUSTODIAN and expires is not None and not grants.has_custodian(connection):
                raise InputError(grants.LAST)
            made = connection.execute(
                insert(Token).values(
                    name=chosen,
                    role=everywhere,
                    digest=_digest(token),
                    created=datetime.now(UTC),
                    expires=expires,
                    creator=who,
                )
            )
            assert made.inserted_primary_key is not None
            grants.insert_grants(connection, int(made.inserted_primary_key[0]), dict.fromkeys(only, role))
            store.append(connection, SERVER, {**content, "mark": store.token_mark(_digest(token))})
    except IntegrityError:
        raise InputError(f"there is already a token named {chosen!r}: names stay taken, choose another") from None
    return token, chosen


def revoke_token(database: Database, name: str, *, who: str = COMMAND_LINE) -> None:
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        found = grants.find(connection, name)
        grants.keep_a_custodian(connection, found)
        connection.execute(update(Token).where(Token.id == found.id).values(revoked=datetime.now(UTC)))
        grants.end_sessions(connection, found.id)
        store.append(connection, SERVER, {"what": "token revoked", "who": who, "name": name})


def list_tokens(database: Database) -> list[TokenLine]:
    """Every token and person, in the order in which they came."""
    columns = (Token.name, Token.role, Token.created, Token.revoked, Token.expires, Token.issuer, Token.subject)
    with database.reading() as connection:
        rows = connection.execute(select(Token.id, *columns).order_by(Token.id)).all()
        given = connection.execute(select(Grant.token_id, Grant.dataset, Grant.role).order_by(Grant.dataset)).all()
    held: dict[int, list[tuple[str, str]]] = {}
    for line in given:
        held.setdefault(line.token_id, []).append((line.dataset, line.role))
    return [
        TokenLine(
            row.name,
            row.role,
            aware(row.created),
            None if row.revoked is None else aware(row.revoked),
            None if row.expires is None else aware(row.expires),
            row.issuer,
            row.subject,
            tuple(held.get(row.id, [])),
        )
        for row in rows
    ]


def actor_of_token(database: Database, token: str) -> Actor | None:
    """Whose token it is; None where it is unknown, revoked or expired, or its access was taken away."""
    with database.reading() as connection:
        rows = connection.execute(_OF_TOKEN, {"digest": _digest(token)}).all()
    return _actor(database, rows)


def begin_session(database: Database, actor: Actor, *, by: str = "token", hours: float = SESSION_HOURS) -> str:
    """A new session's identifier, for the cookie; expired ones are removed on the way."""
    session, now = secrets.token_urlsafe(32), datetime.now(UTC)
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        connection.execute(delete(Session).where(Session.expires < now))
        connection.execute(
            insert(Session).values(
                digest=_digest(session),
                token_id=actor.id,
                csrf=secrets.token_urlsafe(32),
                expires=now + timedelta(hours=hours),
            )
        )
        store.append(connection, SERVER, {"what": "signed in", "who": actor.name, "by": by})
    return session


def end_session(database: Database, session: str, *, who: str) -> None:
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        connection.execute(delete(Session).where(Session.digest == _digest(session)))
        store.append(connection, SERVER, {"what": "signed out", "who": who})


def actor_of_session(database: Database, session: str) -> Actor | None:
    with database.reading() as connection:
        rows = connection.execute(_OF_SESSION, {"digest": _digest(session), "now": datetime.now(UTC)}).all()
    return _actor(database, rows, csrf=rows[0].csrf if rows else "")


def _actor(database: Database, rows: Sequence[Any], csrf: str = "") -> Actor | None:
    """Whoever the rows describe, one for each grant; None where there is no access."""
    if not rows:
        return None
    first = rows[0]
    if first.expires is not None and aware(first.expires) <= datetime.now(UTC):
        _enter_expiry(database, first.id, first.name)
        return None
    granted = tuple((row.dataset, row.granted) for row in rows if row.dataset is not None)
    if first.role == NOBODY and not granted:
        return None
    return Actor(first.id, first.name, first.role, csrf, granted)


def _enter_expiry(database: Database, token: int, name: str) -> None:
    """The first time that an expired token is used it is closed for good: a clock set back does not revive it."""
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        closing = update(Token).where(Token.id == token, Token.revoked.is_(None)).values(revoked=datetime.now(UTC))
        if connection.execute(closing).rowcount:
            grants.end_sessions(connection, token)
            store.append(connection, SERVER, {"what": "token expired", "who": SERVER_ITSELF, "name": name})


def same(one: str, other: str) -> bool:
    """Equality that takes the same time whatever the texts."""
    return secrets.compare_digest(one.encode(), other.encode())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
