"""The conversation about a file, by programs and on pages: nothing is visible to analysts before it is confirmed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from discreet.datasets import autoworkers
from discreet.release.history.database import Database
from discreet.release.loading.apart import Reader
from discreet.release.loading.limits import ReadLimits
from discreet.release.loading.loader import Loader
from discreet.release.service import Service

Web = Callable[..., Any]
Bearer = dict[str, dict[str, str]]
FREQ = b"A,B,Freq\nsecret-one,1,41\ny,2,1\nsecret-one,2,37\ny,1,93\n"


def csrf_of(client: Any) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/datasets").text)
    assert found
    return found[1]


def send(client: Any, headers: dict[str, str], path: str, data: bytes = FREQ, **fields: str) -> Any:
    return client.post(path, headers=headers, data={"name": "t", **fields}, files={"file": ("t.csv", data)})


def test_a_file_in_doubt_is_not_opened(web: Web, bearer: Bearer) -> None:
    """The fault that was found: every analyst saw 41, 1, 37 and 93 as categories of `Freq`."""
    client = web()
    told = send(client, bearer["custodian"], "/api/datasets")
    assert told.status_code == 422
    assert "B, Freq" in told.text and "--count" in told.text
    for secret in ("41", "37", "93", "secret-one"):
        assert secret not in told.text
    seen = client.get("/api/datasets", headers=bearer["analyst"]).text
    assert "Freq" not in seen
    both = send(client, bearer["custodian"], "/api/datasets", count="Freq", records="true")
    assert both.status_code == 422 and "not both" in both.text
    assert send(client, bearer["custodian"], "/api/datasets", records="perhaps").status_code == 422
    done = send(client, bearer["custodian"], "/api/datasets", count="Freq")
    assert done.status_code == 201
    assert (done.json()["variables"], done.json()["count"], done.json()["rows"]) == (["A", "B"], "Freq", 4)


def test_records_leave_the_count_out(web: Web, bearer: Bearer) -> None:
    done = send(web(), bearer["custodian"], "/api/datasets", records="true")
    assert (done.json()["variables"], done.json()["left_out"], done.json()["count"]) == (["A", "B"], ["Freq"], None)


def test_a_program_holds_the_conversation(web: Web, bearer: Bearer) -> None:
    client, headers = web(), bearer["custodian"]
    sent = send(client, headers, "/api/drafts")
    assert sent.status_code == 201
    assert sent.json()["preview"]["doubt"] == ["B", "Freq"]
    assert sent.json()["who"] == "custodian"
    refused = client.post("/api/drafts/t/confirm", headers=headers, json={})
    assert refused.status_code == 422 and "could hold counts" in refused.text
    changed = client.patch("/api/drafts/t", headers=headers, json={"count": "Freq", "policy": "w = 4"})
    assert changed.json()["preview"]["total"] == 172
    assert changed.json()["policy"]["w"] == 4
    assert changed.json()["preview"]["ready"]
    old = {"version": sent.json()["version"]}
    assert client.post("/api/drafts/t/confirm", headers=headers, json=old).status_code == 422
    records = client.patch("/api/drafts/t", headers=headers, json={"records": True}).json()["preview"]
    assert (records["records"], records["count"], records["total"]) == (True, None, 4)
    back = client.patch("/api/drafts/t", headers=headers, json={"count": "Freq"}).json()
    assert back["version"] == changed.json()["version"]
    assert client.patch("/api/drafts/t", headers=headers, json={"counts": "x"}).status_code == 422
    assert client.get("/api/drafts", headers=headers).json() == [client.get("/api/drafts/t", headers=headers).json()]
    done = client.post("/api/drafts/t/confirm", headers=headers, json={"version": back["version"]})
    assert done.json() == {"name": "t"}
    assert client.get("/api/drafts/t", headers=headers).status_code == 404
    assert "t" in [d["name"] for d in client.get("/api/datasets", headers=bearer["analyst"]).json()]


def test_a_draft_is_discarded(web: Web, bearer: Bearer) -> None:
    client, headers = web(), bearer["custodian"]
    send(client, headers, "/api/drafts")
    assert client.delete("/api/drafts/t", headers=headers).status_code == 204
    assert client.delete("/api/drafts/t", headers=headers).status_code == 404
    assert client.get("/api/drafts", headers=headers).json() == []


def test_nobody_else_sees_a_draft(web: Web, bearer: Bearer) -> None:
    """Every route, with and without a name that exists, as an analyst and as nobody: no word of it."""
    client = web()
    send(client, bearer["custodian"], "/api/drafts")
    page = web("analyst")
    for method, path in (
        ("GET", "/api/drafts"),
        ("POST", "/api/drafts"),
        ("GET", "/api/drafts/t"),
        ("PATCH", "/api/drafts/t"),
        ("DELETE", "/api/drafts/t"),
        ("POST", "/api/drafts/t/confirm"),
    ):
        body = None if method == "GET" else {}
        assert client.request(method, path, json=body).status_code == 401
        told = client.request(method, path, json=body, headers=bearer["analyst"])
        assert told.status_code == 403
        assert "secret-one" not in told.text
    data = {"csrf": csrf_of(page), "do": "confirm", "count": "=Freq"}
    for method, path in (
        ("GET", "/load"),
        ("POST", "/load"),
        ("GET", "/drafts/t"),
        ("POST", "/drafts/t"),
        ("POST", "/drafts/t/discard"),
        ("GET", "/drafts/none"),
    ):
        told = page.request(method, path, data=data if method == "POST" else None)
        assert told.status_code == 403, path
        assert "secret-one" not in told.text
    seen = client.get("/api/datasets", headers=bearer["analyst"]).text + page.get("/datasets").text
    assert '"t"' not in seen and "secret-one" not in seen
    requested = client.post("/api/datasets/t/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert requested.status_code == 404
    assert client.get("/api/drafts/t", headers=bearer["custodian"]).status_code == 200


def test_published_margins_need_a_word(web: Web, bearer: Bearer, service: Service) -> None:
    client, policy = web(), 'published = ["A:B"]'
    told = send(client, bearer["custodian"], "/api/datasets", count="Freq", policy=policy)
    assert told.status_code == 422
    assert "1 would be known exactly" in told.text
    for secret in ("41", "37", "93", "secret-one"):
        assert secret not in told.text
    done = send(client, bearer["custodian"], "/api/datasets", count="Freq", policy=policy, confirm_published="true")
    assert done.status_code == 201
    assert service.ledger("t")[0].content["confirmed"] is True


def test_limits_answer_413(web: Web, bearer: Bearer, database: Database) -> None:
    client = web()
    reader = Reader(ReadLimits(rows=3))
    try:
        client.app.state.loader = Loader(database, reader)
        for path in ("/api/datasets", "/api/drafts"):
            told = send(client, bearer["custodian"], path)
            assert told.status_code == 413
            assert told.json()["detail"].startswith("the file has more than 3 rows")
        page = web("custodian")
        sent = page.post("/load", data={"csrf": csrf_of(page), "name": "t"}, files={"file": ("t.csv", FREQ)})
        assert sent.status_code == 413 and "more than 3 rows" in sent.text
    finally:
        reader.close()


RULE = {"c": "2", "w": "3", "min_tables": "1", "time_limit": "10", "mode": "exact", "otherwise": "refuse"}


def test_a_custodian_loads_a_table_on_pages(web: Web, service: Service) -> None:
    client = web("custodian")
    csv = autoworkers().to_csv(index=False).encode()
    token = csrf_of(client)
    sent = client.post("/load", data={"csrf": token, "name": "fresh"}, files={"file": ("t.csv", csv)})
    assert sent.url.path == "/drafts/fresh"
    assert sent.text.count('name="variable"') == 6
    assert "1,841 persons in 64 cells" in sent.text
    assert "fresh" in client.get("/load").text
    version = re.findall(r'name="version" value="([^"]+)"', sent.text)[0]
    form = {"csrf": token, "version": version, "count": "=count", "variable": list("ABC"), "do": "confirm"}
    own = {
        **form,
        "distinct": "true",
        "c": "3",
        "w": "4",
        "min_tables": "1",
        "time_limit": "5",
        "mode": "exact",
        "otherwise": "simulate",
    }
    looked = client.post("/drafts/fresh", data={**own, "published": "A\nB:C"})
    assert looked.url.path == "/drafts/fresh"
    assert "You have changed something" in looked.text
    assert "would reveal" in looked.text
    version = re.findall(r'name="version" value="([^"]+)"', looked.text)[0]
    done = client.post("/drafts/fresh", data={**own, "published": "A\r\nB:C", "version": version})
    assert done.url.path == "/datasets/fresh/margins"
    opened = service.open("fresh")
    assert opened.table.names == ("A", "B", "C")
    policy = opened.stored.policy
    assert (policy.c, policy.w, policy.otherwise, policy.published) == (3, 4, "simulate", (("A",), ("B", "C")))
    assert service.ledger("fresh")[0].content["who"] == "custodian"
    assert client.get("/drafts/fresh").status_code == 404


def test_the_page_asks_what_is_in_doubt(web: Web) -> None:
    client = web("custodian")
    token = csrf_of(client)
    sent = client.post("/load", data={"csrf": token, "name": "t"}, files={"file": ("t.csv", FREQ)})
    assert "Not settled yet" in sent.text
    assert "Confirm and open" not in sent.text
    unsaid = client.post("/drafts/t", data={"csrf": token, "do": "confirm", **RULE})
    assert unsaid.status_code == 422 and "Say which column" in unsaid.text
    form = {"csrf": token, "count": "=Freq", "variable": ["A", "B"], "do": "look", **RULE}
    shown = client.post("/drafts/t", data=form)
    assert "172 persons in 4 cells" in shown.text
    bad = client.post("/drafts/t", data={**form, "c": "some", "w": "7"})
    assert bad.status_code == 422
    assert "c must be a whole number" in bad.text and 'value="7"' in bad.text
    other = web("custodian")
    assert other.get("/drafts/t").status_code == 200
    gone = other.post("/drafts/t/discard", data={"csrf": csrf_of(other)})
    assert gone.url.path == "/load"
    assert client.get("/drafts/t").status_code == 404


def test_the_page_shows_what_declared_margins_reveal(web: Web, service: Service) -> None:
    client = web("custodian")
    token = csrf_of(client)
    client.post("/load", data={"csrf": token, "name": "t"}, files={"file": ("t.csv", FREQ)})
    form = {"csrf": token, "count": "=Freq", "variable": ["A", "B"], **RULE, "published": "A:B"}
    shown = client.post("/drafts/t", data={**form, "do": "look"})
    assert "1 would be known exactly" in shown.text
    assert 'name="confirm_published"' in shown.text
    version = re.findall(r'name="version" value="([^"]+)"', shown.text)[0]
    final = {**form, "version": version, "do": "confirm"}
    refused = client.post("/drafts/t", data=final)
    assert refused.status_code == 422 and "breaks its own rule" in refused.text
    assert client.post("/drafts/t", data={**final, "confirm_published": "true"}).url.path == "/datasets/t/margins"
    assert service.ledger("t")[0].content["confirmed"] is True


@pytest.mark.parametrize("path", ["/load", "/drafts/t", "/drafts/t/discard"])
def test_forms_need_the_sessions_secret(web: Web, path: str) -> None:
    client = web("custodian")
    token = csrf_of(client)
    client.post("/load", data={"csrf": token, "name": "t"}, files={"file": ("t.csv", FREQ)})
    files = {"file": ("t.csv", FREQ)} if path == "/load" else None
    data = {"csrf": "no", "name": "forged", "count": "=Freq", "do": "confirm"}
    assert client.post(path, data=data, files=files).status_code == 403
    foreign = {"Origin": "https://evil.example"}
    assert client.post(path, data={**data, "csrf": token}, files=files, headers=foreign).status_code == 403
    assert client.get("/drafts/t").status_code == 200


def test_a_dataset_called_new(web: Web, bearer: Bearer) -> None:
    client = web()
    done = client.post(
        "/api/datasets", headers=bearer["custodian"], data={"name": "new"}, files={"file": ("t.csv", b"A,count\nx,9\n")}
    )
    assert done.status_code == 201
    assert "Load a table" not in web("analyst").get("/datasets/new").text
