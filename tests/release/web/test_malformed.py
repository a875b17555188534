"""What is not HTTP gets a clean answer too."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest
import uvicorn

from discreet.release.web.connections import PunctualConnection
from discreet.release.web.headers import HEADERS


async def application(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("nothing should get here")


@pytest.mark.parametrize(
    "sent", [b"nonsense\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"GET / HTTP/1.1\r\nbad header\r\n\r\n"]
)
def test_nonsense(sent: bytes) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application, http=PunctualConnection, lifespan="off", log_config=None, server_header=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        with socket.create_connection(listening.getsockname(), timeout=10) as client:
            client.sendall(sent)
            told = b""
            while part := client.recv(4096):
                told += part
    finally:
        server.should_exit = True
        thread.join(10)
    head, _, body = told.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    for name, value in HEADERS.items():
        assert f"{name}: {value}".encode() in head
    assert body == b'{"detail":"this is not a valid HTTP request"}'
