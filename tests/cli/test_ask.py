"""`discreet ask`: each answer has its exit code, a file where there are counts, and no word of the token."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pandas as pd
import pytest

Run = Callable[..., Any]
COUNTS = [{"A": "x", "count": 5}, {"A": "y", "count": 7}]
TOLD: dict[str, dict[str, Any]] = {
    "release": {"margin": COUNTS},
    "refuse": {"margin": None},
    "simulate": {"margin": [{**row, "synthetic": True} for row in COUNTS], "synthetic": True},
    "suppress": {"margin": [COUNTS[0], {"A": "y", "count": None}], "hidden": 1},
    "round": {"margin": COUNTS, "base": 5},
}


class Stub:
    """A release server of one answer; what was asked of it is kept."""

    def __init__(self) -> None:
        self.answer = "release"
        self.asked: list[tuple[str, str, Any, str | None]] = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                self.keep(json.loads(self.rfile.read(length)))
                head = {"answer": stub.answer, "reason": "why", "variables": ["A"], "entry": "f" * 64}
                told = {**head, "synthetic": False, "hidden": 0, "base": 1, **TOLD[stub.answer]}
                self.send(json.dumps(told).encode())

            def do_GET(self) -> None:
                self.keep(None)
                self.send(b'AXIS-VERSION="2013";\n')

            def keep(self, body: Any) -> None:
                stub.asked.append((self.command, self.path, body, self.headers.get("Authorization")))

            def send(self, body: bytes) -> None:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    monkeypatch.setenv("DISCREET_TOKEN", "my-secret")
    monkeypatch.delenv("DISCREET_TOKEN_FILE", raising=False)
    made = Stub()
    thread = Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@pytest.mark.parametrize(
    ("answer", "code"), [("release", 0), ("refuse", 3), ("simulate", 4), ("suppress", 5), ("round", 5)]
)
def test_each_answer_has_its_code(stub: Stub, discreet: Run, tmp_path: Path, answer: str, code: int) -> None:
    stub.answer, out = answer, tmp_path / "out.csv"
    ran = discreet("ask", stub.url, "auto", "A", "-o", out)
    assert ran.code == code
    assert f"{answer}: why" in ran.err and f"receipt {'f' * 64}" in ran.err
    assert "my-secret" not in ran.out + ran.err
    assert stub.asked == [("POST", "/api/datasets/auto/requests", {"variables": ["A"]}, "Bearer my-secret")]
    if answer == "refuse":
        assert not out.exists()
        return
    frame = pd.read_csv(out)
    assert frame["A"].tolist() == ["x", "y"]
    assert frame["count"].fillna(-1).tolist() == [5, -1 if answer == "suppress" else 7]
    if answer == "simulate":
        assert frame["synthetic"].all()
    if answer in ("suppress", "round"):
        assert "status" in frame.columns


def test_standard_output_holds_counts_and_nothing_else(stub: Stub, discreet: Run) -> None:
    ran = discreet("ask", stub.url, "auto", "A", "--quiet")
    assert (ran.code, ran.out.split(), ran.err) == (0, ["A,count", "x,5", "y,7"], "")


def test_formats_of_offices_are_fetched_and_only_of_what_was_told(stub: Stub, discreet: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.PX"
    assert discreet("ask", stub.url, "auto", "A", "-o", out).code == 0
    assert out.read_text().startswith("AXIS-VERSION")
    assert stub.asked[1][:2] == ("GET", "/api/datasets/auto/margins/file?v=A&format=px")
    stub.answer, other = "refuse", tmp_path / "other.px"
    assert discreet("ask", stub.url, "auto", "A", "-o", other).code == 3
    assert not other.exists()
    assert [command for command, *_ in stub.asked] == ["POST", "GET", "POST"]


@pytest.mark.parametrize("name", ["out.csv", "out.px", "out.exe"])
def test_nothing_is_asked_where_the_answer_could_not_be_kept(
    stub: Stub, discreet: Run, tmp_path: Path, name: str
) -> None:
    """A request is entered in the ledger for good: that the file exists is said before."""
    out = tmp_path / name
    out.write_text("precious")
    assert discreet("ask", stub.url, "auto", "A", "-o", out).code == 2
    assert out.read_text() == "precious"
    assert stub.asked == []


def test_where_the_token_comes_from(discreet: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens at the address: whether it is called shows that a token was found."""
    for name in ("DISCREET_TOKEN", "DISCREET_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    kept = tmp_path / "my.token"
    kept.write_text("in-a-file\n")
    kept.chmod(0o600)
    ask = ("ask", "http://127.0.0.1:9", "auto", "A")
    assert "a token is needed" in discreet(*ask).err
    assert "not both" in discreet(*ask, "--token", "x", "--token-file", kept).err
    for words in (("--token-file", kept), ("--token", "x")):
        done = discreet(*ask, *words)
        assert done.code == 2
        assert "does not answer" in done.err
        assert "chmod" not in done.err
    kept.chmod(0o644)
    assert "chmod 600" in discreet(*ask, "--token-file", kept).err
