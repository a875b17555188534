"""Every route for everybody: who is let in, who is turned away, and for whom there is nothing there.

`TABLE` has a row per route; a route without one fails the test, and so does a row without a route. A route about a
dataset is expected in the three forms below; whoever adds one writes its row and says which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.routing import APIRoute
from sqlalchemy import insert, select, update

from discreet.release import tokens
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.history.models import Token
from discreet.release.people import grants
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service

IDENTITIES = ("none", "revoked", "expired", "nobody", "analyst", "custodian", "elsewhere", "keeper")
"""Without sign-in; with one that has ended; a person without access; and those with some: everywhere, on another
dataset only (an analyst), on this one only (a custodian)."""

OUT, GONE = (303,) * 4, (401,) * 4  # pages send to the sign-in, calls say so


def everybody(code: int) -> tuple[int, ...]:
    return (code,) * len(IDENTITIES)


def page(analyst: int, custodian: int, elsewhere: int, keeper: int) -> tuple[int, ...]:
    return (*OUT, analyst, custodian, elsewhere, keeper)


def call(analyst: int, custodian: int, elsewhere: int, keeper: int) -> tuple[int, ...]:
    return (*GONE, analyst, custodian, elsewhere, keeper)


ASK = {"json": {"variables": ["A"]}}
FORM: dict[str, Any] = {"data": {}}
UPLOAD = {"data": {"name": "x"}, "files": {"nothing": ("t.csv", b"x")}}

# For each route: what is sent, and the answers in the order of IDENTITIES.
TABLE: dict[tuple[str, str], tuple[dict[str, Any], tuple[int, ...]]] = {
    ("GET", "/"): ({}, everybody(303)),
    ("GET", "/login"): ({}, everybody(200)),
    ("POST", "/login"): ({"data": {"token": "wrong"}}, everybody(401)),
    ("GET", "/login/openid"): ({}, everybody(404)),
    ("GET", "/login/openid/callback"): ({}, everybody(404)),
    ("POST", "/logout"): (FORM, everybody(303)),
    ("GET", "/api/openapi.json"): ({}, everybody(200)),
    ("GET", "/health"): ({}, everybody(200)),
    ("GET", "/ready"): ({}, everybody(200)),
    ("GET", "/metrics"): ({}, everybody(401)),  # for programs, with a custodian's token
    # For whoever is signed in.
    ("GET", "/history"): ({}, page(200, 200, 200, 200)),
    ("GET", "/datasets"): ({}, page(200, 200, 200, 200)),
    ("GET", "/api/datasets"): ({}, call(200, 200, 200, 200)),
    # About a dataset, for whoever may see it.
    ("GET", "/datasets/{name}"): ({}, page(200, 200, 404, 200)),
    ("POST", "/datasets/{name}/ask"): ({"data": {"v": "A"}}, page(200, 200, 404, 200)),
    ("GET", "/datasets/{name}/download"): ({"params": {"v": "A"}}, page(200, 200, 404, 200)),
    ("POST", "/api/datasets/{name}/requests"): (ASK, call(200, 200, 404, 200)),
    ("GET", "/api/datasets/{name}/margins"): ({}, call(200, 200, 404, 200)),
    ("GET", "/api/datasets/{name}/margins/file"): ({"params": {"v": "A"}}, call(200, 200, 404, 200)),
    # About a dataset, for its custodians.
    ("GET", "/datasets/{name}/margins"): ({}, page(403, 200, 404, 200)),
    ("GET", "/datasets/{name}/cells"): ({}, page(403, 200, 404, 200)),
    ("GET", "/datasets/{name}/ledger"): ({}, page(403, 200, 404, 200)),
    ("GET", "/datasets/{name}/plan"): ({}, page(403, 200, 404, 200)),
    ("POST", "/datasets/{name}/plan"): (FORM, page(403, 200, 404, 200)),
    ("GET", "/api/datasets/{name}/ledger"): ({}, call(403, 200, 404, 200)),
    ("GET", "/datasets/{name}/life"): ({}, page(403, 200, 404, 200)),
    ("POST", "/datasets/{name}/stage"): ({"data": {"stage": "none"}}, page(403, 422, 404, 422)),
    ("POST", "/datasets/{name}/policy"): ({"data": {"policy": "c = -1"}}, page(403, 200, 404, 200)),
    ("POST", "/datasets/{name}/retry"): ({"data": {"v": "A", "seconds": "-1"}}, page(403, 422, 404, 422)),
    ("POST", "/datasets/{name}/publish"): (FORM, page(403, 422, 404, 422)),
    ("GET", "/api/datasets/{name}/life"): ({}, call(403, 200, 404, 200)),
    ("POST", "/api/datasets/{name}/stage"): ({"json": {}}, call(403, 422, 404, 422)),
    ("POST", "/api/datasets/{name}/policy"): ({"json": {}}, call(403, 422, 404, 422)),
    ("POST", "/api/datasets/{name}/retry"): ({"json": {}}, call(403, 422, 404, 422)),
    # For custodians of everything; 422 and 415 are for what is sent here.
    ("GET", "/load"): ({}, page(403, 200, 403, 403)),
    ("POST", "/load"): (UPLOAD, page(403, 422, 403, 403)),
    ("GET", "/api/drafts"): ({}, call(403, 200, 403, 403)),
    ("POST", "/api/drafts"): ({"json": {}}, call(403, 415, 403, 403)),
    ("GET", "/ledger"): ({}, page(403, 200, 403, 403)),
    ("GET", "/api/ledger"): ({}, call(403, 200, 403, 403)),
    # There is no draft of this name.
    ("GET", "/drafts/{name}"): ({}, page(403, 404, 404, 404)),
    ("POST", "/drafts/{name}"): (FORM, page(403, 404, 404, 404)),
    ("POST", "/drafts/{name}/discard"): (FORM, page(403, 404, 404, 404)),
    ("GET", "/api/drafts/{name}"): ({}, call(403, 404, 404, 404)),
    ("PATCH", "/api/drafts/{name}"): ({"json": {}}, call(403, 404, 404, 404)),
    ("DELETE", "/api/drafts/{name}"): ({}, call(403, 404, 404, 404)),
    ("POST", "/api/drafts/{name}/confirm"): ({"json": {}}, call(403, 404, 404, 404)),
    ("POST", "/api/datasets"): ({"json": {}}, call(403, 415, 403, 403)),
    ("GET", "/tokens"): ({}, page(403, 200, 403, 403)),
    ("POST", "/tokens"): ({"data": {"role": "king", "name": "x"}}, page(403, 422, 403, 403)),
    ("POST", "/tokens/revoke"): ({"data": {"name": "nobody-there"}}, page(403, 422, 403, 403)),
    ("POST", "/tokens/grant"): ({"data": {"name": "nobody-there", "role": "analyst"}}, page(403, 422, 403, 403)),
    ("POST", "/tokens/ungrant"): ({"data": {"name": "nobody-there", "dataset": "auto"}}, page(403, 422, 403, 403)),
    # For custodians of anything, who see what concerns them. There is no proposal 1.
    ("GET", "/proposals"): ({}, page(403, 200, 403, 200)),
    ("POST", "/proposals/{number}/confirm"): (FORM, page(403, 422, 403, 422)),
    ("POST", "/proposals/{number}/reject"): (FORM, page(403, 422, 403, 422)),
    ("GET", "/api/proposals"): ({}, call(403, 200, 403, 200)),
    ("POST", "/api/proposals/{number}/confirm"): ({}, call(403, 422, 403, 422)),
    ("POST", "/api/proposals/{number}/reject"): ({}, call(403, 422, 403, 422)),
}
PLACES = {"name": "auto", "number": "1"}


def routes(found: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for route in found:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from routes(inner.routes)
        elif isinstance(route, APIRoute):
            yield from ((method, route.path) for method in route.methods or ())
        elif getattr(route, "methods", None) and "{" not in route.path:
            yield "GET", route.path


@pytest.fixture
def identities(database: Database, service: Service, people: dict[str, str], small: Table) -> dict[str, Any]:
    """For each identity its token and a session; both as they would be found in a browser or a script."""
    service.add("custodian", "other", small, Policy())
    secrets = dict(people)
    for name in ("revoked", "expired"):
        secrets[name] = tokens.create_token(database, "custodian", name)[0]
    secrets["elsewhere"] = tokens.create_token(database, "analyst", "elsewhere", only=["other"])[0]
    secrets["keeper"] = tokens.create_token(database, "custodian", "keeper", only=["auto"])[0]
    with database.writing() as connection:
        values = {"name": "nobody", "role": "none", "digest": "0" * 64, "created": datetime.now(UTC)}
        connection.execute(insert(Token).values(**values, issuer="https://login.example.org", subject="u-1"))
        numbers = {row.name: row.id for row in connection.execute(select(Token.name, Token.id))}
    found: dict[str, Any] = {"none": (None, None, "")}
    for name, secret in secrets.items():
        actor = tokens.actor_of_token(database, secret)
        assert actor is not None
        session = tokens.begin_session(database, actor)
        known = tokens.actor_of_session(database, session)
        assert known is not None
        found[name] = (secret, session, known.csrf)
    tokens.revoke_token(database, "revoked")
    for name in ("revoked", "nobody"):  # as if a session had been left behind
        session = tokens.begin_session(database, Actor(numbers[name], name, "custodian"))
        found[name] = (secrets.get(name, "discreet_" + "x" * 43), session, "")
    with database.writing() as connection:
        past = datetime.now(UTC) - timedelta(seconds=1)
        connection.execute(update(Token).where(Token.name == "expired").values(expires=past))
    return found


def test_every_route_has_its_row(web: Callable[..., Any]) -> None:
    there = set(routes(web().app.routes))
    assert there - set(TABLE) == set(), "say who may use these"
    assert set(TABLE) - there == set(), "these are gone"


def test_a_new_route_is_noticed(web: Callable[..., Any]) -> None:
    app = web().app
    app.get("/datasets/{name}/secret")(lambda name: name)
    assert ("GET", "/datasets/{name}/secret") in set(routes(app.routes)) - set(TABLE)


@pytest.mark.parametrize("identity", IDENTITIES)
def test_who_is_let_in(web: Callable[..., Any], identities: dict[str, Any], service: Service, identity: str) -> None:
    service.ask(Actor(1, "custodian", "custodian"), "auto", ["A"])
    token, session, csrf = identities[identity]
    wrong = {}
    # Signing out comes last.
    for (method, path), (sent, expected) in sorted(TABLE.items(), key=lambda row: row[0][1] == "/logout"):
        client = web()
        given = dict(sent)
        if path.startswith("/api/"):
            given["headers"] = {} if token is None else {"Authorization": f"Bearer {token}"}
        elif session is not None:
            client.cookies.set("__Host-discreet", session, domain="testserver.local")
        if "data" in given:
            given["data"] = {**given["data"], "csrf": csrf}
        told = client.request(method, path.format(**PLACES), follow_redirects=False, **given)
        code = expected[IDENTITIES.index(identity)]
        if told.status_code != code:
            wrong[method, path] = (told.status_code, code, told.text[-200:])
        if code == 303 and path not in ("/",):
            assert told.headers["location"] == "/login"
    assert not wrong


def test_what_one_may_not_see_is_not_there(web: Callable[..., Any], identities: dict[str, Any]) -> None:
    """Not in the lists, and an unseen dataset answers like one that does not exist, word for word."""
    for identity, seen in (("analyst", {"auto", "other"}), ("elsewhere", {"other"}), ("keeper", {"auto"})):
        token, session, _ = identities[identity]
        headers = {"Authorization": f"Bearer {token}"}
        listed = web().get("/api/datasets", headers=headers).json()
        assert {dataset["name"] for dataset in listed} == seen
        client = web()
        client.cookies.set("__Host-discreet", session, domain="testserver.local")
        shown = client.get("/datasets").text
        for name in ("auto", "other"):
            assert (f"/datasets/{name}" in shown) == (name in seen)
    token, session, _ = identities["elsewhere"]
    headers = {"Authorization": f"Bearer {token}"}
    client.cookies.set("__Host-discreet", session, domain="testserver.local")
    for path in ("/api/datasets/{}/margins", "/api/datasets/{}/ledger", "/datasets/{}", "/datasets/{}/cells"):
        hidden, absent = (client.get(path.format(name), headers=headers) for name in ("auto", "nowhere"))
        assert hidden.status_code == absent.status_code == 404
        assert hidden.text == absent.text


def test_custodians_of_one_dataset_are_shown_its_pages_alone(
    web: Callable[..., Any], identities: dict[str, Any]
) -> None:
    client = web()
    client.cookies.set("__Host-discreet", identities["keeper"][1], domain="testserver.local")
    shown = client.get("/datasets/auto").text
    assert "/datasets/auto/cells" in shown
    assert "/tokens" not in shown
    assert "/datasets/new" not in client.get("/datasets").text


def test_a_grant_that_is_taken_counts_at_once(
    web: Callable[..., Any], identities: dict[str, Any], database: Database
) -> None:
    token = identities["keeper"][0]
    headers = {"Authorization": f"Bearer {token}"}
    assert web().get("/api/datasets/auto/ledger", headers=headers).status_code == 200
    grants.grant(database, "keeper", "auto", "analyst", who="custodian")
    assert web().get("/api/datasets/auto/ledger", headers=headers).status_code == 403
    grants.ungrant(database, "keeper", "auto", who="custodian")
    assert web().get("/api/datasets", headers=headers).status_code == 401  # and not everything, as before the grant
