"""The release server under one token's slow requests, at its end, and after many ends without notice."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case
from discreet import datasets

SLOW = 256
ASKED = 200
KILLS = 100
MARGINS = [axes for size in range(1, 7) for axes in itertools.combinations("ABCDEF", size)]


@contextmanager
def serving(path: str, *options: str) -> Iterator[tuple[int, Any]]:
    """A server in a session of its own; its port and process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "discreet", "serve", "--database", path, "--port", str(port), *options]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        for _ in range(2400):
            with suppress(OSError):
                ask(http.client.HTTPConnection("127.0.0.1", port), "nobody", "auto", "A")
                break
            time.sleep(0.05)
        yield port, process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def ask(connection: http.client.HTTPConnection, token: str, dataset: str, variables: Any) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", f"/api/datasets/{dataset}/requests", json.dumps({"variables": [*variables]}), headers)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def prepare(path: str) -> list[str]:
    """A small dataset with releases, and a large one whose decisions take their time; two tokens."""
    from discreet.release import engine
    from discreet.release.history.database import open_database
    from discreet.release.policy import Policy
    from discreet.release.service import Service
    from discreet.release.tokens import create_token

    auto = engine.Table.from_counts(datasets.autoworkers())
    k = 14
    names = tuple(f"V{i}" for i in range(k))
    counts = np.random.default_rng(1).poisson(1.0, (2,) * k)
    pairs = tuple(itertools.combinations(names, 2))
    database = open_database(path, create=True)
    service = Service(database)
    service.add("bench", "auto", auto, Policy(published=(("A", "B", "C"),)))
    for i in range(4):
        shifted = engine.Table(names, (("no", "yes"),) * k, np.roll(counts, i, axis=0))
        service.add("bench", f"slow{i}", shifted, Policy(time_limit=30, published=pairs), distinct=True)
    tokens = [create_token(database, "analyst", f"analyst{i}")[0] for i in range(2)]
    database.close()
    return tokens


def keep_asking(port: int, token: str, number: int, stop: threading.Event) -> None:
    """Ask slow questions on one connection, again and again, however often one is sent away."""
    dice = random.Random(number)
    while not stop.is_set():
        with suppress(OSError, http.client.HTTPException, ValueError):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
            while not stop.is_set():
                variables = [f"V{i}" for i in sorted(dice.sample(range(14), 5))]
                status, _ = ask(connection, token, f"slow{number % 4}", variables)
                if status == 429:
                    time.sleep(1.0)


def flooded() -> list[tuple[object, ...]]:
    """Answers from released margins, of another token, while one has 256 slow requests under way; then the end."""
    rows: list[tuple[object, ...]] = []
    for workers in (1, 2):
        for slow in (0, SLOW):
            with tempfile.TemporaryDirectory() as folder:
                path = str(Path(folder) / "d.db")
                tokens = prepare(path)
                with serving(path, "--workers", str(workers)) as (port, process):
                    stop = threading.Event()
                    for number in range(slow):
                        given = (port, tokens[0], number, stop)
                        threading.Thread(target=keep_asking, args=given, daemon=True).start()
                    time.sleep(3.0 if slow else 0.0)
                    times = [timed(port, tokens[1]) for _ in range(ASKED)]
                    stop.set()
                    start = time.perf_counter()
                    process.send_signal(signal.SIGTERM)
                    process.wait()
                    ended = time.perf_counter() - start
                times.sort()
                rows.append((workers, slow, statistics.median(times), times[int(0.95 * ASKED)], times[-1], ended))
    return rows


def timed(port: int, token: str) -> float:
    """Milliseconds of one answer from a released margin, with its own connection."""
    start = time.perf_counter()
    status, _ = ask(http.client.HTTPConnection("127.0.0.1", port, timeout=600), token, "auto", "AB")
    assert status == 200
    return 1000 * (time.perf_counter() - start)


def killed() -> list[tuple[object, ...]]:
    """The server and its decision processes ended without notice, over and over: is every answer in the ledger?"""
    from discreet.release.audit import audit
    from discreet.release.history.database import open_database

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "d.db")
        tokens = prepare(path)
        receipts: list[str] = []
        dice, faults, lives = random.Random(5), 0, 0
        for life in range(KILLS):
            with serving(path) as (port, process):
                told = threading.Event()

                def go(number: int, port: int = port, life: int = life, told: threading.Event = told) -> None:
                    die = random.Random(1000 * life + number)
                    with suppress(OSError, http.client.HTTPException, ValueError):
                        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
                        while True:
                            status, answer = ask(connection, tokens[number % 2], "auto", die.choice(MARGINS))
                            if status == 200:
                                receipts.append(answer["entry"])
                                told.set()

                threads = [threading.Thread(target=go, args=(number,)) for number in range(4)]
                for thread in threads:
                    thread.start()
                told.wait(120)
                time.sleep(dice.uniform(0, 0.2))
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                for thread in threads:
                    thread.join()
            lives += 1
        database = open_database(path, create=True)
        faults = len(audit(database, receipts).faults)
        database.close()
    return [(lives, len(receipts), faults)]


CASES = {
    "release-flooded": Case(
        "Answers from released margins while another token asks slow questions; SIGTERM in the midst of it",
        ("server processes", "slow requests", "median ms", "95 % ms", "worst ms", "stopped after s"),
        flooded,
    ),
    "release-killed": Case(
        "Ends without notice in the midst of answers",
        ("kills", "answers received", "faults of the ledger"),
        killed,
    ),
}
