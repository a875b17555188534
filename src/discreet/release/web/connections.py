"""Connections that keep nobody waiting: whoever sends or fetches too slowly is cut off.

A request must have arrived `SECONDS` after it could begin, plus a second for every `RATE` bytes of it; an answer must
be fetched at the same pace. Between requests a connection may rest as long as the server's keep-alive says.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from discreet.release.web.malformed import CleanRefusal

SECONDS = 20.0
RATE = 1024.0
LOOK = 2.0  # seconds between two looks at a connection


class PunctualConnection(CleanRefusal, H11Protocol):
    """A connection that is looked at now and then."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()
        self._unsent: tuple[float, int] | None = None
        self._next_look = self.loop.call_later(LOOK, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._next_look.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.timeout_keep_alive_task is not None:  # it rested until now
            self._begin()
        self._received += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        self._begin()
        super().on_response_complete()

    def _begin(self) -> None:
        self._since, self._received = self.loop.time(), 0

    def _look(self) -> None:
        if self._sends_late() or self._fetches_late():
            self.transport.abort()
            return
        self._next_look = self.loop.call_later(LOOK, self._look)

    def _sends_late(self) -> bool:
        cycle = self.cycle
        between = cycle is None or cycle.response_complete
        rests = between and self.timeout_keep_alive_task is not None
        ours = not between and (not cycle.more_body or self.flow.read_paused)
        if rests or ours:
            self._begin()
            return False
        return self.loop.time() - self._since > SECONDS + self._received / RATE

    def _fetches_late(self) -> bool:
        left, now = self.transport.get_write_buffer_size(), self.loop.time()
        if not left:
            self._unsent = None
            return False
        since, first = self._unsent or (now, left)
        self._unsent = (since, max(first, left))
        return now - since > SECONDS + (self._unsent[1] - left) / RATE
