"""The release server: how long decisions take, how many answers a second, how soon a table is open again."""

from __future__ import annotations

import http.client
import itertools
import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case
from discreet import datasets

FIRST_FIFTY = (
    "seed",
    "sensitive",
    "released",
    "dangerous",
    "unresolved",
    "resolved %",
    "later than 11 s",
    "median CPU s",
    "worst CPU s",
)
EVERY = [axes for size in range(1, 7) for axes in itertools.combinations("ABCDEF", size)]


@contextmanager
def folder_database() -> Iterator[tuple[Any, str]]:
    from discreet.release.history.database import open_database

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "discreet.db")
        database = open_database(path, create=True)
        yield database, path
        database.close()


@contextmanager
def serving(path: str, *options: str) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "discreet", "serve", "--database", path, "--port", str(port), *options]
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            if process.poll() is not None:
                raise RuntimeError("the server ended")
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def ask(connection: http.client.HTTPConnection, token: str, variables: Any) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", "/api/datasets/auto/requests", json.dumps({"variables": list(variables)}), headers)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def decisions() -> list[tuple[object, ...]]:
    """Server work per decision: deciding and committing, without the network."""
    from discreet.release import engine
    from discreet.release.people.actor import Actor
    from discreet.release.policy import Policy
    from discreet.release.service import Service

    auto = engine.Table.from_counts(datasets.autoworkers())
    engine.warm_up()
    rows: list[tuple[object, ...]] = []
    streams = {
        "57 of 2 to 6 variables, small first": [m for m in EVERY if len(m) > 1],
        "62 of 1 to 5 variables, small first": [m for m in EVERY if len(m) < 6],
        "62 of 1 to 5 variables, shuffled": random.Random(1).sample([m for m in EVERY if len(m) < 6], 62),
    }
    for title, stream in streams.items():
        with folder_database() as (database, _):
            service, actor = Service(database), Actor(0, "bench", "analyst")
            service.add("bench", "auto", auto, Policy())
            times, answers = [], []
            for request in stream:
                start = time.perf_counter()
                answers.append(service.ask(actor, "auto", request).answer)
                times.append(1000 * (time.perf_counter() - start))
        released = f"{answers.count('release')} of {len(answers)}"
        rows.append((title, released, statistics.median(times), max(times)))
    return rows


def larger() -> list[tuple[object, ...]]:
    """Decisions on larger dichotomous tables with many sensitive cells; the pure function, bounds carried along."""
    from discreet.release import engine
    from discreet.release.decision import Situation, decide, sensitive_cells
    from discreet.release.frontier import mask_of
    from discreet.release.policy import Policy

    engine.warm_up()
    pairs, triples = 2, 3
    cases: list[tuple[str, int, float, list[tuple[int, ...]]]] = [
        ("all pairs", 8, 3.0, list(itertools.combinations(range(8), pairs))),
        ("all triples", 8, 3.0, list(itertools.combinations(range(8), triples))),
        ("all pairs", 10, 1.0, list(itertools.combinations(range(10), pairs))),
        ("a ring of pairs", 12, 3.0, [tuple(sorted((i, (i + 1) % 12))) for i in range(12)]),
        ("a ring of pairs", 14, 3.0, [tuple(sorted((i, (i + 1) % 14))) for i in range(14)]),
    ]
    rows: list[tuple[object, ...]] = []
    for title, k, mean, stream in cases:
        table = engine.Table.from_array(np.random.default_rng(1).poisson(mean, (2,) * k))
        state, times, answers = Situation(table), [], []
        for axes in stream:
            start = time.perf_counter()
            made = decide(state, Policy(), mask_of(axes))
            times.append(1000 * (time.perf_counter() - start))
            answers.append(made.answer)
            state = Situation(table, made.frontier, state.carried if made.carried is None else made.carried)
        sensitive = int(sensitive_cells(state.counts, 2).size)
        released = f"{answers.count('release')} of {len(answers)}"
        rows.append((f"2^{k}", sensitive, title, released, statistics.median(times), max(times)))
    return rows


