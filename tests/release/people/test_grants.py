"""Roles on single datasets, and the custodian who always stays."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.release import tokens
from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history.database import Database, open_database
from discreet.release.people import grants
from discreet.release.policy import Policy
from discreet.release.service import Service


def standing(database: Database) -> set[str]:
    return {
        one.name
        for one in tokens.list_tokens(database)
        if one.role == "custodian" and not one.ended and one.expires is None and not one.grants and one.issuer is None
    }


def test_a_grant_narrows_and_does_not_widen_when_it_goes(database: Database, service: Service) -> None:
    token, _ = tokens.create_token(database, "analyst", "ann")
    actor = tokens.actor_of_token(database, token)
    assert actor is not None
    assert actor.may_see("auto") and actor.may_see("other")
    grants.grant(database, "ann", "auto", "analyst", who="x")
    actor = tokens.actor_of_token(database, token)
    assert actor is not None
    assert actor.may_see("auto") and not actor.may_see("other")
    grants.ungrant(database, "ann", "auto", who="x")
    assert tokens.actor_of_token(database, token) is None
    grants.set_role(database, "ann", "analyst", who="x")
    actor = tokens.actor_of_token(database, token)
    assert actor is not None
    assert actor.may_see("other")
    assert audit(database).intact


def test_what_cannot_be_granted(database: Database, service: Service, people: dict[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        grants.grant(database, "analyst", "nowhere", "king", who="x")
    assert len(caught.value.faults) == 2
    with pytest.raises(InputError, match="no token"):
        grants.grant(database, "nobody", "auto", "analyst", who="x")
    with pytest.raises(InputError, match="no grant"):
        grants.ungrant(database, "analyst", "auto", who="x")
    with pytest.raises(InputError, match="no dataset"):
        tokens.create_token(database, "analyst", "x", only=["nowhere"])
    with pytest.raises(InputError, match="no role"):
        grants.set_role(database, "analyst", "king", who="x")
    tokens.revoke_token(database, "analyst")
    with pytest.raises(InputError, match="revoked"):
        grants.grant(database, "analyst", "auto", "analyst", who="x")


def test_the_last_custodian_stays(database: Database, service: Service, people: dict[str, str]) -> None:
    ahead = datetime.now(UTC) + timedelta(days=9)
    tokens.create_token(database, "custodian", "for-a-while", expires=ahead)
    tokens.create_token(database, "custodian", "of-one", only=["auto"])
    ways: tuple[Callable[[], object], ...] = (
        lambda: tokens.revoke_token(database, "custodian"),
        lambda: grants.set_role(database, "custodian", "analyst", who="x"),
        lambda: grants.set_role(database, "custodian", "none", who="x"),
        lambda: grants.grant(database, "custodian", "auto", "custodian", who="x"),
    )
    for way in ways:
        with pytest.raises(InputError, match="make another one first"):
            way()
        assert standing(database) == {"custodian"}
    tokens.revoke_token(database, "for-a-while")  # whoever ends anyway may go
    tokens.create_token(database, "custodian", "second")
    tokens.revoke_token(database, "custodian")
    assert standing(database) == {"second"}


def test_the_first_custodian_does_not_expire(database: Database) -> None:
    ahead = datetime.now(UTC) + timedelta(days=9)
    with pytest.raises(InputError, match="make another one first"):
        tokens.create_token(database, "custodian", "carla", expires=ahead)
    tokens.create_token(database, "custodian", "carla")
    tokens.create_token(database, "custodian", "second", expires=ahead)


def together(database: Database) -> None:
    """Two custodians revoke each other at the same moment: one of them stays."""
    for number in range(5):
        names = [f"a{number}", f"b{number}"]
        for name in names:
            tokens.create_token(database, "custodian", name)
        for earlier in standing(database) - set(names):
            tokens.revoke_token(database, earlier)
        gate = threading.Barrier(2)
        refused: list[str] = []

        def go(name: str, gate: threading.Barrier = gate, refused: list[str] = refused) -> None:
            gate.wait()
            try:
                tokens.revoke_token(database, name)
            except InputError:
                refused.append(name)

        threads = [threading.Thread(target=go, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert standing(database) == set(refused)
        assert len(refused) == 1


def test_two_who_revoke_each_other(database: Database) -> None:
    together(database)


@pytest.mark.xdist_group("server")
def test_two_who_revoke_each_other_in_postgresql(postgres: Callable[[str], str]) -> None:
    database = open_database(postgres("custodians"), create=True)
    together(database)
    database.close()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["revoke", "demote", "promote", "none", "grant", "ungrant", "create", "brief"]),
        st.sampled_from(["t0", "t1", "t2"]),
    ),
    max_size=14,
)


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_whatever_is_done_one_stays_and_the_ledger_agrees(
    steps: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory, small: Table
) -> None:
    database = open_database(str(tmp_path_factory.mktemp("g") / "d.db"), create=True)
    Service(database).add("x", "data", small, Policy())
    tokens.create_token(database, "custodian", "t0")
    ahead = datetime.now(UTC) + timedelta(days=1)
    actions: dict[str, Callable[[str], object]] = {
        "revoke": lambda name: tokens.revoke_token(database, name),
        "demote": lambda name: grants.set_role(database, name, "analyst", who="x"),
        "promote": lambda name: grants.set_role(database, name, "custodian", who="x"),
        "none": lambda name: grants.set_role(database, name, "none", who="x"),
        "grant": lambda name: grants.grant(database, name, "data", "custodian", who="x"),
        "ungrant": lambda name: grants.ungrant(database, name, "data", who="x"),
        "create": lambda name: tokens.create_token(database, "custodian", name),
        "brief": lambda name: tokens.create_token(database, "custodian", name, expires=ahead),
    }
    for action, name in steps:
        with suppress(InputError):
            actions[action](name)
        assert standing(database)
    assert audit(database).faults == ()
    database.close()
