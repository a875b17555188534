"""Talking to a release server from Python: `discreet.Client(url, token)`. Margins come as dataframes.

Needs nothing beyond the standard library for the connection, so that an analyst's machine needs no server packages.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from discreet.errors import DiscreetError, Faults, InputError


class ServerError(DiscreetError):
    """The server cannot be reached, or will not serve this request."""


@dataclass(frozen=True)
class Answer:
    """What the server answered: "release", "refuse" or "simulate".

    `margin` is a dataframe with a column per variable and `count`, or None where refused. A simulated one has a
    column `synthetic` besides. `entry` is the hash of the entry in the server's ledger: a receipt.
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

    def __bool__(self) -> bool:
        return self.released


class Client:
    """An analyst's or a custodian's view of a release server.

    A server that asks to slow down is asked again after the time it names, up to `patience` seconds in all. One that
    cannot be reached is tried again for `wait` seconds: it may be starting.
    """

    def __init__(
        self, url: str, token: str, *, timeout: float = 600.0, patience: float = 60.0, wait: float = 0.0
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        faults = Faults()
        good = parts.scheme in ("http", "https") and bool(parts.netloc)
        faults.check(good, "the address must be a URL, such as http://localhost:8000")
        faults.check(bool(token) and token.isascii() and token.isprintable(), "a token is needed")
        faults.raise_if_any()
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.patience = patience
        self.wait = wait
        self._token = token

    def datasets(self) -> dict[str, dict[str, list[Any]]]:
        """The datasets: for each, its variables with their categories."""
        return {d["name"]: d["categories"] for d in self._call("GET", "/api/datasets")}

    def request(self, dataset: str, variables: str | Iterable[str]) -> Answer:
        """Ask for the margin over some variables, given as names or as A:B."""
        names = variables.split(":") if isinstance(variables, str) else list(variables)
        path = f"/api/datasets/{_quoted(dataset)}/requests"
        told = self._call("POST", path, {"variables": [name for name in names if name]})
        synthetic = told["answer"] == "simulate"
        frame = None if told["margin"] is None else _frame(told["margin"], told["variables"], synthetic)
        return Answer(told["answer"], told["reason"], tuple(told["variables"]), frame, told["entry"])

    def margins(self, dataset: str) -> dict[tuple[str, ...], Any]:
        """What has been released: the largest margins, each as a dataframe."""
        told = self._call("GET", f"/api/datasets/{_quoted(dataset)}/margins")
        return {tuple(m["variables"]): _frame(m["margin"], m["variables"], False) for m in told}

    def ledger(self, dataset: str) -> list[dict[str, Any]]:
        """For custodians: every answer with its ground."""
        told: list[dict[str, Any]] = self._call("GET", f"/api/datasets/{_quoted(dataset)}/ledger")
        return told

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        call = urllib.request.Request(self.url + path, data, headers, method=method)
        waited, begun = 0.0, time.monotonic()
        while True:
            try:
                with urllib.request.urlopen(call, timeout=self.timeout) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                pause = _seconds(error.headers.get("Retry-After"))
                if error.code != 429 or waited + pause > self.patience:
                    raise _explained(error) from None
                time.sleep(pause)
                waited += pause
            except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
                reason = getattr(error, "reason", error)
                if isinstance(reason, ConnectionRefusedError) and time.monotonic() - begun < self.wait:
                    time.sleep(0.2)
                    continue
                raise ServerError(f"the server {self.url} does not answer: {reason}") from None
            except ValueError:
                raise ServerError(f"{self.url} is not a release server: it does not answer in JSON") from None


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


def _frame(rows: list[dict[str, Any]], variables: list[str], synthetic: bool) -> Any:
    from discreet.frames import from_arrays

    columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in (*variables, "count")}
    if synthetic:
        columns["synthetic"] = [True] * len(rows)
    return from_arrays(columns)
