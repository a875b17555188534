"""Clients that send or fetch too slowly are cut off; those that keep their time, or wait for us, are not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvicorn

from discreet.release.web import connections
from discreet.release.web.connections import PunctualConnection

LARGE = b"x" * (64 << 20)


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/slow":
        await asyncio.sleep(20 * connections.SECONDS)
    body = LARGE if scope["path"] == "/large" else b"well"
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SECONDS", 0.2)
    monkeypatch.setattr(connections, "LOOK", 0.02)


def with_server(client: Callable[[int], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        config = uvicorn.Config(app, port=0, http=PunctualConnection, log_config=None, lifespan="off", ws="none")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            return await asyncio.wait_for(client(server.servers[0].sockets[0].getsockname()[1]), 300)
        finally:
            server.should_exit = server.force_exit = True
            await serving

    return asyncio.run(run())


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"],
    ids=["nothing", "half a line", "half a head", "half a body"],
)
@pytest.mark.parametrize("before", [0, 1])
def test_a_request_that_does_not_arrive_is_given_up(sent: bytes, before: int) -> None:
    async def client(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(before):
            writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await reader.readuntil(b"well")
        if before and not sent:
            return b""  # between requests it may rest
        writer.write(sent)
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""

    assert with_server(client) == b""


def test_drop_by_drop_is_too_slow() -> None:
    async def client(port: int) -> int:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
        sent = 0
        try:
            while True:
                writer.write(b"a")
                await writer.drain()
                sent += 1
                await asyncio.sleep(0.01)
        except ConnectionError:
            return sent

    assert 0 < with_server(client) < 100_000


def test_an_answer_that_is_not_fetched_is_given_up() -> None:
    async def client(port: int) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        await asyncio.sleep(10 * connections.SECONDS)
        got = 0
        try:
            while piece := await reader.read(1 << 20):
                got += len(piece)
        except ConnectionError:
            pass
        writer.close()
        return got

    assert with_server(client) < len(LARGE)


def test_whoever_waits_for_us_or_is_quick_stays() -> None:
    async def client(port: int) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for path in (b"/", b"/slow", b"/"):
            writer.write(b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" % path)
            await reader.readuntil(b"well")
            await asyncio.sleep(2 * connections.SECONDS)
        return 3

    assert with_server(client) == 3
