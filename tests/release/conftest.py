"""A database, an application and a real server for the tests of the release server."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi", reason="the release server needs the extra `server`")

from release_server import RunningServer
from release_tables import declared

from discreet.datasets import autoworkers
from discreet.release import engine
from discreet.release.engine import Table
from discreet.release.history.database import Database, open_database
from discreet.release.loading.apart import Reader
from discreet.release.loading.loader import Loader
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import actor_of_token, create_token
from discreet.release.web.app import create_app
from discreet.release.web.settings import Settings


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Compiling must not eat into the time limits of decisions."""
    engine.warm_up()


@pytest.fixture(scope="session")
def auto() -> Table:
    return Table.from_counts(autoworkers())


@pytest.fixture
def small() -> Table:
    """2 × 2 × 2 with two sensitive cells."""
    return Table(("A", "B", "C"), (("a", "b"),) * 3, np.array([[[1, 4], [6, 2]], [[5, 7], [3, 9]]]))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(str(tmp_path / "discreet.db"), create=True)
    yield opened
    opened.close()


@pytest.fixture
def people(database: Database) -> dict[str, str]:
    """A token per role."""
    return {role: create_token(database, role, role)[0] for role in ("custodian", "analyst")}


@pytest.fixture
def analyst(database: Database, people: dict[str, str]) -> Actor:
    actor = actor_of_token(database, people["analyst"])
    assert actor is not None
    return actor


@pytest.fixture
def service(database: Database, auto: Table) -> Service:
    made = Service(database)
    made.add("custodian", "auto", auto, Policy(), codebook=declared(auto))
    return made


@pytest.fixture(scope="session")
def reader() -> Iterator[Reader]:
    """One process that reads files, for all tests."""
    made = Reader()
    yield made
    made.close()


@pytest.fixture
def web(database: Database, people: dict[str, str], service: Service, reader: Reader) -> Callable[..., object]:
    """Test clients on one application, signed in to the pages as asked."""
    from starlette.testclient import TestClient

    app = create_app(Settings(warm=False), database)
    app.state.service = service
    app.state.loader = Loader(database, reader)

    def client(page_role: str | None = None) -> TestClient:
        made = TestClient(app, base_url="https://testserver", raise_server_exceptions=False)
        if page_role is not None:
            done = made.post("/login", data={"token": people[page_role]}, follow_redirects=False)
            assert done.status_code == 303
        return made

    return client


@pytest.fixture
def bearer(people: dict[str, str]) -> dict[str, dict[str, str]]:
    return {role: {"Authorization": f"Bearer {token}"} for role, token in people.items()}


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., RunningServer]]:
    running: list[RunningServer] = []

    def start(database: str, *options: str, **settings: Any) -> RunningServer:
        running.append(RunningServer(database, tmp_path, *options, **settings))
        return running[-1]

    yield start
    for server in running:
        server.stop()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """URLs of fresh databases in a PostgreSQL that runs for these tests alone."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if Path("/usr/lib/postgresql").exists() else []
    initdb = shutil.which("initdb") or (str(found[-1] / "initdb") if found else None)
    if initdb is None:
        pytest.skip("PostgreSQL is not installed: initdb not found")
    pytest.importorskip("psycopg", reason="PostgreSQL needs the package psycopg")
    programs = Path(initdb).resolve().parent
    folder = Path("/tmp") / f"discreet-pg-{os.getpid()}"
    folder.mkdir(mode=0o777)
    as_user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        if shutil.which("runuser") is None or subprocess.run(["id", "postgres"], capture_output=True).returncode:
            pytest.skip("PostgreSQL cannot be started: no user postgres to run it")
        as_user = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = folder / "data"

    def run(*words: str) -> None:
        subprocess.run([*as_user, *words], check=True, capture_output=True, cwd=folder)

    run(initdb, "-D", str(data), "-U", "tester", "--auth=trust", "-E", "UTF8", "--no-sync")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    run(str(programs / "pg_ctl"), "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")

    def fresh(name: str) -> str:
        run(str(programs / "createdb"), "-h", "127.0.0.1", "-p", str(port), "-U", "tester", name)
        return f"postgresql+psycopg://tester@127.0.0.1:{port}/{name}"

    yield fresh
    run(str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)
