"""Limits on what a client may send: how often, and how much."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from starlette.requests import Request

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class RateLimit:
    """A bucket per key: `rate` requests a second flow in, at most `burst` are in it."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._buckets: dict[object, tuple[float, float]] = {}
        self._guard = threading.Lock()

    def wait(self, key: object) -> float:
        """0 where the request may pass, else the seconds after which to come back."""
        now = self.clock()
        with self._guard:
            if len(self._buckets) > 10_000:
                full = self.burst / self.rate
                self._buckets = {k: (b, t) for k, (b, t) in self._buckets.items() if now - t < full}
            level, then = self._buckets.get(key, (self.burst, now))
            level = min(self.burst, level + (now - then) * self.rate)
            if level < 1:
                self._buckets[key] = (level, now)
                return (1 - level) / self.rate
            self._buckets[key] = (level - 1, now)
            return 0.0


class TooLarge(Exception):
    """The body exceeds its limit; raised where it is read."""


class BodyLimit:
    """Refuses bodies beyond a limit: `uploads` for the paths that take files, `small` for all others.

    A body of declared length is refused before it is read, one without at the byte that exceeds the limit.
    """

    def __init__(self, app: App, *, small: int, uploads: int, upload_paths: frozenset[str]) -> None:
        self.app, self.small, self.uploads, self.upload_paths = app, small, uploads, upload_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.uploads if scope["path"] in self.upload_paths else self.small
        declared = next((value for key, value in scope["headers"] if key == b"content-length"), b"0")
        if not declared.isdigit() or int(declared) > limit:
            await _refuse(scope, receive, send, limit)
            return
        seen, started = 0, False

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise TooLarge
            return message

        async def watched(message: Message) -> None:
            nonlocal started
            if seen > limit and not started:
                return  # whatever the application makes of it, the answer is the one below
            started = True
            await send(message)

        with suppress(TooLarge):
            await self.app(scope, counted, watched)
        if seen > limit and not started:
            await _refuse(scope, receive, send, limit)


async def _refuse(scope: Scope, receive: Receive, send: Send, limit: int) -> None:
    from discreet.release.web.errors import error_answer

    answer = error_answer(Request(scope), 413, f"the request is larger than the limit of {limit} bytes")
    answer.headers["Connection"] = "close"
    await answer(scope, receive, send)
