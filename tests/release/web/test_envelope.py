"""What surrounds every answer: its headers, one line in the log, and nothing of the data, whatever goes wrong."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from discreet.release.web.envelope import Envelope

SCOPE = {"type": "http", "method": "GET", "path": "/datasets/eve", "headers": [], "query_string": b"name=eve"}


def _sent(app: Any, **scope: Any) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    asyncio.run(Envelope(app, headers={"X-Frame-Options": "DENY"})({**SCOPE, **scope}, receive, send))
    return sent


async def _fine(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": [(b"a", b"b")]})
    await send({"type": "http.response.body", "body": b""})


async def _fails(scope: Any, receive: Any, send: Any) -> None:
    raise ValueError("Eve Smith earns 7")


async def _fails_late(scope: Any, receive: Any, send: Any) -> None:
    await _fine(scope, receive, send)
    raise ValueError("Eve Smith earns 7")


def test_every_answer_has_the_headers_and_is_not_kept() -> None:
    headers = _sent(_fine)[0]["headers"]
    assert headers == [(b"a", b"b"), (b"x-frame-options", b"DENY"), (b"cache-control", b"no-store")]
    assert (b"cache-control", b"no-store") not in _sent(_fine, path="/static/a.css")[0]["headers"]


def test_the_log_names_no_dataset(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "discreet.release"):
        _sent(_fine)
    assert len(caplog.messages) == 1
    assert "GET - 204" in caplog.messages[0] and "eve" not in caplog.text


def test_an_unforeseen_error_is_told_by_type_and_place(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "discreet.release"):
        sent = _sent(_fails)
    assert sent[0]["status"] == 500
    assert (b"x-frame-options", b"DENY") in sent[0]["headers"]
    assert "unexpected ValueError at test_envelope.py" in caplog.text
    number = caplog.messages[0].split()[0]
    body = b"".join(message.get("body", b"") for message in sent)
    assert number.encode() in body  # who was told of it can find it in the log
    assert "Eve" not in caplog.text and b"Eve" not in body


def test_what_has_begun_is_answered_once(caplog: pytest.LogCaptureFixture) -> None:
    sent = _sent(_fails_late)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert "unexpected ValueError" in caplog.text


def test_other_connections_pass() -> None:
    async def other(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "lifespan.startup.complete"})

    assert _sent(other, type="lifespan") == [{"type": "lifespan.startup.complete"}]
