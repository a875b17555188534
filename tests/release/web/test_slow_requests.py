"""Slow requests of one token: others are answered, nothing waits for them, and the server stops when told to."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from web_askers import Asker

from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history.database import open_database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import create_token

Start = Callable[..., Any]
pytestmark = pytest.mark.xdist_group("server")
PROGRAM = (str(Path(__file__).parents[2] / "slow_server.py"),)


def slow_table() -> Table:
    return Table(("slow", "B", "C"), (("a", "b"),) * 3, np.array([[[1, 4], [6, 2]], [[5, 7], [3, 9]]]))


def prepare(url: str, auto: Table, time_limit: float, analysts: int = 2) -> list[str]:
    """Datasets `auto` and `other` that decide at once, `slow0` … that do not; a token per analyst."""
    database = open_database(url, create=True)
    service = Service(database)
    rule = Policy(time_limit=time_limit, published=((),))
    for number in range(4):
        service.add("custodian", f"slow{number}", slow_table(), rule, distinct=True)
    service.add("custodian", "auto", auto, Policy(published=(("A", "B", "C"),)), distinct=True)
    service.add("custodian", "other", auto, Policy(), distinct=True)
    tokens = [create_token(database, "analyst", f"analyst{i}")[0] for i in range(analysts)]
    database.close()
    return tokens


class Crowd:
    """Many requests at once by one token, each on a connection of its own."""

    def __init__(self, port: int, token: str, number: int) -> None:
        self.askers = [Asker(port, token, f"slow{i % 4}") for i in range(number)]
        self.threads = [threading.Thread(target=self._ask, args=(a,), daemon=True) for a in self.askers]
        for thread in self.threads:
            thread.start()

    @staticmethod
    def _ask(asker: Asker) -> None:
        try:
            asker.ask(("slow", "B"))
        except OSError:
            asker.codes.append(0)

    def codes(self) -> list[int]:
        return [code for asker in self.askers for code in asker.codes]

    def until(self, told: int) -> None:
        """Wait until so many have been answered: the others wait in line."""
        for _ in range(6000):
            if len(self.codes()) >= told:
                return
            time.sleep(0.02)
        raise AssertionError(f"{len(self.codes())} answers")

    def hang_up(self) -> None:
        for asker in self.askers:
            made = asker.connection.sock
            if made is not None:
                with suppress(OSError):  # the server was first
                    made.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join(120)


@pytest.fixture
def crowded(auto: Table, start_server: Start, tmp_path: Path) -> Iterator[tuple[Any, Crowd, list[str], str]]:
    """A server with 64 slow requests of the first token: 1 runs, 15 or 16 wait, the others have been sent away."""
    url = str(tmp_path / "d.db")
    tokens = prepare(url, auto, time_limit=3000.0)
    server = start_server(url, "--deciders", "2", program=PROGRAM)
    crowd = Crowd(server.port, tokens[0], 64)
    crowd.until(64 - 17)
    yield server, crowd, tokens, url
    server.kill()
    crowd.hang_up()


def test_others_are_answered_meanwhile(crowded: tuple[Any, Crowd, list[str], str]) -> None:
    server, crowd, tokens, url = crowded
    assert set(crowd.codes()) == {429}
    late = Crowd(server.port, tokens[0], 2)
    late.until(1)
    assert set(late.codes()) == {429}
    assert all(int(asker.headers["retry-after"]) >= 1 for asker in late.askers if asker.codes)
    for token in tokens:  # contained answers and a page need no place in line, whoever asks
        asker = Asker(server.port, token)
        for variables in ("AB", "BC", "A", "ABC"):
            asker.ask(tuple(variables))
        assert asker.codes == [200] * 4
        asker.connection.request("GET", "/login")
        assert asker.connection.getresponse().status == 200
    asker = Asker(server.port, tokens[1], "other")
    for variables in ("AB", "CDE", "ABCDEF"):  # a decision of another token is made at the place that is left
        asker.ask(tuple(variables))
    assert [t["answer"] for t in asker.told] == ["release", "release", "refuse"]
    assert len(crowd.codes()) <= 48
    # Clients that leave free their places: then the same token is served again.
    crowd.hang_up()
    late.hang_up()
    again = Asker(server.port, tokens[0], "other")
    again.ask(tuple("AF"))
    assert again.codes == [200]
    database = open_database(url, create=True)
    assert audit(database, [t["entry"] for t in (*asker.told, *again.told)]).faults == ()
    assert len(Service(database).ledger("slow0")) == 1, "what was given up is not in the ledger"
    database.close()
    assert "ERROR" not in server.log.read_text()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_the_server_stops_when_told_to(crowded: tuple[Any, Crowd, list[str], str], sign: signal.Signals) -> None:
    server, crowd, _, url = crowded
    os.kill(server.process.pid, sign)
    server.process.wait(120)
    for thread in crowd.threads:
        thread.join(120)
    assert set(crowd.codes()) <= {429, 503, 0}
    assert crowd.codes().count(503) >= 15, "those who waited were told so"
    assert_all_gone(server.process.pid)
    database = open_database(url, create=True)
    assert audit(database).faults == ()
    database.close()


def test_several_processes_stop_when_told_to(auto: Table, start_server: Start, tmp_path: Path) -> None:
    url = str(tmp_path / "d.db")
    tokens = prepare(url, auto, time_limit=3000.0)
    server = start_server(url, "--workers", "2", program=PROGRAM)
    crowd = Crowd(server.port, tokens[0], 48)
    crowd.until(48 - 34)
    os.kill(server.process.pid, signal.SIGTERM)
    server.process.wait(120)
    assert_all_gone(server.process.pid)
    crowd.hang_up()


def assert_all_gone(group: int) -> None:
    """Nothing of the server's session is left, though it was told alone."""
    for _ in range(3000):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    raise AssertionError("processes are left")


def test_what_exceeds_its_limit_is_cut_off_and_unresolved(auto: Table, start_server: Start, tmp_path: Path) -> None:
    url = str(tmp_path / "d.db")
    tokens = prepare(url, auto, time_limit=0.2)
    server = start_server(url, program=PROGRAM)
    asker = Asker(server.port, tokens[0], "slow0")
    asker.ask(("slow", "B"))
    assert asker.codes == [200]
    assert asker.told[0]["answer"] == "refuse"
    server.stop()
    database = open_database(url, create=True)
    entry = Service(database).ledger("slow0")[-1].content
    assert (entry["ground"], entry["evidence"]) == ("unresolved", {"method": "cut off"})
    assert audit(database, [asker.told[0]["entry"]]).faults == ()
    database.close()
