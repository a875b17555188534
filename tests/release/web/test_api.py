"""The HTTP interface: the contract, who may do what, limits, and that nothing confidential gets out."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from release_tables import declared

from discreet.datasets import autoworkers
from discreet.release import engine, tokens
from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.web.app import create_app
from discreet.release.web.settings import Settings

Bearer = dict[str, dict[str, str]]
POLICY = 'c = 2\nw = 3\nmin_tables = 1\nmode = "exact"\notherwise = "refuse"\ntime_limit = 10\n'


@pytest.fixture
def client(web: Callable[..., Any]) -> Any:
    return web()


def csv_of(frame: Any) -> bytes:
    return frame.to_csv(index=False).encode()


def times(factor: int) -> Any:
    """Another table of the same variables."""
    frame = autoworkers()
    return frame.assign(count=frame["count"] * factor)


def test_a_release(client: Any, bearer: Bearer, auto: Table) -> None:
    told = client.post("/api/datasets/auto/requests", json={"variables": ["B", "A"]}, headers=bearer["analyst"])
    assert told.status_code == 200
    body = told.json()
    assert body["answer"] == "release"
    assert body["variables"] == ["A", "B"]
    assert [set(row) for row in body["margin"]] == [{"A", "B", "count"}] * 4
    assert sum(row["count"] for row in body["margin"]) == auto.total
    assert len(body["entry"]) == 64


def test_a_refusal_gives_no_counts(client: Any, bearer: Bearer) -> None:
    told = client.post("/api/datasets/auto/requests", json={"variables": list("ABCDEF")}, headers=bearer["analyst"])
    assert told.json()["answer"] == "refuse"
    assert told.json()["margin"] is None
    assert client.get("/api/datasets/auto/margins", headers=bearer["analyst"]).json() == []


def test_refusals_all_read_the_same(client: Any, bearer: Bearer) -> None:
    """From the frontier, by a bound or by lack of time: an analyst cannot tell."""
    texts = set()
    for variables in ("ABCDEF", "ABCDEF", "ACDEFB"):
        path = "/api/datasets/auto/requests"
        told = client.post(path, json={"variables": list(variables)}, headers=bearer["analyst"]).json()
        told.pop("entry")
        texts.add(json.dumps(told))
    assert len(texts) == 1


def test_descriptions_do_not_depend_on_counts(client: Any, bearer: Bearer, service: Service, auto: Table) -> None:
    zero = Table(auto.names, auto.categories, (auto.dense() > 40).astype(int))
    service.add("custodian", "other", zero, Policy(), codebook=declared(auto))
    told = client.get("/api/datasets", headers=bearer["analyst"]).json()
    first, second = ({k: v for k, v in d.items() if k != "name"} for d in told)
    assert first == second
    assert set(first) == {"variables", "categories", "labels", "stage", "unit", "population", "predecessor"}
    assert first["categories"] == {name: list(levels) for name, levels in zip(auto.names, auto.categories)}


def test_what_was_released_is_listed(client: Any, bearer: Bearer) -> None:
    for variables in (["A"], ["A", "B"], ["C"]):
        client.post("/api/datasets/auto/requests", json={"variables": variables}, headers=bearer["analyst"])
    told = client.get("/api/datasets/auto/margins", headers=bearer["analyst"]).json()
    assert [m["variables"] for m in told] == [["C"], ["A", "B"]]


def test_uploads(client: Any, bearer: Bearer) -> None:
    frame = times(2)
    parquet = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(times(3)), parquet)
    for name, file in {"one": ("t.csv", csv_of(frame)), "two": ("t.parquet", parquet.getvalue())}.items():
        form = {"data": {"name": name, "policy": POLICY}, "files": {"file": file}}
        assert client.post("/api/datasets", headers=bearer["analyst"], **form).status_code == 403
        assert client.post("/api/datasets", **form).status_code == 401
        done = client.post("/api/datasets", headers=bearer["custodian"], **form)
        assert done.status_code == 201
        assert done.json()["variables"] == list("ABCDEF")
        assert client.post("/api/datasets", headers=bearer["custodian"], **form).status_code == 422
    chosen = {"name": "three", "variables": "A:C", "policy": POLICY}
    done = client.post(
        "/api/datasets", headers=bearer["custodian"], data=chosen, files={"file": ("t.csv", csv_of(times(4)))}
    )
    assert done.json()["variables"] == ["A", "C"]


def test_a_policy_may_be_a_file(client: Any, bearer: Bearer) -> None:
    files = {"file": ("t.csv", csv_of(times(2))), "policy": ("p.toml", POLICY.encode())}
    done = client.post("/api/datasets", headers=bearer["custodian"], data={"name": "filed"}, files=files)
    assert done.status_code == 201


@pytest.mark.parametrize(
    ("file", "data"),
    [
        (("t.csv", b""), {"name": "x"}),
        (("t.csv", b"A,count\nx,-3\n"), {"name": "x"}),
        (("t.csv", b"A,count\nx,1.5\n"), {"name": "x"}),
        (("t.exe", b"A,count\nx,1\n"), {"name": "x"}),
        (("t.parquet", b"not parquet"), {"name": "x"}),
        (("t.csv", b"A,count\nx,1\n"), {"name": "../x"}),
        (("t.csv", b"A,count\nx,1\n"), {"name": "x", "policy": "c = 'many'"}),
        (("t.csv", b"A,count\nx,1\n"), {"name": "x", "variables": "A:Q"}),
        (("t.csv", b"A,count\nx,0\n"), {"name": "x"}),
        (("t.csv", b"\xff\xfe\x00\xd8A"), {"name": "x"}),
    ],
)
def test_bad_uploads_leave_nothing(client: Any, bearer: Bearer, file: tuple[str, bytes], data: dict[str, str]) -> None:
    done = client.post("/api/datasets", headers=bearer["custodian"], data=data, files={"file": file})
    assert done.status_code == 422, done.text
    assert "/tmp" not in done.text
    assert len(client.get("/api/datasets", headers=bearer["custodian"]).json()) == 1


def test_a_body_that_is_no_form(client: Any, bearer: Bearer) -> None:
    assert client.post("/api/datasets", headers=bearer["custodian"], json={}).status_code == 415


@pytest.mark.parametrize("given", [None, "Bearer nonsense", "Basic abc", "Bearer ", "Bearer \u00e9"])
def test_tokens_are_needed(client: Any, given: str | None) -> None:
    headers = {} if given is None else {"Authorization": given.encode("latin-1")}
    for method, path in (
        ("GET", "/api/datasets"),
        ("POST", "/api/datasets"),
        ("POST", "/api/datasets/auto/requests"),
        ("GET", "/api/datasets/auto/margins"),
        ("GET", "/api/datasets/auto/ledger"),
    ):
        told = client.request(method, path, headers=headers)
        assert told.status_code == 401
        assert told.headers["www-authenticate"] == "Bearer"


def test_a_session_is_no_token(web: Callable[..., Any]) -> None:
    """The interface for programs does not look at cookies: no other site can use a browser's session on it."""
    assert web("custodian").get("/api/datasets").status_code == 401


