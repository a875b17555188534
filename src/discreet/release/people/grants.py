"""Giving and taking roles, everywhere or on one dataset; and the custodian who always stays.

A grant narrows: with the first one the role elsewhere is gone, and it does not come back when the last one is taken. A
*standing* custodian is a token with that role everywhere that does not expire. A change that would leave none of them
is refused: people of another sign-in service come and go without our doing, so they do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from discreet.errors import Faults, InputError
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Dataset, Grant, Session, Token
from discreet.release.people.actor import CUSTODIAN, NOBODY, ROLES

LAST = (
    "no custodian without an expiry would be left: make another one first, with "
    "`discreet token create --role custodian`"
)


def set_role(database: Database, name: str, role: str, *, who: str) -> None:
    """Give a role everywhere, in the place of grants; "none" takes all access away, and can be followed by another."""
    if role not in (*ROLES, NOBODY):
        raise InputError(f"there is no role {role[:40]!r}; known are {', '.join((*ROLES, NOBODY))}")
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        change_role(connection, find(connection, name), role, who)


def change_role(connection: Connection, person: Any, role: str, who: str) -> None:
    """The same within a transaction that holds the lock of the server's chain."""
    if role != CUSTODIAN:
        keep_a_custodian(connection, person)
    connection.execute(delete(Grant).where(Grant.token_id == person.id))
    connection.execute(update(Token).where(Token.id == person.id).values(role=role))
    if role != CUSTODIAN:
        end_sessions(connection, person.id)
    store.append(connection, SERVER, {"what": "role changed", "who": who, "name": person.name, "role": role})


def grant(database: Database, name: str, dataset: str, role: str, *, who: str) -> None:
    """Give a role on one dataset, and with it on no other that is not granted."""
    faults = Faults()
    faults.check(role in ROLES, f"there is no role {role[:40]!r}; known are {', '.join(ROLES)}")
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        try:
            check_datasets(connection, [dataset])
            person = find(connection, name)
        except InputError as error:
            faults.extend(error)
        faults.raise_if_any()
        keep_a_custodian(connection, person)
        connection.execute(delete(Grant).where(Grant.token_id == person.id, Grant.dataset == dataset))
        insert_grants(connection, person.id, {dataset: role})
        connection.execute(update(Token).where(Token.id == person.id).values(role=NOBODY))
        content = {"what": "grant given", "who": who, "name": name, "dataset": dataset, "role": role}
        store.append(connection, SERVER, content)


def ungrant(database: Database, name: str, dataset: str, *, who: str) -> None:
    """Take a grant away, at once. Sessions end: whoever has other grants signs in again."""
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        person = find(connection, name)
        gone = connection.execute(delete(Grant).where(Grant.token_id == person.id, Grant.dataset == dataset))
        if gone.rowcount == 0:
            raise InputError(f"{name!r} has no grant on this dataset; `discreet token list` shows them")
        end_sessions(connection, person.id)
        store.append(connection, SERVER, {"what": "grant taken", "who": who, "name": name, "dataset": dataset})


def insert_grants(connection: Connection, person: int, roles: Mapping[str, str]) -> None:
    for dataset, role in roles.items():
        connection.execute(insert(Grant).values(token_id=person, dataset=dataset, role=role))


def check_datasets(connection: Connection, names: list[str]) -> None:
    known = set(connection.execute(select(Dataset.name).where(Dataset.name.in_(names))).scalars())
    missing = sorted(set(names) - known)
    if missing:
        raise InputError(f"there is no dataset named {missing[0][:64]!r}; `discreet dataset list` shows them")


def find(connection: Connection, name: str) -> Any:
    """The row of a token or person with access still."""
    found = connection.execute(
        select(Token.id, Token.name, Token.role, Token.revoked, Token.expires, Token.issuer).where(Token.name == name)
    ).first()
    if found is None:
        raise InputError(f"there is no token named {name[:64]!r}; `discreet token list` shows them")
    if found.revoked is not None:
        raise InputError(f"the token {name!r} is revoked already")
    return found


def end_sessions(connection: Connection, person: int) -> None:
    connection.execute(delete(Session).where(Session.token_id == person))


def keep_a_custodian(connection: Connection, leaving: Any) -> None:
    """Refuse where `leaving` is the last standing custodian."""
    stands = leaving.role == CUSTODIAN and leaving.expires is None and leaving.issuer is None
    if stands and not has_custodian(connection, without=leaving.id):
        raise InputError(LAST)


def has_custodian(connection: Connection, without: int = 0) -> bool:
    """Whether there is a standing custodian, apart from one."""
    query = select(Token.id).where(
        Token.role == CUSTODIAN,
        Token.revoked.is_(None),
        Token.expires.is_(None),
        Token.issuer.is_(None),
        Token.id != without,
    )
    return connection.execute(query.limit(1)).first() is not None
