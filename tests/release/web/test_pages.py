"""The pages without a browser: sessions, forged forms, and what analysts must not see."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pyarrow.csv
import pyarrow.parquet as pq
from release_tables import declared

from discreet.release import tokens
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.policy import Policy
from discreet.release.service import Service

Web = Callable[..., Any]
CUSTODIAN_PAGES = ("/load", "/datasets/auto/margins", "/datasets/auto/cells", "/datasets/auto/ledger")


def csrf_of(client: Any) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
    assert found is not None
    return found[1]


def ask(client: Any, variables: str, **headers: str) -> Any:
    data = {"csrf": csrf_of(client), "v": list(variables)}
    return client.post("/datasets/auto/ask", data=data, headers={k.replace("_", "-"): v for k, v in headers.items()})


def test_the_cookie_is_out_of_reach(web: Web, people: dict[str, str]) -> None:
    done = web().post("/login", data={"token": people["analyst"]}, follow_redirects=False)
    cookie = done.headers["set-cookie"]
    for word in ("__Host-discreet=", "HttpOnly", "Secure", "SameSite=strict", "Path=/"):
        assert word in cookie
    assert people["analyst"] not in cookie


def test_signing_out_ends_the_session(web: Web) -> None:
    client = web("analyst")
    kept = dict(client.cookies)
    assert client.post("/logout", data={"csrf": csrf_of(client)}).url.path == "/login"
    client.cookies.update(kept)
    assert client.get("/datasets").url.path == "/login"


def test_uploads_need_it_too(web: Web) -> None:
    client = web("custodian")
    files = {"file": ("t.csv", b"A,count\nx,1\n")}
    assert client.post("/load", data={"name": "forged", "csrf": "no"}, files=files).status_code == 403


def test_a_login_from_elsewhere_is_refused(web: Web, people: dict[str, str]) -> None:
    data = {"token": people["analyst"]}
    assert web().post("/login", data=data, headers={"Origin": "https://evil.example"}).status_code == 403


def test_asking_by_form_and_by_fragment(web: Web) -> None:
    client = web("analyst")
    whole = ask(client, "AB")
    assert "<html" in whole.text
    assert "Released" in whole.text
    part = ask(client, "AB", HX_Request="true")
    assert "<html" not in part.text
    assert "522" in part.text
    nothing = ask(client, "", HX_Request="true")
    assert "Choose at least one variable" in nothing.text


def test_a_refusal_shows_no_count_and_no_ground(web: Web, service: Service) -> None:
    client = web("analyst")
    told = ask(client, "ABCDEF")
    assert "Refused" in told.text
    assert "<table" not in told.text
    for word in ("danger", "frontier", "too narrow", "unresolved", "sharp"):
        assert word not in told.text
    assert "Refused" in client.get("/datasets/auto").text  # her own history
    page = web("custodian").get("/datasets/auto").text  # somebody else's
    assert "refused" not in page.lower()


def test_downloads(web: Web, auto: Table) -> None:
    client = web("analyst")
    expected = auto.margin(["A", "B"]).dense().reshape(-1).tolist()
    ask(client, "AB")
    got = client.get("/datasets/auto/download?v=A&v=B&format=csv")
    assert pyarrow.csv.read_csv(io.BytesIO(got.content))["count"].to_pylist() == expected
    assert 'filename="auto-A-B.csv"' in got.headers["content-disposition"]
    got = client.get("/datasets/auto/download?v=A&v=B&format=parquet")
    assert pq.read_table(io.BytesIO(got.content))["count"].to_pylist() == expected
    got = client.get("/datasets/auto/download?v=A&v=B&format=json").json()
    assert [row["count"] for row in got["margin"]] == expected
    assert client.get("/datasets/auto/download?v=A&format=exe").status_code == 422
    for format, ending in (("px", "px"), ("json-stat", "json-stat"), ("sdmx-csv", "sdmx.csv")):
        got = client.get(f"/datasets/auto/download?v=A&v=B&format={format}")
        assert f'filename="auto-A-B.{ending}"' in got.headers["content-disposition"]
        assert str(expected[0]) in got.text
    assert ">JSON-stat</a>" in ask(client, "AB").text


def test_links_decide_nothing_and_do_not_tell_what_was_refused(web: Web, service: Service) -> None:
    client = web("analyst")
    ask(web("custodian"), "ABCDEF")
    entries = len(service.ledger("auto"))
    refused = client.get("/datasets/auto/download?" + "&".join(f"v={v}" for v in "ABCDEF"))
    unasked = client.get("/datasets/auto/download?v=A")
    assert (refused.status_code, unasked.status_code) == (409, 409)
    assert refused.text == unasked.text
    assert len(service.ledger("auto")) == entries


def test_downloads_are_in_the_ledger(web: Web, service: Service) -> None:
    client = web("analyst")
    ask(client, "AB")
    client.get("/datasets/auto/download?v=A&format=csv")
    assert [e.content["variables"] for e in service.ledger("auto")[1:]] == [["A", "B"], ["A"]]


def test_synthetic_counts_say_so_everywhere(web: Web, service: Service, auto: Table) -> None:
    service.add("custodian", "synth", auto, Policy(otherwise="simulate"), codebook=declared(auto), distinct=True)
    client = web("analyst")
    data = {"csrf": csrf_of(client), "v": list("ABCDEF")}
    page = client.post("/datasets/synth/ask", data=data).text
    assert "Synthetic counts: not those of the data" in page
    query = "&".join(f"v={v}" for v in "ABCDEF")
    got = client.get(f"/datasets/synth/download?{query}&format=csv")
    assert "synthetic" in got.headers["content-disposition"]
    assert got.text.splitlines()[0].endswith(",synthetic")
    assert client.get(f"/datasets/synth/download?{query}&format=json").json()["synthetic"] is True
    table = pq.read_table(io.BytesIO(client.get(f"/datasets/synth/download?{query}&format=parquet").content))
    assert set(table["synthetic"].to_pylist()) == {True}


def test_tokens_by_page(web: Web, database: Database) -> None:
    client = web("custodian")
    page = client.post("/tokens", data={"csrf": csrf_of(client), "role": "analyst", "name": "nora"})
    found = re.search(r'id="new-token">([^<]+)<', page.text)
    assert found is not None
    actor = tokens.actor_of_token(database, found[1])
    assert actor is not None
    assert (actor.name, actor.role) == ("nora", "analyst")
    assert found[1] not in client.get("/tokens").text
    client.post("/tokens/revoke", data={"csrf": csrf_of(client), "name": "nora"})
    assert tokens.actor_of_token(database, found[1]) is None
