"""Files through the HTTP interface: named or negotiated formats, and no decision by a GET."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from oracles.exchange import read_json_stat, read_px, read_sdmx
from release_tables import declared

from discreet.release.engine import Table
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service

Bearer = dict[str, dict[str, str]]
PATH = "/api/datasets/auto/margins/file"


@pytest.fixture
def client(web: Callable[..., Any]) -> Any:
    return web()


def test_every_format_tells_the_same(
    client: Any, bearer: Bearer, service: Service, analyst: Actor, auto: Table
) -> None:
    service.ask(analyst, "auto", ["A", "B"])

    def get(format: str) -> bytes:
        got = client.get(PATH, params={"v": ["A", "B"], "format": format}, headers=bearer["analyst"])
        assert got.status_code == 200
        return bytes(got.content)

    expected = auto.margin(["A", "B"]).dense().reshape(-1).tolist()
    px, stat = read_px(get("px")), read_json_stat(get("json-stat"))
    sdmx = read_sdmx(get("sdmx-csv"), get("sdmx-structure"))
    for read in (px, stat, sdmx):
        assert list(read.cells.values()) == expected
        assert read.names == ["A", "B"]
    assert [int(line.split(b",")[-1]) for line in get("csv").splitlines()[1:]] == expected
    assert [e.content["variables"] for e in service.ledger("auto")[1:]] == [["A", "B"]] * 6


def test_a_synthetic_margin_says_so_in_each(
    client: Any, bearer: Bearer, service: Service, analyst: Actor, auto: Table
) -> None:
    service.add("custodian", "synth", auto, Policy(otherwise="simulate"), codebook=declared(auto), distinct=True)
    assert service.ask(analyst, "synth", list("ABCDEF")).synthetic
    for format in ("csv", "json", "json-stat", "px", "sdmx-csv", "sdmx-structure"):
        params = {"v": list("ABCDEF"), "format": format}
        got = client.get("/api/datasets/synth/margins/file", params=params, headers=bearer["analyst"])
        assert "synthetic" in got.text.lower()
        assert "synthetic" in got.headers["content-disposition"]


def test_fetching_decides_nothing(client: Any, bearer: Bearer, service: Service, analyst: Actor) -> None:
    service.ask(analyst, "auto", list("ABCDEF"))
    entries = len(service.ledger("auto"))
    refused = client.get(PATH, params={"v": list("ABCDEF"), "format": "px"}, headers=bearer["analyst"])
    unasked = client.get(PATH, params={"v": ["A"], "format": "px"}, headers=bearer["analyst"])
    assert (refused.status_code, unasked.status_code) == (409, 409)
    assert refused.text == unasked.text
    assert len(service.ledger("auto")) == entries


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("", "application/json"),
        ("text/csv", "text/csv"),
        ("text/*", "text/csv"),
        ("application/vnd.sdmx.data+csv; version=2.0.0", "application/vnd.sdmx.data+csv"),
        ("application/json;q=0.2, application/vnd.json-stat+json", "application/vnd.json-stat+json"),
        ("application/vnd.apache.parquet;q=0.9, */*;q=0.1", "application/vnd.apache.parquet"),
        ("application/json;q=0, text/csv;q=0.001", "text/csv"),
        ("application/octet-stream", "application/octet-stream"),
    ],
)
def test_negotiated_formats(
    client: Any, bearer: Bearer, service: Service, analyst: Actor, accept: str, kind: str
) -> None:
    service.ask(analyst, "auto", ["A"])
    got = client.get(PATH, params={"v": ["A"]}, headers={**bearer["analyst"], "Accept": accept})
    assert got.status_code == 200
    assert got.headers["content-type"].split(";")[0] == kind


@pytest.mark.parametrize("accept", ["image/png", "text/csv;q=0", "text/csv;q=nonsense", ";;;"])
def test_nothing_acceptable(client: Any, bearer: Bearer, service: Service, analyst: Actor, accept: str) -> None:
    service.ask(analyst, "auto", ["A"])
    got = client.get(PATH, params={"v": ["A"]}, headers={**bearer["analyst"], "Accept": accept})
    assert got.status_code == 406


def test_who_may(client: Any, bearer: Bearer) -> None:
    assert client.get(PATH, params={"v": ["A"]}).status_code == 401
    assert client.get(PATH, params={"v": ["Z"]}, headers=bearer["analyst"]).status_code == 422
    assert client.get(PATH, params={"v": ["A"], "format": "exe"}, headers=bearer["analyst"]).status_code == 422
    assert client.get("/api/datasets/none/margins/file", headers=bearer["analyst"]).status_code == 404
