"""Attacks the release server: every route as every identity, planted counts, and ledgers forged in many ways.

    run(seconds, seed)      tries until the time is over; raises AssertionError with what it takes to see the hole again

A dataset with counts of nine digits is loaded under a policy that releases nothing. Every route of the application is
called with every method, by people without a token, with a made-up one, with a revoked one, by analysts and by
custodians, with bodies that fit and bodies that do not. No answer is a server error or lacks the headers; nobody who
should not may read a planted count, nor without a token so much as a name. Of a table that is told in part no page,
file or call shows a hidden count, nor a sum that only it keeps from being known. Then the database is changed behind
the server's back, one value at a time, and the check of the ledger must say so.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from discreet.errors import InputError

DATASET, VARIABLES = "zebra-data", ("zebraone", "zebratwo")
CATEGORIES = ("zebra-north", "zebra-south", "zebra-west")
OPEN_PATHS = ("/login", "/static", "/api/openapi.json", "/health", "/ready", "/metrics")
HERE = "https://testserver"
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
# What of the database the ledger answers for.
COVERED: dict[str, tuple[str, ...]] = {
    "ledger": ("chain", "sequence", "previous", "body", "hash"),
    "chains": ("name", "length", "head"),
    "datasets": ("name", "variables", "policy", "counts", "digest"),
    "states": ("version", "frontier", "carried"),
    "synthetics": ("version", "counts"),
    "tokens": ("name", "role", "digest"),
}


class Office:
    """A server with a secret table, in a folder of its own."""

    def __init__(self, folder: Path, rng: np.random.Generator) -> None:
        from starlette.testclient import TestClient

        from discreet.release import tokens
        from discreet.release.engine import Table
        from discreet.release.history.database import open_database
        from discreet.release.policy import Policy
        from discreet.release.service import Service
        from discreet.release.web.app import create_app
        from discreet.release.web.settings import Settings

        self.path = folder / "server.db"
        self.database = open_database(str(self.path), create=True)
        counts = rng.integers(10**8, 3 * 10**8, (3, 3))
        self.planted = _sums(counts)
        table = Table(VARIABLES, (CATEGORIES, CATEGORIES), counts)
        Service(self.database).add("carla", DATASET, table, Policy(c=2**60, w=2**60))
        self.app = create_app(Settings(warm=False, rate=1e6, burst=1e6), self.database)
        self.secrets = {
            name: tokens.create_token(self.database, role, name)[0]
            for name, role in (("custodian", "custodian"), ("analyst", "analyst"), ("revoked", "custodian"))
        }
        self.clients: dict[str, Any] = {}
        for name in ("nobody", "made-up", *self.secrets):
            client = TestClient(self.app, base_url=HERE, raise_server_exceptions=False)
            self.clients[name] = client
            if name in self.secrets:
                client.post("/login", data={"token": self.secrets[name]}, follow_redirects=False)
        tokens.revoke_token(self.database, "revoked")

    def bearer(self, name: str) -> dict[str, str]:
        token = self.secrets.get(name, "discreet_" + "a" * 43)
        return {} if name == "nobody" else {"Authorization": f"Bearer {token}"}

    def csrf(self, name: str) -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', self.clients[name].get("/datasets").text)
        return found[1] if found else "none"

    def paths(self) -> list[str]:
        found = sorted({route.path for route in _leaves(self.app.routes)})
        assert f"{found}".count("{name}") > 5, "the routes of the application were not found"
        return found


def _leaves(routes: Any) -> Iterator[Any]:
    """Routes, those of routers within routers too."""
    for route in routes:
        inner = getattr(getattr(route, "original_router", route), "routes", None)
        if inner:
            yield from _leaves(inner)
        elif hasattr(route, "path"):
            yield route


def _sums(counts: np.ndarray) -> set[str]:
    """Every count that a margin of the table would show."""
    values = {int(v) for v in (*counts.reshape(-1), *counts.sum(axis=0), *counts.sum(axis=1), counts.sum())}
    return {str(value) for value in values} | {f"{value:,}" for value in values}


def _bodies(rng: np.random.Generator, csrf: str) -> list[dict[str, Any]]:
    some = [str(v) for v in rng.choice(VARIABLES, int(rng.integers(0, 3)), replace=False)]
    file = {"file": ("t.csv", b"a,count\nx,1\ny,2\n", "text/csv")}
    return [
        {},
        {"json": {"variables": some}},
        {"data": {"v": some, "csrf": csrf}},
        {"data": {"csrf": csrf, "name": DATASET, "role": "custodian", "token": "x"}, "files": file},
        {"content": rng.bytes(40), "headers": {"Content-Type": "application/json"}},
    ]


def call_everything(office: Office, rng: np.random.Generator) -> int:
    """Every route and method as everybody, with a body each that is drawn; how many calls."""
    calls = 0
    for path in office.paths():
        for name in office.clients:
            filled = re.sub(r"\{[^}]*\}", lambda m: DATASET if "name" in m[0] else "x", path)
            csrf = office.csrf(name)
            for method in METHODS:
                body = dict(_bodies(rng, csrf)[int(rng.integers(5))])
                if method in ("GET", "HEAD", "OPTIONS"):
                    body = {"params": {"v": list(VARIABLES), "format": "csv"}}
                if filled == "/logout" and method == "POST":
                    continue  # there would be nobody left to try the others
                if name == "custodian" and method != "GET" and "revoke" in filled:
                    continue
                headers = {**office.bearer(name), **body.pop("headers", {})}
                told = office.clients[name].request(method, filled, headers=headers, follow_redirects=False, **body)
                _judge(office, f"{method} {filled} as {name}", name, filled, told)
                calls += 1
    return calls


def _judge(office: Office, what: str, name: str, path: str, told: Any) -> None:
    text = told.text + json.dumps(dict(told.headers))
    assert told.status_code != 500, f"{what}: a server error"
    assert told.headers.get("x-content-type-options") == "nosniff", f"{what}: no headers ({told.status_code})"
    if name == "custodian":
        return
    seen = [value for value in office.planted if value in text]
    assert not seen, f"{what}: shows {len(seen)} counts that nobody released"
    assert "danger" not in text or path.startswith(("/static", "/api/openapi")), f"{what}: shows a ground"
    if name != "analyst" and not path.startswith(OPEN_PATHS):
        assert told.status_code not in (200, 201), f"{what}: answered with {told.status_code}"
        assert "zebra" not in text.replace(path, ""), f"{what}: shows a name"


def check_parts(folder: Path, rng: np.random.Generator) -> int:
    """A table of which some counts are hidden, in every layout and format, as an analyst; how many were read."""
    from starlette.testclient import TestClient

    from discreet.release import tokens
    from discreet.release.engine import Table
    from discreet.release.history.database import open_database
    from discreet.release.loading.codebook import Codebook
    from discreet.release.open_dataset import Margin
    from discreet.release.policy import Policy
    from discreet.release.service import Service
    from discreet.release.web.app import create_app
    from discreet.release.web.downloads import TYPES
    from discreet.release.web.settings import Settings

    database = open_database(str(folder / "parts.db"), create=True)
    counts = rng.integers(10**8, 3 * 10**8, (3, 4))
    published = ((VARIABLES[0],),) if rng.random() < 0.5 else ()
    levels = {VARIABLES[0]: [*"abc"], VARIABLES[1]: [*"defg"]}
    table = Table(VARIABLES, (tuple("abc"), tuple("defg")), counts)
    rule = Policy(c=14 * 10**7, w=10**6, otherwise="suppress", published=published)
    book = Codebook({name: {level: level for level in given} for name, given in levels.items()})
    Service(database).add("carla", DATASET, table, rule, codebook=book)
    token = tokens.create_token(database, "analyst", "ann")[0]
    margins = [(), VARIABLES[:1], VARIABLES[1:], VARIABLES]
    with TestClient(create_app(Settings(warm=False, rate=1e6, burst=1e6), database), base_url=HERE) as client:
        bearer = {"Authorization": f"Bearer {token}"}
        client.post("/login", data={"token": token}, follow_redirects=False)
        told = []
        for at in rng.permutation(4):
            asked = {"variables": list(margins[at])}
            told.append(client.post(f"/api/datasets/{DATASET}/requests", json=asked, headers=bearer).json())
        told += client.get(f"/api/datasets/{DATASET}/margins", headers=bearer).json()
        secret = {str(n) for margin in margins for n in _added(Margin(table.margin(margin), False).rows(), margin)} - {
            str(n) for one in told for margin in margins for n in _added(one["margin"] or [], margin)
        }
        paths = [(path, {}) for path in (f"/api/datasets/{DATASET}/margins", "/api/datasets", "/history", "/datasets")]
        for v in margins:
            chosen = {"v": list(v), "rows": "chosen", "chart": "grouped"}
            for kind in TYPES:
                paths += [(f"/api/datasets/{DATASET}/margins/file", {"v": list(v), "format": kind})]
                paths += [(f"/datasets/{DATASET}/download", {"v": list(v), "format": kind})]
            for show in ("counts", "row", "column", "share"):
                paths += [(f"/datasets/{DATASET}", {**chosen, "columns": list(c), "show": show}) for c in margins]
        for path, given in paths:
            text = _readable(client.get(path, params=given, headers=bearer))
            seen = [value for value in secret if value in text]
            assert not seen, f"{path} with {given} shows {len(seen)} counts that are hidden"
    return len(paths)


def _added(rows: list[dict[str, Any]], variables: tuple[str, ...]) -> list[int]:
    """The counts over some variables that rows add up to, where none of them is hidden."""
    if not rows or not set(variables) < set(rows[0]):
        return []
    sums: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        sums.setdefault(tuple(row[name] for name in variables), []).append(row["count"])
    return [sum(counts) for counts in sums.values() if None not in counts]


def _readable(told: Any) -> str:
    """An answer as text, without separators of thousands."""
    import io

    import pyarrow.parquet

    if told.content[:4] == b"PAR1":
        return str(pyarrow.parquet.read_table(io.BytesIO(told.content)).to_pydict())
    return str(told.text).replace(",", "") + told.text


def forge(path: Path, rng: np.random.Generator) -> str | None:
    """Change one value of a copy, exchange two, or take a row away; what was done, None where nothing was."""
    raw = sqlite3.connect(path)
    try:
        for trigger in ("ledger_no_update", "ledger_no_delete"):
            raw.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        table = str(rng.choice(list(COVERED)))
        column = str(rng.choice(COVERED[table]))
        rows = raw.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
        if not rows:
            return None
        row, value = rows[int(rng.integers(len(rows)))]
        kind = str(rng.choice(["edit", "exchange", "remove"]))
        what = f"{kind} {table}.{column} of row {row}"
        if kind == "remove":
            raw.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
        elif kind == "exchange":
            other, second = rows[int(rng.integers(len(rows)))]
            if second == value or column == "carried":  # what is carried about equal margins may be the same
                return None
            raw.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (f"x{row}", row))
            raw.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, other))
            raw.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (second, row))
        else:
            changed = _edited(value, rng)
            if _means(changed) == _means(value):
                return None
            raw.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (changed, row))
        raw.commit()
    except sqlite3.IntegrityError:  # the database itself refuses
        return None
    finally:
        raw.close()
    return what


def _edited(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, int):
        return value + int(rng.choice([-1, 1, 7]))
    if isinstance(value, bytes):
        place = int(rng.integers(len(value)))
        return value[:place] + bytes([value[place] ^ int(rng.integers(1, 256))]) + value[place + 1 :]
    places = [i for i, letter in enumerate(value) if letter.isalnum()]
    if not places:
        return value + "x"
    place = places[int(rng.integers(len(places)))]
    return value[:place] + str(rng.choice(list("0123456789abcdefx"))) + value[place + 1 :]


def _means(value: Any) -> Any:
    """What a value says: a packed table may be packed in other bytes."""
    from discreet.release.history.store import unpack

    if not isinstance(value, bytes):
        return value
    try:
        return {name: array.tolist() for name, array in unpack(value).items()}
    except Exception:  # whatever it is, it is no table
        return value


def check_forgeries(folder: Path, rng: np.random.Generator, number: int) -> int:
    """Ledgers with one forgery each: every one is found; how many."""
    from discreet.release import tokens
    from discreet.release.audit import audit
    from discreet.release.engine import Table
    from discreet.release.history.database import open_database
    from discreet.release.policy import Policy
    from discreet.release.service import Service

    path = folder / "true.db"
    database = open_database(str(path), create=True)
    token = tokens.create_token(database, "analyst", "ann")[0]
    tokens.create_token(database, "custodian", "carla")
    ann = tokens.actor_of_token(database, token)
    assert ann is not None
    service = Service(database)
    for name, otherwise in (("one", "refuse"), ("two", "simulate")):
        table = Table(tuple("ABCD"), (("a", "b"),) * 4, rng.poisson(4.0, (2,) * 4))
        service.add("carla", name, table, Policy(w=2, otherwise=otherwise, published=((),)), distinct=True)
        for _ in range(8):
            service.ask(ann, name, [v for v in "ABCD" if rng.random() < 0.5])
    found = audit(database)
    assert found.intact, f"an honest ledger is not called intact: {found.faults}"
    database.close()
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content, tried = path.read_bytes(), 0
    for _ in range(number):
        copy = folder / "forged.db"
        for beside in ("", "-wal", "-shm"):
            (folder / f"forged.db{beside}").unlink(missing_ok=True)
        copy.write_bytes(content)
        what = forge(copy, rng)
        if what is None:
            continue
        tried += 1
        try:
            opened = open_database(str(copy), read_only=True)
            intact = audit(opened).intact
            opened.close()
        except InputError:
            continue
        assert not intact, f"nobody notices: {what}"
    return tried


def run(seconds: float, seed: int) -> str:
    rng = np.random.default_rng(seed)
    end, calls, parts, forgeries = time.monotonic() + seconds, 0, 0, 0
    while time.monotonic() < end or not calls:
        with TemporaryDirectory() as folder:
            office = Office(Path(folder), rng)
            calls += call_everything(office, rng)
            office.database.close()
            parts += check_parts(Path(folder), rng)
            forgeries += check_forgeries(Path(folder), rng, 60)
    return f"{calls} calls, {parts} answers about parts, {forgeries} forged ledgers"
