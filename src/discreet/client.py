"""Talking to a release server from Python: `discreet.Client(url, token)`. Margins come as dataframes.

Needs nothing beyond the standard library for the connection, so that an analyst's machine needs no server packages.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.errors import DiscreetError, Faults, InputError


class ServerError(DiscreetError):
    """The server cannot be reached, or will not serve this request."""


@dataclass(frozen=True)
class Answer:
    """What the server answered: "release", "refuse", "simulate", "suppress" or "round".

    `margin` is a dataframe with a column per variable and `count`, or None where refused. A simulated one has a
    column `synthetic` besides (`synthetic_` where a variable has that name). One that is told in part has a column
    `status`: "hidden" where a count is missing, or what the counts are rounded to. `entry` is the hash of the entry in
    the server's ledger: a receipt.
    """

    answer: str
    reason: str
    variables: tuple[str, ...]
    margin: Any
    entry: str

    @property
    def released(self) -> bool:
        return self.answer == "release"

    @property
    def synthetic(self) -> bool:
        return self.answer == "simulate"

    @property
    def partial(self) -> bool:
        """Whether some counts are hidden, or all are rounded."""
        return self.answer in ("suppress", "round")

    def __bool__(self) -> bool:
        return self.released


class Client:
    """An analyst's or a custodian's view of a release server.

    A server that asks to slow down, or whose database fails, is asked again after the time it names, up to `patience`
    seconds in all. One that cannot be reached is tried again for `wait` seconds: it may be starting. Without `token` it
    is taken from the environment: DISCREET_TOKEN, or the file that DISCREET_TOKEN_FILE names.
    """

    def __init__(
        self, url: str, token: str | None = None, *, timeout: float = 600.0, patience: float = 60.0, wait: float = 0.0
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        faults = Faults()
        good = parts.scheme in ("http", "https") and bool(parts.netloc)
        faults.check(good, "the address must be a URL, such as http://localhost:8000")
        try:
            self._token = find_token(token)
        except InputError as error:
            faults.extend(error)
        faults.raise_if_any()
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.patience = patience
        self.wait = wait

    def datasets(self) -> dict[str, dict[str, list[Any] | None]]:
        """The datasets: for each, its variables with their categories; None where the list is not public."""
        return {
            d["name"]: {name: d["categories"].get(name) for name in d["variables"]}
            for d in self._call("GET", "/api/datasets")
        }

    def request(self, dataset: str, variables: str | Iterable[str]) -> Answer:
        """Ask for the margin over some variables, given as names or as A:B."""
        path = f"/api/datasets/{_quoted(dataset)}/requests"
        told = self._call("POST", path, {"variables": _names(variables)})
        frame = None if told["margin"] is None else _frame(told)
        return Answer(told["answer"], told["reason"], tuple(told["variables"]), frame, told["entry"])

    def download(self, dataset: str, variables: str | Iterable[str], format: str) -> bytes:
        """A margin that was told before, as a file: csv, json, parquet, json-stat, px, sdmx-csv or sdmx-structure."""
        asked = [("v", name) for name in _names(variables)] + [("format", format)]
        path = f"/api/datasets/{_quoted(dataset)}/margins/file?{urllib.parse.urlencode(asked)}"
        return self._fetch("GET", path)

    def margins(self, dataset: str) -> dict[tuple[str, ...], Any]:
        """What has been released: the largest margins, each as a dataframe; those told in part have a `status`."""
        told = self._call("GET", f"/api/datasets/{_quoted(dataset)}/margins")
        return {tuple(m["variables"]): _frame(m) for m in told}

    def ledger(self, dataset: str | None = None) -> list[dict[str, Any]]:
        """For custodians: every answer with its ground; without a dataset, who did what on the server."""
        path = "/api/ledger" if dataset is None else f"/api/datasets/{_quoted(dataset)}/ledger"
        told: list[dict[str, Any]] = self._call("GET", path)
        return told

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        told = self._fetch(method, path, body)
        try:
            return json.loads(told)
        except ValueError:
            raise ServerError(f"{self.url} is not a release server: it does not answer in JSON") from None

    def _fetch(self, method: str, path: str, body: Any = None) -> bytes:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        call = urllib.request.Request(self.url + path, data, headers, method=method)
        waited, begun = 0.0, time.monotonic()
        while True:
            try:
                with urllib.request.urlopen(call, timeout=self.timeout) as response:
                    fetched: bytes = response.read()
                    return fetched
            except urllib.error.HTTPError as error:
                pause = _seconds(error.headers.get("Retry-After"))
                if error.code not in (429, 503) or waited + pause > self.patience:
                    raise _explained(error) from None
                time.sleep(pause)
                waited += pause
            except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
                reason = getattr(error, "reason", error)
                if isinstance(reason, ConnectionRefusedError) and time.monotonic() - begun < self.wait:
                    time.sleep(0.2)
                    continue
                raise ServerError(f"the server {self.url} does not answer: {reason}") from None


def _names(variables: str | Iterable[str]) -> list[str]:
    return [name for name in (variables.split(":") if isinstance(variables, str) else variables) if name]


def find_token(token: str | None = None, file: str | os.PathLike[str] | None = None) -> str:
    """A token as given, or in a file, or by the environment (DISCREET_TOKEN, DISCREET_TOKEN_FILE)."""
    named = file
    if token is None and named is None:
        token, named = os.environ.get("DISCREET_TOKEN"), os.environ.get("DISCREET_TOKEN_FILE")
    if token is None and named is not None:
        try:
            token = Path(named).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise InputError(f"the token's file {os.fspath(named)} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise InputError(f"the token's file {os.fspath(named)} holds no token") from None
    if not token or not token.isascii() or not token.isprintable():
        raise InputError("a token is needed: in DISCREET_TOKEN, or in a file that DISCREET_TOKEN_FILE names")
    return token


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


def _seconds(text: str | None) -> float:
    return float(text) if text is not None and text.isdecimal() else 1.0


def _explained(error: urllib.error.HTTPError) -> DiscreetError:
    try:
        told = json.load(error)
        detail, faults = str(told["detail"]), [str(fault) for fault in told.get("faults", [])]
    except (ValueError, KeyError, TypeError):
        detail, faults = str(error.reason), []
    if error.code in (404, 422):
        return InputError(faults or detail)
    return ServerError(f"the server answers {error.code}: {detail}")


def _frame(told: Mapping[str, Any]) -> Any:
    """The rows of an answer; one that is no release has a column that says so."""
    from discreet.frames import from_arrays

    rows = told["margin"]
    columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in (*told["variables"], "count")}
    if told.get("answer") == "simulate":
        columns[_unused("synthetic", columns)] = [True] * len(rows)
    base = told.get("base", 1)
    if base > 1:
        columns[_unused("status", columns)] = [f"rounded to {base}"] * len(rows)
    elif told.get("hidden", 0):
        columns[_unused("status", columns)] = ["hidden" if n is None else "" for n in columns["count"]]
        frame = from_arrays(columns)
        return frame.astype({"count": "Int64"}) if hasattr(frame, "astype") else frame  # in pandas, whole numbers still
    return from_arrays(columns)


def _unused(name: str, taken: Container[str]) -> str:
    """A variable may be called so."""
    while name in taken:
        name += "_"
    return name
