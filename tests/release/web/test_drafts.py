"""The conversation about a file, by programs: nothing is visible to analysts before it is confirmed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

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


def test_a_dataset_called_new(web: Web, bearer: Bearer) -> None:
    client = web()
    done = client.post(
        "/api/datasets", headers=bearer["custodian"], data={"name": "new"}, files={"file": ("t.csv", b"A,count\nx,9\n")}
    )
    assert done.status_code == 201
    assert "Load a table" not in web("analyst").get("/datasets/new").text
