"""Loading with two custodians: by the page and by a call. The command is tested in `tests/cli/test_proposal.py`."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest

from discreet.errors import InputError
from discreet.release import tokens
from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.life.rule import change_policy
from discreet.release.open_dataset import Margin
from discreet.release.people import proposals
from discreet.release.people.four_eyes import CARRIERS, Waits, ask_everywhere, needs_second, propose_load
from discreet.release.policy import Policy
from discreet.release.service import Service

Bearer = dict[str, dict[str, str]]
POLICY = "four_eyes = true\n"
TABLE = "sex,smokes,count\nf,no,40\nf,yes,17\nm,no,35\nm,yes,22\n"


@pytest.fixture
def second(database: Database, people: dict[str, str]) -> dict[str, str]:
    token, _ = tokens.create_token(database, "custodian", "second")
    return {"Authorization": f"Bearer {token}"}


def form(name: str) -> dict[str, Any]:
    return {"data": {"name": name, "policy": POLICY}, "files": {"file": ("t.csv", TABLE.encode())}}


def test_where_it_is_asked(database: Database) -> None:
    plain, strict = Policy(), Policy(four_eyes=True)
    assert not needs_second(database, plain)
    assert needs_second(database, strict)
    assert needs_second(database, strict, plain)  # from the one to the other, either way
    assert needs_second(database, plain, strict)
    ask_everywhere(database, True, who="x")
    ask_everywhere(database, True, who="x")
    assert needs_second(database, plain)
    ask_everywhere(database, False, who="x")
    assert not needs_second(database, plain)


def test_a_table_waits_and_is_then_the_same(database: Database, small: Table, people: dict[str, str]) -> None:
    service = Service(database)
    policy = Policy(four_eyes=True, published=(("A", "B"),))
    with pytest.raises(Waits) as caught:
        service.add("custodian", "table", small, policy)
    assert service.datasets() == []
    with pytest.raises(InputError, match="waits already"):
        service.add("custodian", "table", small, policy)
    token, _ = tokens.create_token(database, "custodian", "second")
    actor = tokens.actor_of_token(database, token)
    assert actor is not None
    proposals.confirm(database, actor, caught.value.number, CARRIERS)
    opened = service.open("table")
    assert (opened.table.dense() == small.dense()).all()
    assert opened.table.categories == small.categories
    assert opened.stored.policy == policy
    assert service.ledger("table")[0].content["who"] == "custodian"
    assert audit(database).faults == ()


def test_choices_wait_with_the_table(
    database: Database, small: Table, people: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.release.people import four_eyes

    given: dict[str, Any] = {}
    monkeypatch.setattr(four_eyes, "add_dataset", lambda *_, **more: given.update(more))
    number = propose_load(database, "bob", "table", small, Policy(), options={"population": "workers"})
    actor = tokens.actor_of_token(database, people["custodian"])
    assert actor is not None
    proposals.confirm(database, actor, number, CARRIERS)
    assert given == {"population": "workers"}


def test_what_could_not_be_loaded_is_not_proposed(database: Database, small: Table, service: Service) -> None:
    policy = Policy(four_eyes=True)
    with pytest.raises(InputError, match="already a dataset"):
        service.add("x", "auto", small, policy)
    with pytest.raises(InputError, match="name must begin"):
        service.add("x", "../x", small, policy)
    assert proposals.pending(database) == []


def test_by_call(web: Callable[..., Any], bearer: Bearer, second: dict[str, str]) -> None:
    client = web()
    told = client.post("/api/datasets", headers=bearer["custodian"], **form("new"))
    assert told.status_code == 202
    number = told.json()["proposal"]
    for headers in (bearer["analyst"], bearer["custodian"], second):
        listed = [d["name"] for d in client.get("/api/datasets", headers=headers).json()]
        assert listed == ["auto"]
        assert client.get("/api/datasets/new/margins", headers=headers).status_code == 404
    waiting = client.get("/api/proposals", headers=second).json()
    assert [(p["number"], p["kind"], p["subject"], p["who"]) for p in waiting] == [(number, "load", "new", "custodian")]
    path = f"/api/proposals/{number}/confirm"
    assert client.post(path, headers=bearer["analyst"]).status_code == 403
    assert client.post(path, headers=bearer["custodian"]).status_code == 422
    assert client.post(path, headers=second).status_code == 200
    assert client.post(path, headers=second).status_code == 422
    assert client.get("/api/datasets/new/margins", headers=bearer["analyst"]).status_code == 200


def test_by_page(web: Callable[..., Any], database: Database, people: dict[str, str]) -> None:
    people["second"] = tokens.create_token(database, "custodian", "second")[0]
    ask_everywhere(database, True, who="command line")
    proposer, other = web("custodian"), web("second")

    def csrf(client: Any) -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
        assert found is not None
        return found[1]

    data = io.BytesIO(TABLE.encode())
    sent = proposer.post("/load", data={"name": "new", "csrf": csrf(proposer)}, files={"file": ("t.csv", data)})
    assert sent.url.path == "/drafts/new"
    found = re.search(r'name="version" value="([^"]+)"', sent.text)
    assert found is not None
    form = {"version": found[1], "count": "=count", "variable": ["sex", "smokes"], "do": "confirm"}
    own = proposer.post("/drafts/new", data={**form, "csrf": csrf(proposer)})
    assert "another custodian must confirm" in own.text
    assert other.get("/datasets/new/margins").status_code == 404
    assert other.post("/drafts/new", data={**form, "csrf": "x"}).status_code == 403
    done = other.post("/drafts/new", data={**form, "csrf": csrf(other)})
    assert done.url.path == "/datasets/new/margins", done.text


def test_a_draft_is_not_confirmed_with_a_second_token_of_its_sender(
    database: Database, web: Callable[..., Any], bearer: Bearer, second: dict[str, str]
) -> None:
    token, _ = tokens.create_token(database, "custodian", "spare", who="custodian")
    spare, client = {"Authorization": f"Bearer {token}"}, web()
    assert client.post("/api/drafts", headers=bearer["custodian"], **form("table")).status_code == 201
    for own in (bearer["custodian"], spare):
        told = client.post("/api/drafts/table/confirm", headers=own, json={})
        assert told.status_code == 422
        assert "another custodian" in told.text
    assert client.post("/api/drafts/table/confirm", headers=second, json={}).status_code == 200
    assert audit(database).intact


def test_a_view_needs_two_where_its_table_does(
    database: Database, web: Callable[..., Any], bearer: Bearer, small: Table
) -> None:
    """Under the rule that its table has now, not the one it was loaded with."""
    service, client = Service(database), web()
    service.add("custodian", "table", small, Policy())
    service.add("custodian", "first", small.margin(["A"]), Policy(), unit="table")
    change_policy(database, "custodian", "table", Policy(four_eyes=True))
    for unit in ("table", "first"):
        with pytest.raises(Waits):
            service.add("custodian", f"of-{unit}", small, Policy(), unit=unit)
    rows = "".join(f"{row['A']},{row['B']},{row['count']}\n" for row in small_rows(small))
    sent = {"data": {"name": "d", "same_as": "first"}, "files": {"file": ("t.csv", f"A,B,count\n{rows}".encode())}}
    assert client.post("/api/datasets", headers=bearer["custodian"], **sent).status_code == 202
    assert client.post("/api/drafts", headers=bearer["custodian"], **sent).status_code == 201
    assert client.post("/api/drafts/d/confirm", headers=bearer["custodian"], json={}).status_code == 422


def test_whoever_confirms_sees_what_was_said_along(database: Database, web: Callable[..., Any], small: Table) -> None:
    options = {"distinct": True, "population": "workers", "confirmed": True, "draft": False}
    propose_load(database, "bob", "table", small, Policy(four_eyes=True), options=options)
    text = web("custodian").get("/proposals").text
    for words in ("said to be distinct", "about the people workers", "confirmed by whoever proposes it"):
        assert words in text
    assert "not be open to analysts" not in text


def small_rows(table: Table) -> list[dict[str, Any]]:
    return Margin(table.margin(["A", "B"]), False).rows()
