"""Somebody whom the sign-in service has named: who they are here, and what they may do.

A person is the pair of issuer and subject, whatever else the service says. The name in our ledger is made from a claim
at the first sign-in and stays: names are unique, so nobody can take another's by renaming themselves elsewhere. Where
the settings name a claim for roles, the service decides them at every sign-in, and whoever has none there loses what
they had here; grants on single datasets narrow that. Otherwise a newcomer has no access until a custodian gives some.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Grant, Token
from discreet.release.people.actor import NOBODY, SERVER_ITSELF, Actor
from discreet.release.people.grants import change_role
from discreet.release.people.openid.settings import OpenIdSettings

ISSUER = "the sign-in service"


@dataclass(frozen=True)
class Known:
    """A person; `actor` is None where they have no access."""

    name: str
    actor: Actor | None


def meet(database: Database, settings: OpenIdSettings, claims: Mapping[str, Any]) -> Known:
    """The person whom checked claims are about, entered at the first meeting, with the role they have by now."""
    role = settings.role_of(claims)
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        row = _find(connection, settings.issuer, claims["sub"])
        if row is None:
            _enter(connection, settings, claims, role or NOBODY)
            row = _find(connection, settings.issuer, claims["sub"])
            assert row is not None
        if row.revoked is not None:
            return Known(row.name, None)
        granted = _grants(connection, row.id)
        if role is not None and _differs(role, row.role, granted):
            change_role(connection, row, role, ISSUER)
            row = _find(connection, settings.issuer, claims["sub"])
            assert row is not None
            granted = ()
    access = row.role != NOBODY or granted
    return Known(row.name, Actor(row.id, row.name, row.role, "", granted) if access else None)


def _differs(given: str, held: str, granted: tuple[tuple[str, Any], ...]) -> bool:
    """Whether the service's word changes anything: grants stand until it says that there is no access at all."""
    return given == NOBODY if granted else given != held


def _find(connection: Connection, issuer: str, subject: str) -> Any:
    columns = (Token.id, Token.name, Token.role, Token.revoked, Token.expires, Token.issuer)
    return connection.execute(select(*columns).where(Token.issuer == issuer, Token.subject == subject)).first()


def _grants(connection: Connection, person: int) -> tuple[tuple[str, Any], ...]:
    rows = connection.execute(select(Grant.dataset, Grant.role).where(Grant.token_id == person)).all()
    return tuple((row.dataset, row.role) for row in rows)


def _enter(connection: Connection, settings: OpenIdSettings, claims: Mapping[str, Any], role: str) -> None:
    name = _free_name(connection, claims.get(settings.name_claim))
    connection.execute(
        insert(Token).values(
            name=name,
            role=role,
            digest=secrets.token_hex(32),  # of no token: nothing has it as its digest
            created=datetime.now(UTC),
            issuer=settings.issuer,
            subject=claims["sub"],
            creator=ISSUER,
        )
    )
    content = {"what": "token created", "who": SERVER_ITSELF, "name": name, "role": role}
    store.append(connection, SERVER, {**content, "issuer": settings.issuer, "subject": claims["sub"]})


def _free_name(connection: Connection, wanted: object) -> str:
    """A name that nobody has had, near the one that the service gives."""
    given = wanted if isinstance(wanted, str) else ""
    base = re.sub(r"[^A-Za-z0-9._-]+", "-", given).lstrip("._-")[:56] or "person"
    taken = set(connection.execute(select(Token.name).where(Token.name.startswith(base, autoescape=True))).scalars())
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    return name
