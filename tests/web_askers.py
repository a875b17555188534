"""Clients of a running release server that keep what they are told."""

from __future__ import annotations

import http.client
import json
from typing import Any


class Asker:
    """One connection that asks and keeps what it was told."""

    def __init__(self, port: int, token: str, dataset: str = "auto") -> None:
        self.path = f"/api/datasets/{dataset}/requests"
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        self.token = token
        self.told: list[dict[str, Any]] = []
        self.codes: list[int] = []
        self.headers: dict[str, str] = {}

    def ask(self, variables: tuple[str, ...]) -> None:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        self.connection.request("POST", self.path, json.dumps({"variables": variables}), headers)
        response = self.connection.getresponse()
        body = response.read()
        self.headers = dict(response.getheaders())
        self.codes.append(response.status)
        if response.status == 200:
            self.told.append(json.loads(body))
