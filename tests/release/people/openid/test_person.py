"""People of a sign-in service: met once, known for good."""

from __future__ import annotations

import threading
from typing import Any

from sqlalchemy import select

from discreet.release import tokens
from discreet.release.audit import audit
from discreet.release.history.database import Database
from discreet.release.history.models import Token
from discreet.release.people import grants
from discreet.release.people.openid.person import meet
from discreet.release.people.openid.settings import OpenIdSettings
from discreet.release.service import Service

PLAIN = OpenIdSettings("https://login.example.org", "discreet", "https://margins.example.org")
GIVES = OpenIdSettings("https://login.example.org", "discreet", "https://margins.example.org", role_claim="role")


def claims(subject: str = "u-1", **more: Any) -> dict[str, Any]:
    return {"sub": subject, "preferred_username": "ann", **more}


def test_a_person_is_issuer_and_subject(database: Database, service: Service) -> None:
    assert meet(database, PLAIN, claims()).actor is None
    other = OpenIdSettings("https://other.example.org", "discreet", "https://margins.example.org")
    assert meet(database, other, claims()).name == "ann-2"
    assert meet(database, PLAIN, claims(preferred_username="renamed")).name == "ann"
    grants.grant(database, "ann", "auto", "analyst", who="x")
    known = meet(database, PLAIN, claims())
    assert known.actor is not None
    assert known.actor.grants == (("auto", "analyst"),)
    assert meet(database, other, claims()).actor is None
    assert audit(database).faults == ()


def test_many_at_once_are_one(database: Database) -> None:
    gate = threading.Barrier(5)

    def go() -> None:
        gate.wait()
        meet(database, PLAIN, claims())

    threads = [threading.Thread(target=go) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.reading() as connection:
        assert connection.execute(select(Token.name)).scalars().all() == ["ann"]


def test_the_service_takes_away_what_it_gave(database: Database, service: Service) -> None:
    tokens.create_token(database, "custodian", "carla")
    for said, role in (("custodian", "custodian"), ("analyst", "analyst"), ("x", None), ("analyst", "analyst")):
        actor = meet(database, GIVES, claims(role=said)).actor
        assert (None if actor is None else actor.role) == role
    grants.grant(database, "ann", "auto", "custodian", who="carla")
    actor = meet(database, GIVES, claims(role="analyst")).actor
    assert actor is not None
    assert actor.role_for("auto") == "custodian"
    assert not actor.may_see("other")
    assert meet(database, GIVES, claims(role="x")).actor is None
    assert meet(database, PLAIN, claims()).actor is None  # the grants are gone too
    tokens.revoke_token(database, "ann")
    assert meet(database, GIVES, claims(role="custodian")).actor is None
    assert audit(database).faults == ()


def test_no_token_opens_a_persons_account(database: Database) -> None:
    meet(database, GIVES, claims(role="custodian"))
    with database.reading() as connection:
        digest = connection.execute(select(Token.digest)).scalar_one()
    assert tokens.actor_of_token(database, digest) is None


def test_names_are_tidy(database: Database) -> None:
    given = ["a b@c.org", "é", "..", "", None, ["x"], "x" * 300, "_%", "a b@c.org"]
    names = [meet(database, PLAIN, claims(str(n), preferred_username=name)).name for n, name in enumerate(given)]
    assert names == [
        "a-b-c.org",
        "person",
        "person-2",
        "person-3",
        "person-4",
        "person-5",
        "x" * 56,
        "person-6",
        "a-b-c.org-2",
    ]
