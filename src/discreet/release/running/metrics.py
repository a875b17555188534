"""What Prometheus may count: requests by route, method and status, and how long they took.

A route is the pattern (`/datasets/{name}`), never the path: no dataset, variable or person is named, and nothing counts
answers, grounds or cells, which depend on the data. All processes of a server share their counts through files in
`PROMETHEUS_MULTIPROC_DIR`, so any of them can tell all.
"""

from __future__ import annotations

import os
import time

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from discreet._version import __version__
from discreet.release.running.metrics_port import FOLDER, shared_registry
from discreet.release.web.limits import App, Message, Receive, Scope, Send

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
SECONDS = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0)
TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The counts of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        words = ("method", "route", "status")
        self.requests = Counter("discreet_requests", "Requests answered.", words, registry=self.registry)
        self.seconds = Histogram(
            "discreet_request_seconds", "Time to answer.", ("route",), buckets=SECONDS, registry=self.registry
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method if method in METHODS else "other", route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        registry = shared_registry() if FOLDER in os.environ else self.registry
        info = f'# TYPE discreet_info gauge\ndiscreet_info{{version="{__version__}"}} 1\n'
        return generate_latest(registry) + info.encode()


class Measured:
    """Counts every answer."""

    def __init__(self, app: App, *, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "-")
            self.metrics.observe(scope["method"], route, status, time.perf_counter() - start)