def test_a_revoked_token_ends_at_once(client: Any, bearer: Bearer, database: Database) -> None:
    assert client.get("/api/datasets", headers=bearer["analyst"]).status_code == 200
    tokens.revoke_token(database, "analyst")
    assert client.get("/api/datasets", headers=bearer["analyst"]).status_code == 401


def test_custodians_have_an_unresolved_margin_tried_again(
    client: Any, bearer: Bearer, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(role: str, path: str, **more: object) -> Any:
        path = f"/api/datasets/auto/{path}"
        return client.post(path, json={"variables": ["A", "B"], **more}, headers=bearer[role])

    with monkeypatch.context() as patched:
        flags = np.zeros(3, bool)
        patched.setattr(engine, "judge_widths", lambda *_: engine.Verdicts(flags, flags, "exact", {}))
        first = ask("analyst", "requests").json()
        assert first["answer"] == "refuse"
    again = ask("analyst", "requests").json()  # too early, although it could be settled now
    assert {**again, "entry": ""} == {**first, "entry": ""}
    assert ask("analyst", "retry", time_limit=60).status_code == 403
    for limit in (0, -1, 3601, "60", None, True):
        assert ask("custodian", "retry", time_limit=limit).status_code == 422
    assert ask("custodian", "retry").status_code == 422
    assert ask("custodian", "retry", time_limit=3600).json()["answer"] == "release"
    assert ask("analyst", "requests").json()["answer"] == "release"
    contents = [entry.content for entry in service.ledger("auto")[1:]]
    assert [(c["who"], c["ground"], c.get("limit")) for c in contents] == [
        ("analyst", "unresolved", None),
        ("analyst", "unresolved", None),
        ("custodian", "safe", 3600.0),
        ("analyst", "contained", None),
    ]
    assert audit(service.database).intact


def test_the_ledger_is_for_custodians(client: Any, bearer: Bearer) -> None:
    client.post("/api/datasets/auto/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert client.get("/api/datasets/auto/ledger", headers=bearer["analyst"]).status_code == 403
    entries = client.get("/api/datasets/auto/ledger", headers=bearer["custodian"]).json()
    assert [e["content"]["what"] for e in entries] == ["opened", "answer"]
    assert entries[1]["content"]["who"] == "analyst"
    assert entries[1]["previous"] == entries[0]["hash"]
    later = client.get("/api/datasets/auto/ledger?after=1&limit=5", headers=bearer["custodian"]).json()
    assert later == entries[1:]


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"[]",
        b"nonsense",
        b'{"variables": "A"}',
        b'{"variables": ["A", "A"]}',
        b'{"variables": ["Z"]}',
        b'{"variables": [1]}',
        b'{"variables": ["A"], "more": 1}',
        b'{"variables": [""]}',
        b'{"variables": ["\\u0000"]}',
    ],
)
def test_bad_requests_leave_no_entry(client: Any, bearer: Bearer, body: bytes) -> None:
    headers = {**bearer["analyst"], "Content-Type": "application/json"}
    told = client.post("/api/datasets/auto/requests", content=body, headers=headers)
    assert told.status_code == 422
    assert told.json()["faults"]
    assert len(client.get("/api/datasets/auto/ledger", headers=bearer["custodian"]).json()) == 1


