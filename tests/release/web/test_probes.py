"""`/health` and `/ready` without a token, and a real server that answers while it compiles."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_alive_and_ready(web: Callable[..., Any]) -> None:
    client = web()
    assert client.get("/health").json() == {"status": "alive"}
    got = client.get("/ready")
    assert got.status_code == 200
    assert got.json() == {"ready": True, "database": "reachable", "schema": "right", "decisions": "warm"}
    assert got.headers["cache-control"] == "no-store"


def test_not_ready_is_503(web: Callable[..., Any]) -> None:
    client = web()
    client.app.state.probe.warmth.failed = True
    got = client.get("/ready")
    assert got.status_code == 503
    assert int(got.headers["retry-after"]) > 0
    assert got.json()["decisions"] == "failed"
    assert client.get("/health").status_code == 200


def fetch(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.xdist_group("server")
def test_a_first_start_answers_before_it_has_compiled(
    start_server: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an empty cache: alive at once, not ready yet; log lines are JSON; metrics have a port of their own."""
    import socket

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = start_server(str(tmp_path / "d.db"), "--log-format", "json", "--metrics-port", str(port), probe="/health")
    assert fetch(server.url + "/health")[0] == 200
    status, body = fetch(server.url + "/ready")
    assert status == 503
    assert json.loads(body) == {"ready": False, "database": "reachable", "schema": "right", "decisions": "warming"}
    # What was answered is counted after the answer has left.
    told = (fetch(f"http://127.0.0.1:{port}/metrics")[1] for _ in range(200))
    assert any('route="/ready"' in text for text in told)
    assert fetch(server.url + "/metrics")[0] == 401
    server.stop()
    assert server.process.returncode == 0
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    assert {"route": "/ready", "status": 503}.items() <= next(x for x in lines if x["route"] == "/ready").items()


def test_a_wrong_log_format_is_an_error(discreet: Callable[..., Any], tmp_path: Path) -> None:
    assert discreet("serve", "--database", tmp_path / "d.db", "--log-format", "xml").code == 2
    assert not (tmp_path / "d.db").exists()