def survey(variables: int, people: int, seed: int) -> np.ndarray:
    """A table of answers yes or no: a latent class per person, and neighboring questions that depend on one another."""
    random_numbers = np.random.default_rng(seed)
    classes = 6
    share = random_numbers.dirichlet(np.full(classes, 2.0))
    leaning = random_numbers.beta(1.2, 2.0, (classes, variables))
    persons = random_numbers.choice(classes, people, p=share)
    answers = np.zeros((people, variables), np.int64)
    for v in range(variables):
        chance = leaning[persons, v]
        if v:
            chance = np.clip(0.7 * chance + 0.3 * answers[:, v - 1] * (v % 3 != 0), 0.01, 0.99)
        answers[:, v] = random_numbers.random(people) < chance
    flat = np.ravel_multi_index(tuple(answers.T), (2,) * variables)
    return np.bincount(flat, minlength=2**variables).reshape((2,) * variables)


def large(variables: int = 16, people: int = 100_000, number: int = 50) -> list[tuple[object, ...]]:
    """The first three-way requests on a table of 2^16 cells, in a random order that is fixed."""
    from collections import Counter

    from discreet.release import engine
    from discreet.release.decision import Situation, decide, sensitive_cells
    from discreet.release.frontier import mask_of
    from discreet.release.policy import Policy

    engine.warm_up()
    rows: list[tuple[object, ...]] = []
    for seed in (1, 2, 3):
        table = engine.Table.from_array(survey(variables, people, seed))
        stream = random.Random(seed).sample(list(itertools.combinations(range(variables), 3)), number)
        state = Situation(table)
        grounds: Counter[str] = Counter()
        times, late = [], 0
        for axes in stream:
            start, begun = time.perf_counter(), time.process_time()
            made = decide(state, Policy(), mask_of(axes))
            late += time.perf_counter() - start > 11.0
            times.append(time.process_time() - begun)
            grounds[made.ground] += 1
            carried = state.carried if made.carried is None else made.carried
            state = Situation(table, made.frontier, carried, made.unresolved)
        resolved = number - grounds["unresolved"]
        rows.append((
            seed, int(sensitive_cells(state.counts, 2).size), grounds["safe"] + grounds["contained"],
            grounds["danger"] + grounds["frontier"], grounds["unresolved"], 100.0 * resolved / number, late,
            statistics.median(times), max(times),
        ))  # fmt: skip
    return rows


