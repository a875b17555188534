"""What all pages share: sessions, forms that nobody else can send, names that are text, errors as pages or parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from discreet.datasets import autoworkers
from discreet.release import tokens
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.policy import Policy
from discreet.release.service import Service

Web = Callable[..., Any]
Bearer = dict[str, dict[str, str]]
CUSTODIAN_PAGES = ("/load", "/datasets/auto/margins", "/datasets/auto/cells", "/datasets/auto/ledger")


def csrf_of(client: Any) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
    assert found is not None
    return found[1]


def test_strangers_are_sent_to_sign_in(web: Web) -> None:
    for path in ("/", "/datasets", "/datasets/auto", "/datasets/auto/download?v=A", "/tokens", *CUSTODIAN_PAGES):
        told = web().get(path)
        assert told.url.path == "/login"
    assert web().post("/login", data={"token": "wrong"}).status_code == 401
    assert web().post("/login").status_code == 401


def test_a_revoked_token_ends_its_sessions(web: Web, database: Database) -> None:
    client = web("analyst")
    tokens.revoke_token(database, "analyst")
    assert client.get("/datasets").url.path == "/login"


def test_analysts_see_no_custodian_page(web: Web) -> None:
    client = web("analyst")
    for path in (*CUSTODIAN_PAGES, "/datasets/auto/plan", "/tokens"):
        assert client.get(path).status_code == 403
    for path in ("/datasets/auto/plan", "/tokens", "/tokens/revoke"):
        data = {"csrf": csrf_of(client), "role": "custodian", "name": "x"}
        assert client.post(path, data=data).status_code == 403


@pytest.mark.parametrize("path", ["/logout", "/datasets/auto/ask", "/datasets/auto/plan", "/tokens", "/tokens/revoke"])
def test_forms_need_the_sessions_secret(web: Web, path: str) -> None:
    client = web("custodian")
    data = {"v": "A", "role": "analyst", "name": "forged"}
    assert client.post(path, data=data).status_code == 403
    assert client.post(path, data={**data, "csrf": "x" * 43}).status_code == 403
    other = csrf_of(web("custodian"))
    assert client.post(path, data={**data, "csrf": other}).status_code == 403
    good = {**data, "csrf": csrf_of(client)}
    assert client.post(path, data=good, headers={"Origin": "https://evil.example"}).status_code == 403
    assert client.post(path, data=good, headers={"Origin": "null"}).status_code == 403


def test_names_from_data_are_escaped(web: Web, service: Service) -> None:
    evil = "<script>alert(1)</script>"
    table = Table((evil, "B"), ((evil, "x"), ("y", "z")), autoworkers()["count"].to_numpy()[:4].reshape(2, 2))
    service.add("custodian", "evil", table, Policy())
    client = web("custodian")
    for page in ("", "/margins", "/cells", "/ledger"):
        text = client.get(f"/datasets/evil{page}").text
        assert evil not in text
    assert "&lt;script&gt;" in client.get("/datasets/evil").text


def test_errors_are_pages(web: Web) -> None:
    told = web("analyst").get("/datasets/none")
    assert told.status_code == 404
    assert "<h1>Not found</h1>" in told.text


def test_an_error_in_a_part_is_a_part(web: Web) -> None:
    """htmx shows only what arrives with success: the fault is in the text, not in the code."""
    client = web("analyst")
    for path in ("/datasets/none", "/datasets/auto/cells"):
        part = client.get(path, headers={"HX-Request": "true"})
        assert part.status_code == 200 and "<html" not in part.text and "faults" in part.text
        back = client.get(path, headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})
        assert back.status_code in (403, 404) and "<html" in back.text


def test_a_part_without_a_session_leads_to_the_page_of_signing_in(web: Web) -> None:
    told = web().get("/datasets", headers={"HX-Request": "true"}, follow_redirects=False)
    assert (told.status_code, told.headers.get("hx-redirect"), told.text) == (200, "/login", "")
    whole = web().get("/datasets", follow_redirects=False)
    assert (whole.status_code, whole.headers["location"]) == (303, "/login")


def test_the_sessions_secret_may_come_in_a_header_and_no_other(web: Web, service: Service) -> None:
    client = web("analyst")
    good = csrf_of(client)
    for given, code in ((good, 200), (good[:-1], 403), (good + "x", 403), ("", 403), (csrf_of(web("analyst")), 403)):
        done = client.post("/datasets/auto/ask", data={"v": "A"}, headers={"X-CSRF": given})
        assert done.status_code == code, given
    # What is in the form counts: a header that is right does not help a form that is wrong.
    assert client.post("/datasets/auto/ask", data={"v": "A", "csrf": "x"}, headers={"X-CSRF": good}).status_code == 403
    assert len(service.ledger("auto")) == 2


def test_a_program_s_token_is_no_session(web: Web, people: dict[str, str], bearer: Bearer) -> None:
    """Nor does a token in the cookie open a page: only what a sign-in has made."""
    client = web()
    assert client.get("/datasets", headers=bearer["custodian"], follow_redirects=False).status_code == 303
    client.cookies.set("__Host-discreet", people["custodian"], domain="testserver.local", path="/")
    assert client.get("/datasets", follow_redirects=False).status_code == 303


def test_one_person_may_not_ask_too_often(web: Web) -> None:
    from discreet.release.web.limits import RateLimit

    client = web("analyst")
    client.app.state.rate = RateLimit(0.1, 3.0)
    codes = [client.get("/datasets").status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    assert int(client.get("/datasets").headers["retry-after"]) >= 1
    assert web("custodian").get("/datasets").status_code == 200
