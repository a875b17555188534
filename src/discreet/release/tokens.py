"""Who may do what: API tokens, their roles, and browser sessions begun with a token.

A token is 256 random bits, shown once; the database keeps its SHA-256, which nobody can turn back (no slow hash is
needed: there is nothing to guess). Tokens are looked up on every request, so revoking one ends it at once, and with it
the sessions that were begun with it.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, get_args

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from discreet.errors import Faults, InputError
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Session, Token

Role = Literal["custodian", "analyst"]
CUSTODIAN: Final = "custodian"
ANALYST: Final = "analyst"
ROLES = get_args(Role)
PREFIX = "discreet_"
SESSION_HOURS = 8


_OF_TOKEN = select(Token.id, Token.name, Token.role).where(Token.digest == bindparam("digest"), Token.revoked.is_(None))


@dataclass(frozen=True)
class Actor:
    """Whoever makes a request."""

    id: int
    name: str
    role: Role
    csrf: str = ""

    @property
    def custodian(self) -> bool:
        return self.role == CUSTODIAN


def create_token(database: Database, role: str, name: str | None = None) -> tuple[str, str]:
    """A new token and its name; the token itself is nowhere kept."""
    chosen = name if name is not None else f"{role}-{secrets.token_hex(3)}"
    faults = Faults()
    faults.check(role in ROLES, f"there is no role {role[:40]!r}; known are {', '.join(ROLES)}")
    faults.check(store.is_name(chosen), "a token's " + store.NAME_RULE)
    faults.raise_if_any()
    token = PREFIX + secrets.token_urlsafe(32)
    now = datetime.now(UTC)
    try:
        with database.writing() as connection:
            connection.execute(
                insert(Token).values(name=chosen, role=role, digest=_digest(token), created=now, revoked=None)
            )
            store.append(connection, SERVER, {"what": "token created", "name": chosen, "role": role})
    except IntegrityError:
        raise InputError(f"there is already a token named {chosen!r}: names stay taken, choose another") from None
    return token, chosen


def revoke_token(database: Database, name: str) -> None:
    with database.writing() as connection:
        found = connection.execute(select(Token.id, Token.revoked).where(Token.name == name)).first()
        if found is None:
            raise InputError(f"there is no token named {name[:64]!r}; `discreet token list` shows them")
        if found.revoked is not None:
            raise InputError(f"the token {name!r} is revoked already")
        connection.execute(update(Token).where(Token.id == found.id).values(revoked=datetime.now(UTC)))
        connection.execute(delete(Session).where(Session.token_id == found.id))
        store.append(connection, SERVER, {"what": "token revoked", "name": name})


def list_tokens(database: Database) -> list[tuple[str, str, datetime, datetime | None]]:
    """Name, role, creation and revocation of every token."""
    with database.reading() as connection:
        rows = connection.execute(select(Token.name, Token.role, Token.created, Token.revoked).order_by(Token.id)).all()
    return [(row.name, row.role, row.created, row.revoked) for row in rows]


def actor_of_token(database: Database, token: str) -> Actor | None:
    """Whose token it is; None where it is unknown or revoked."""
    with database.reading() as connection:
        found = connection.execute(_OF_TOKEN, {"digest": _digest(token)}).first()
    return None if found is None else Actor(found.id, found.name, found.role)


def begin_session(database: Database, actor: Actor) -> str:
    """A new session's identifier, for the cookie; expired ones are removed on the way."""
    session, now = secrets.token_urlsafe(32), datetime.now(UTC)
    with database.writing() as connection:
        connection.execute(delete(Session).where(Session.expires < now))
        connection.execute(
            insert(Session).values(
                digest=_digest(session),
                token_id=actor.id,
                csrf=secrets.token_urlsafe(32),
                expires=now + timedelta(hours=SESSION_HOURS),
            )
        )
    return session


def end_session(database: Database, session: str) -> None:
    with database.writing() as connection:
        connection.execute(delete(Session).where(Session.digest == _digest(session)))


def actor_of_session(database: Database, session: str) -> Actor | None:
    with database.reading() as connection:
        found = connection.execute(
            select(Token.id, Token.name, Token.role, Session.csrf)
            .join(Session, Session.token_id == Token.id)
            .where(Session.digest == _digest(session), Session.expires > datetime.now(UTC), Token.revoked.is_(None))
        ).first()
    return None if found is None else Actor(found.id, found.name, found.role, found.csrf)


def same(one: str, other: str) -> bool:
    """Equality that takes the same time whatever the texts."""
    return secrets.compare_digest(one.encode(), other.encode())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