def throughput() -> list[tuple[object, ...]]:
    """Answers from released margins a second, over HTTP, with clients on the same machine."""
    from discreet.release import engine
    from discreet.release.policy import Policy
    from discreet.release.service import Service
    from discreet.release.tokens import create_token

    auto = engine.Table.from_counts(datasets.autoworkers())
    rows: list[tuple[object, ...]] = []
    for workers in (1, 2):
        with folder_database() as (database, path):
            token, _ = create_token(database, "analyst", "bench")
            Service(database).add("bench", "auto", auto, Policy(published=(("A", "B", "C"),)))
            with serving(path, "--workers", str(workers)) as port:
                for clients, number in ((1, 400), (16, 1600)):

                    def go(count: int, port: int = port, token: str = token) -> None:
                        connection = http.client.HTTPConnection("127.0.0.1", port)
                        for _ in range(count):
                            status, _ = ask(connection, token, "AB")
                            assert status == 200

                    go(40)
                    threads = [threading.Thread(target=go, args=(number // clients,)) for _ in range(clients)]
                    start = time.perf_counter()
                    for thread in threads:
                        thread.start()
                    for thread in threads:
                        thread.join()
                    rows.append((workers, clients, number / (time.perf_counter() - start)))
    return rows


def reopening() -> list[tuple[object, ...]]:
    """Opening a dataset again after a restart, with state: from the database to the first answer."""
    from discreet.release import engine
    from discreet.release.people.actor import Actor
    from discreet.release.policy import Policy
    from discreet.release.service import Service

    rows: list[tuple[object, ...]] = []
    engine.warm_up()
    for k in (6, 10, 16):
        counts = np.random.default_rng(1).poisson(3.0, (2,) * k)
        names = tuple(f"V{i}" for i in range(k))
        table = engine.Table(names, (("no", "yes"),) * k, counts)
        actor = Actor(0, "bench", "analyst")
        with folder_database() as (database, _):
            service = Service(database)
            service.add("bench", "auto", table, Policy(time_limit=30))
            decided = []
            for i in range(4):
                start = time.perf_counter()
                assert service.ask(actor, "auto", names[i : i + 3]).answer == "release"
                decided.append(time.perf_counter() - start)
            start = time.perf_counter()
            again = Service(database)
            assert again.ask(actor, "auto", names[1:3]).ground == "contained"
            rows.append((f"2^{k}", time.perf_counter() - start, max(decided)))
    return rows


def leakage() -> list[tuple[object, ...]]:
    """What refusals tell: all 2 × 2 × 2 tables of a few persons, margins asked in one order, 'a 1 becomes exact'.

    A refusal tells something if tables that look alike until then get different answers.
    """
    from discreet.release.decision import Situation, decide
    from discreet.release.engine import Table
    from discreet.release.frontier import mask_of
    from discreet.release.policy import Policy

    order = [(0, 1), (1, 2), (0, 2), (0, 1, 2)]
    rows: list[tuple[object, ...]] = []
    for mode in ("exact", "simulatable"):
        policy = Policy(c=1, w=1, mode=mode, time_limit=60)
        requests = refusals = telling = 0
        for total in (2, 3, 4):
            views: dict[object, set[str]] = {}
            seen: list[tuple[object, str]] = []
            for cells in itertools.combinations_with_replacement(range(8), total):
                counts = np.bincount(cells, minlength=8).reshape(2, 2, 2)
                state = Situation(Table.from_array(counts))
                public: list[bytes] = []
                for axes in order:
                    made = decide(state, policy, mask_of(axes))
                    state = Situation(state.table, made.frontier)
                    key = (axes, tuple(public))
                    views.setdefault(key, set()).add(made.answer)
                    seen.append((key, made.answer))
                    drop = tuple(a for a in range(3) if a not in axes)
                    public.append(counts.sum(axis=drop).tobytes() if made.answer == "release" else b"-")
            requests += len(seen)
            refusals += sum(answer == "refuse" for _, answer in seen)
            telling += sum(answer == "refuse" and len(views[key]) > 1 for key, answer in seen)
        rows.append((mode, requests, 100.0 * refusals / requests, telling))
    return rows


def sparse() -> list[tuple[object, ...]]:
    """The same with 5000 people: most cells that hold somebody hold one person."""
    return large(people=5_000)


CASES = {
    "release-decisions": Case(
        "Decisions on the autoworkers, c = 2, w = 3, exact, committed to SQLite",
        ("requests", "released", "median ms", "worst ms"),
        decisions,
    ),
    "release-larger": Case(
        "Decisions on larger dichotomous tables, c = 2, w = 3, exact, 10 s at most",
        ("cells", "sensitive", "requests", "released", "median ms", "worst ms"),
        larger,
    ),
    "release-large": Case(
        "The first 50 three-way requests on 2^16 cells and 100 000 people, c = 2, w = 3, exact, 10 s at most",
        FIRST_FIFTY,
        large,
    ),
    "release-sparse": Case(
        "The first 50 three-way requests on 2^16 cells and 5 000 people, c = 2, w = 3, exact, 10 s at most",
        FIRST_FIFTY,
        sparse,
    ),
    "release-throughput": Case(
        "Answers contained in a released margin, over HTTP, each in the ledger on disk",
        ("server processes", "clients", "answers a second"),
        throughput,
    ),
    "release-reopening": Case(
        "A dataset with four releases after a restart: from the database to the first answer",
        ("cells", "seconds", "slowest of its decisions, seconds"),
        reopening,
    ),
    "release-leakage": Case(
        "Refusals on all 2 × 2 × 2 tables of 2 to 4 persons, c = 1, w = 1",
        ("mode", "requests", "refused %", "refusals that tell something"),
        leakage,
    ),
}