@pytest.mark.parametrize("name", ["none", "AUTO", "%00", "..", "auto%2Fx", "x" * 80])
def test_unknown_datasets(client: Any, bearer: Bearer, name: str) -> None:
    told = client.post(f"/api/datasets/{name}/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert told.status_code in (404, 405, 422)


def test_large_bodies_are_refused(client: Any, bearer: Bearer) -> None:
    big = b'{"variables": ["' + b"A" * 70_000 + b'"]}'
    headers = {**bearer["analyst"], "Content-Type": "application/json"}
    assert client.post("/api/datasets/auto/requests", content=big, headers=headers).status_code == 413
    pieces = (big[i : i + 1000] for i in range(0, len(big), 1000))
    assert client.post("/api/datasets/auto/requests", content=pieces, headers=headers).status_code == 413


def test_large_uploads_are_refused(database: Database, bearer: Bearer, service: Service) -> None:
    from starlette.testclient import TestClient

    client = TestClient(create_app(Settings(warm=False, max_upload=2000), database), base_url="https://testserver")
    form = {"data": {"name": "big"}, "files": {"file": ("t.csv", csv_of(autoworkers()) * 9)}}
    assert client.post("/api/datasets", headers=bearer["custodian"], **form).status_code == 413


def test_too_many_cells_are_refused(client: Any, bearer: Bearer, monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.release.loading import checks

    monkeypatch.setattr(checks, "MAX_CELLS", 32)
    form = {"data": {"name": "big"}, "files": {"file": ("t.csv", csv_of(autoworkers()))}}
    told = client.post("/api/datasets", headers=bearer["custodian"], **form)
    assert told.status_code == 422
    assert "64 cells" in told.text


def test_one_token_may_not_ask_too_often(database: Database, bearer: Bearer, service: Service) -> None:
    from starlette.testclient import TestClient

    client = TestClient(create_app(Settings(warm=False, rate=0.1, burst=5), database))
    codes = [client.get("/api/datasets", headers=bearer["analyst"]).status_code for _ in range(7)]
    assert codes == [200] * 5 + [429] * 2
    told = client.get("/api/datasets", headers=bearer["analyst"])
    assert int(told.headers["retry-after"]) >= 1
    assert client.get("/api/datasets", headers=bearer["custodian"]).status_code == 200


def test_a_defect_gives_nothing_away(
    client: Any, bearer: Bearer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("secret count 4711")

    monkeypatch.setattr(engine, "judge_widths", broken)
    with caplog.at_level(logging.DEBUG):
        told = client.post("/api/datasets/auto/requests", json={"variables": ["A"]}, headers=bearer["analyst"])
    assert told.status_code == 500
    assert "4711" not in told.text
    assert "4711" not in caplog.text
    assert "ValueError" in caplog.text
    assert len(client.get("/api/datasets/auto/ledger", headers=bearer["custodian"]).json()) == 1


def test_logs_name_nobody_and_nothing(client: Any, bearer: Bearer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "discreet.release"):
        client.post("/api/datasets/auto/requests", json={"variables": ["A", "B"]}, headers=bearer["analyst"])
    lines = [r.getMessage() for r in caplog.records if r.name == "discreet.release"]
    assert len(lines) == 1
    assert "/api/datasets/{name}/requests 200" in lines[0]
    for secret in ("auto", '"A"', "analyst", bearer["analyst"]["Authorization"].split()[1], "522"):
        assert secret not in lines[0]


def test_every_answer_has_its_headers(client: Any, bearer: Bearer) -> None:
    for told in (
        client.get("/api/datasets", headers=bearer["analyst"]),
        client.get("/api/datasets"),
        client.get("/login"),
        client.get("/nowhere"),
    ):
        assert "frame-ancestors 'none'" in told.headers["content-security-policy"]
        assert told.headers["x-content-type-options"] == "nosniff"
        assert told.headers["cache-control"] == "no-store"


def test_the_description_lists_the_contract(client: Any) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {path: set(methods) for path, methods in paths.items()} == {
        "/api/datasets": {"get", "post"},
        "/api/drafts": {"get", "post"},
        "/api/drafts/{name}": {"get", "patch", "delete"},
        "/api/drafts/{name}/confirm": {"post"},
        "/api/datasets/{name}/requests": {"post"},
        "/api/datasets/{name}/retry": {"post"},
        "/api/datasets/{name}/margins": {"get"},
        "/api/datasets/{name}/margins/file": {"get"},
        "/api/datasets/{name}/ledger": {"get"},
        "/api/ledger": {"get"},
        "/api/datasets/{name}/life": {"get"},
        "/api/datasets/{name}/policy": {"post"},
        "/api/datasets/{name}/stage": {"post"},
        "/api/proposals": {"get"},
        "/api/proposals/{number}/confirm": {"post"},
        "/api/proposals/{number}/reject": {"post"},
    }
