"""The client waits where the server asks it to, and keeps a variable that is called synthetic."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from discreet.client import Client, ServerError

Script = list[tuple[int, dict[str, Any]]]


@pytest.fixture
def scripted() -> Iterator[tuple[str, Script]]:
    """A server that answers as it is told, one answer after the other; the last one stays."""
    script: Script = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, content = script.pop(0) if len(script) > 1 else script[0]
            body = json.dumps(content).encode()
            self.send_response(status)
            if status in (429, 503):
                self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", script
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("status", [429, 503])
def test_it_comes_back(scripted: tuple[str, Script], status: int) -> None:
    url, script = scripted
    script += [(status, {"detail": "later"}), (status, {"detail": "later"}), (200, {"rows": 1})]
    assert Client(url, "t").ledger() == {"rows": 1}


def test_a_defect_is_told_at_once(scripted: tuple[str, Script]) -> None:
    url, script = scripted
    script += [(500, {"detail": "internal error"}), (200, {})]
    with pytest.raises(ServerError, match="500"):
        Client(url, "t").ledger("auto")


def test_a_variable_called_synthetic(scripted: tuple[str, Script]) -> None:
    url, script = scripted
    row = {"synthetic": "yes", "count": 3}
    told = {"answer": "simulate", "reason": "", "variables": ["synthetic"], "margin": [row], "entry": "0" * 64}
    script.append((200, told))
    margin = Client(url, "t").request("auto", ["synthetic"]).margin
    assert list(margin["synthetic"]) == ["yes"]
    assert list(margin["synthetic_"]) == [True]
