"""A real server in processes of its own: the commands, many clients at once, and sudden death."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.exchange import read_json_stat, read_px
from release_tables import declared
from web_askers import Asker

import discreet as dc
from discreet.client import Client, ServerError
from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.decision import Situation, decide
from discreet.release.engine import Table
from discreet.release.frontier import mask_of
from discreet.release.history.database import open_database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import create_token

Start = Callable[..., Any]
EVERY = [axes for size in range(1, 7) for axes in combinations("ABCDEF", size)]


def prepare(url: str, auto: Table, policy: Policy, analysts: int = 1) -> list[str]:
    database = open_database(url, create=True)
    tokens = [create_token(database, "analyst", f"analyst{i}")[0] for i in range(analysts)]
    Service(database).add("custodian", "auto", auto, policy, codebook=declared(auto))
    database.close()
    return tokens


def assert_union_is_safe(auto: Table, told: list[dict[str, Any]], policy: Policy) -> None:
    """Everything that got out, taken together, obeys the rule; checked from the margins that clients hold."""
    released = {tuple(t["variables"]) for t in told if t["answer"] == "release"}
    for entry in told:
        if entry["answer"] == "release":
            counts = [row["count"] for row in entry["margin"]]
            assert counts == auto.margin(entry["variables"]).dense().reshape(-1).tolist()
    counts = auto.dense().reshape(-1)
    sensitive = (counts >= 1) & (counts <= policy.c)
    found = dc.bounds(auto.margins(sorted(released)))
    lower, upper, sharp = (np.asarray(side).reshape(-1) for side in (found.lower, found.upper, found.sharp))
    assert sharp[sensitive].all()
    assert (upper - lower >= policy.w)[sensitive].all()


def check_many_clients(url: str, auto: Table, start_server: Start, *options: str, requests: int = 800) -> None:
    policy = Policy()
    tokens = prepare(url, auto, policy, analysts=16)
    server = start_server(url, *options)
    askers = [Asker(server.port, token) for token in tokens]

    def go(asker: Asker, seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(requests // 16):
            asker.ask(rng.choice(EVERY))

    threads = [threading.Thread(target=go, args=(asker, seed)) for seed, asker in enumerate(askers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {code for asker in askers for code in asker.codes} == {200}
    told = [t for asker in askers for t in asker.told]
    assert len(told) == requests
    assert {t["answer"] for t in told} == {"release", "refuse"}
    assert_union_is_safe(auto, told, policy)
    server.stop()
    database = open_database(url, create=True)
    found = audit(database, [t["entry"] for t in told])
    assert found.faults == ()
    assert found.heads["dataset/auto"][0] == requests + 1
    # The answers are those of the decision function in the order of the ledger.
    state = Situation(auto)
    for entry in Service(database).ledger("auto")[1:]:
        content = entry.content
        expected = decide(state, policy, mask_of(auto.axes(content["variables"])))
        assert (content["answer"], content["ground"]) == (expected.answer, expected.ground)
        state = Situation(auto, expected.frontier, state.carried if expected.carried is None else expected.carried)
    database.close()
    assert "ERROR" not in server.log.read_text()


@pytest.mark.xdist_group("server")
def test_many_clients_at_once(auto: Table, start_server: Start, tmp_path: Path) -> None:
    check_many_clients(str(tmp_path / "d.db"), auto, start_server)


@pytest.mark.xdist_group("server")
def test_many_clients_and_several_processes(auto: Table, start_server: Start, tmp_path: Path) -> None:
    check_many_clients(str(tmp_path / "d.db"), auto, start_server, "--workers", "2", requests=320)


def check_simulated_race(url: str, auto: Table, start_server: Start, workers: int, datasets: int = 50) -> None:
    """Ten at once ask first for what must be simulated: one table is drawn for all, and all are told from it."""
    tokens = prepare(url, auto, Policy(), analysts=10)
    database, rule = open_database(url, create=True), Policy(otherwise="simulate")
    for number in range(datasets):
        Service(database).add("custodian", f"race{number}", auto, rule, codebook=declared(auto), distinct=True)
    server = start_server(url, "--workers", str(workers))
    told: list[dict[str, Any]] = []
    for number in range(datasets):
        askers = [Asker(server.port, token, f"race{number}") for token in tokens]
        gate = threading.Barrier(len(askers))

        def go(asker: Asker, gate: threading.Barrier) -> None:
            gate.wait()
            asker.ask(tuple("ABCDEF"))
            asker.ask(tuple("ABCDEF"))

        threads = [threading.Thread(target=go, args=(asker, gate)) for asker in askers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [asker.codes for asker in askers] == [[200, 200]] * len(askers)
        answers = [t for asker in askers for t in asker.told]
        assert {t["answer"] for t in answers} == {"simulate"}
        assert len({json.dumps(t["margin"]) for t in answers}) == 1
        told += answers
    server.stop()
    assert audit(database, [t["entry"] for t in told]).faults == ()
    database.close()
    assert "ERROR" not in server.log.read_text()


@pytest.mark.xdist_group("server")
def test_simulated_by_several_processes_at_once(auto: Table, start_server: Start, tmp_path: Path) -> None:
    check_simulated_race(str(tmp_path / "d.db"), auto, start_server, workers=3)


@pytest.mark.xdist_group("server")
def test_nothing_told_is_forgotten_after_sudden_death(auto: Table, start_server: Start, tmp_path: Path) -> None:
    """kill -9 at random moments, over and over: every answer that arrived is in the ledger, and the rule holds."""
    url, policy = str(tmp_path / "d.db"), Policy()
    tokens = prepare(url, auto, policy, analysts=4)
    told: list[dict[str, Any]] = []
    rng = random.Random(7)
    for life in range(4):
        server = start_server(url)
        askers = [Asker(server.port, token) for token in tokens]
        stop = threading.Event()

        def go(asker: Asker, seed: int, stop: threading.Event) -> None:
            dice = random.Random(seed)
            try:
                while not stop.is_set():
                    asker.ask(dice.choice(EVERY))
            except (OSError, http.client.HTTPException, ValueError):
                return

        threads = [threading.Thread(target=go, args=(asker, 10 * life + i, stop)) for i, asker in enumerate(askers)]
        for thread in threads:
            thread.start()
        wanted = rng.randrange(1, 40)
        while sum(len(asker.told) for asker in askers) < wanted:
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.01))
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        told += [t for asker in askers for t in asker.told]
        database = open_database(url, create=True)
        assert audit(database, [t["entry"] for t in told]).faults == ()
        database.close()
    assert len(told) > 5
    assert_union_is_safe(auto, told, policy)


@pytest.fixture
def running(auto: Table, start_server: Start, tmp_path: Path) -> tuple[str, str, str, str]:
    """A server with a dataset; its address, database, and a token per role."""
    url = str(tmp_path / "d.db")
    (token,) = prepare(url, auto, Policy())
    database = open_database(url, create=True)
    custodian, _ = create_token(database, "custodian", "custodian")
    Service(database).add(
        "custodian", "synth", auto, Policy(otherwise="simulate"), codebook=declared(auto), distinct=True
    )
    database.close()
    return start_server(url).url, url, token, custodian


@pytest.mark.xdist_group("server")
def test_client_and_commands(
    running: tuple[str, str, str, str], auto: Table, discreet: Callable[..., Any], tmp_path: Path
) -> None:
    address, database, token, custodian = running
    client = dc.Client(address, token)
    assert isinstance(client, Client)
    assert client.datasets()["auto"]["D"] == ["<140", ">=140"]
    answer = client.request("auto", "A:B")
    assert answer
    assert answer.margin["count"].tolist() == auto.margin(["A", "B"]).dense().reshape(-1).tolist()
    assert not client.request("auto", list("ABCDEF"))
    simulated = client.request("synth", list("ABCDEF"))
    assert simulated.synthetic
    assert simulated.margin["synthetic"].all()
    assert list(client.margins("auto")) == [("A", "B")]
    assert token not in repr(client)
    with pytest.raises(ServerError, match="403"):
        client.ledger("auto")
    assert len(dc.Client(address, custodian).ledger("auto")) == 3
    for call in (lambda: client.request("none", "A"), lambda: client.request("auto", "Z")):
        with pytest.raises(InputError):
            call()
    with pytest.raises(ServerError, match="401"):
        dc.Client(address, "wrong").datasets()
    with pytest.raises(ServerError, match="does not answer"):
        dc.Client("http://127.0.0.1:1", token).datasets()
    with pytest.raises(InputError):
        dc.Client("nonsense", "")

    out = tmp_path / "margin.csv"
    ran = discreet("ask", address, "auto", "A:C", "--token", token, "-o", out)
    assert ran.code == 0
    assert out.read_text().splitlines()[0] == "A,C,count"
    assert discreet("ask", address, "auto", "A:C", "--token", token, "-o", out).code == 2
    assert discreet("ask", address, "auto", "A:C", "--token", token, "-o", out, "--force").code == 0
    for ending, reader in ((".px", read_px), (".json-stat", read_json_stat)):
        made = tmp_path / f"margin{ending}"
        assert discreet("ask", address, "auto", "A:C", "--token", token, "-o", made).code == 0
        expected = auto.margin(["A", "C"]).dense().reshape(-1).tolist()
        assert list(reader(made.read_bytes()).cells.values()) == expected
        assert discreet("ask", address, "auto", "A:C", "--token", token, "-o", made).code == 2
    assert client.download("auto", ["A", "C"], "sdmx-csv").startswith(b"STRUCTURE,STRUCTURE_ID,ACTION,A,C,OBS_VALUE")
    with pytest.raises(ServerError, match="409"):
        client.download("auto", "A:B:C:D:E:F", "px")
    refused = tmp_path / "refused.csv"
    assert discreet("ask", address, "auto", "A:B:C:D:E:F", "--token", token, "-o", refused).code == 3
    assert not refused.exists()
    ran = discreet("ask", address, "synth", "A:B:C:D:E:F", "--token", token)
    assert ran.code == 4
    assert ran.out.splitlines()[0] == "A,B,C,D,E,F,count,synthetic"
    assert discreet("ask", address, "auto", "A:Z", "--token", token).code == 2
    assert discreet("ask", address, "auto", "A", "--token", "wrong").code == 2

    table = tmp_path / "table.csv"
    assert discreet("datasets", "autoworkers", "-o", table).code == 0
    policy = tmp_path / "policy.toml"
    policy.write_text("c = 2\nw = 3\n")
    words = ("dataset", "add", table, "--name", "later", "--policy", policy, "--distinct", "--database", database)
    assert discreet(*words).code == 0
    assert discreet(*words).code == 2
    assert "later" in client.datasets()
    assert "later  A:B:C:D:E:F" in discreet("dataset", "list", "--database", database).out
    assert client.request("later", "A")
    ran = discreet("ledger", "verify", "--database", database, "--receipt", answer.entry)
    assert ran.code == 0


@pytest.mark.xdist_group("server")
def test_a_large_table_opens_again_quickly(start_server: Start, tmp_path: Path) -> None:
    """2^16 cells: what was decided is there after a restart, and is not worked out again."""
    counts = np.random.default_rng(1).poisson(3.0, (2,) * 16)
    names = tuple("ABCDEFGHIJKLMNOP")
    table = Table(names, (("no", "yes"),) * 16, counts)
    url = str(tmp_path / "d.db")
    (token,) = prepare(url, table, Policy(time_limit=30))
    chains = ["ABC", "BCD", "CDE"]
    first = start_server(url)
    asker = Asker(first.port, token)
    for chain in chains:
        asker.ask(tuple(chain))
    first.stop()
    again = Asker(start_server(url).port, token)
    again.ask(("A", "B"))
    again.ask(tuple("BCD"))
    assert asker.codes + again.codes == [200] * 5, first.log.read_text()
    assert [t["answer"] for t in asker.told + again.told] == ["release"] * 5
    database = open_database(url, create=True)
    assert [e.content["ground"] for e in Service(database).ledger("auto")[-2:]] == ["contained"] * 2
    database.close()


@pytest.mark.xdist_group("server")
class TestPostgres:
    """The same guarantees on PostgreSQL."""

    def test_many_clients_and_several_processes(
        self, auto: Table, start_server: Start, postgres: Callable[[str], str]
    ) -> None:
        check_many_clients(postgres("many"), auto, start_server, "--workers", "2", requests=320)

    def test_simulated_by_several_processes_at_once(
        self, auto: Table, start_server: Start, postgres: Callable[[str], str]
    ) -> None:
        check_simulated_race(postgres("race"), auto, start_server, workers=2)

    def test_sudden_death(
        self, auto: Table, start_server: Start, postgres: Callable[[str], str], tmp_path: Path
    ) -> None:
        url, policy = postgres("death"), Policy()
        (token,) = prepare(url, auto, policy)
        told = []
        for life in range(2):
            server = start_server(url)
            asker = Asker(server.port, token)
            killer = threading.Timer(0.2 + 0.1 * life, server.kill)
            dice = random.Random(life)
            asker.ask(dice.choice(EVERY))  # however busy the machine is, it dies after it has told something
            killer.start()
            try:
                while True:
                    asker.ask(dice.choice(EVERY))
            except (OSError, http.client.HTTPException, ValueError):
                pass
            killer.join()
            told += asker.told
            database = open_database(url, create=True)
            assert audit(database, [t["entry"] for t in told]).faults == ()
            database.close()
        assert told
        assert_union_is_safe(auto, told, policy)

    def test_the_schema_and_the_append_only_ledger(self, postgres: Callable[[str], str]) -> None:
        from alembic.autogenerate import compare_metadata
        from alembic.migration import MigrationContext
        from sqlalchemy import text
        from sqlalchemy.exc import DBAPIError

        from discreet.release.history.models import Base

        database = open_database(postgres("schema"), create=True)
        create_token(database, "analyst", "a")
        with database.reading() as connection:
            assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        for statement in ("UPDATE ledger SET body = ''", "DELETE FROM ledger", "TRUNCATE ledger"):
            with pytest.raises(DBAPIError, match="append-only"), database.writing() as connection:
                connection.execute(text(statement))
        assert audit(database).intact
        with database.writing() as connection:
            connection.execute(text("ALTER TABLE ledger DISABLE TRIGGER ledger_append_only"))
            connection.execute(text("UPDATE ledger SET body = replace(body, 'analyst', 'custodian')"))
        assert not audit(database).intact
        database.close()
