"""The page "Access": tokens with an end and a place, roles given and taken, and who did it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from discreet.release import tokens
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database


@pytest.fixture
def client(web: Callable[..., Any]) -> Any:
    return web("custodian")


def send(client: Any, path: str, **data: str) -> Any:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
    assert found is not None
    return client.post(path, data={"csrf": found[1], **data})


def line(database: Database, name: str) -> tokens.TokenLine:
    return next(one for one in tokens.list_tokens(database) if one.name == name)


def test_a_token_with_an_end_and_a_place(client: Any, database: Database) -> None:
    told = send(client, "/tokens", name="ann", role="analyst", expires="90d", dataset="auto")
    shown = re.search(r'id="new-token">([^<]+)<', told.text)
    assert shown is not None
    actor = tokens.actor_of_token(database, shown[1])
    assert actor is not None
    assert actor.grants == (("auto", "analyst"),)
    assert line(database, "ann").state.startswith("expires ")
    page = client.get("/tokens").text
    assert "analyst of auto" in page
    assert "expires 20" in page
    assert shown[1] not in page


def test_roles_given_and_taken(client: Any, database: Database) -> None:
    send(client, "/tokens/grant", name="analyst", role="custodian", dataset="auto")
    assert line(database, "analyst").grants == (("auto", "custodian"),)
    send(client, "/tokens/ungrant", name="analyst", dataset="auto")
    assert line(database, "analyst").state == "no access"
    send(client, "/tokens/grant", name="analyst", role="analyst")
    assert line(database, "analyst").role == "analyst"
    send(client, "/tokens/grant", name="analyst", role="analyst", dataset="auto")
    send(client, "/tokens/grant", name="analyst", role="none", dataset="auto")
    assert line(database, "analyst").state == "no access"
    send(client, "/tokens/revoke", name="analyst")
    assert line(database, "analyst").ended
    with database.reading() as connection:
        entered = [entry.content for entry in store.read_entries(connection, SERVER)]
    changes = [c for c in entered if c["what"].startswith(("grant ", "role ", "token revoked"))]
    assert len(changes) == 6
    assert {c["who"] for c in changes} == {"custodian"}


def test_the_last_custodian_cannot_leave_by_the_page(client: Any, database: Database) -> None:
    for path, data in (
        ("/tokens/revoke", {}),
        ("/tokens/grant", {"role": "analyst"}),
        ("/tokens/grant", {"role": "none"}),
        ("/tokens/grant", {"role": "custodian", "dataset": "auto"}),
    ):
        told = send(client, path, name="custodian", **data)
        assert told.status_code == 422
        assert "make another one first" in told.text
    assert client.get("/tokens").status_code == 200


@pytest.mark.parametrize(
    "data",
    [{"expires": "yesterday"}, {"dataset": "nowhere"}, {"role": "king"}, {"role": "none"}, {"name": "a b"}],
    ids=str,
)
def test_what_cannot_be_created(client: Any, database: Database, data: dict[str, str]) -> None:
    assert send(client, "/tokens", **{"name": "x", "role": "analyst", **data}).status_code == 422
    assert len(tokens.list_tokens(database)) == 2
