"""What surrounds every answer: security headers, one log line, and errors that give nothing away."""

from __future__ import annotations

import logging
import secrets
import time
import traceback
from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request

from discreet.release.running.log_lines import FIELDS
from discreet.release.web.limits import App, Message, Receive, Scope, Send

log = logging.getLogger("discreet.release")


class Envelope:
    """Adds `headers` to every answer and logs its route, status and time: no names, no variables, no counts.

    An unexpected error is logged by type and place. Its text may quote data, so it stays out of log and answer.
    """

    def __init__(self, app: App, *, headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, number, status = time.perf_counter(), secrets.token_hex(4), 0
        extra = list(self.headers)
        if not scope["path"].startswith("/static/"):
            extra.append((b"cache-control", b"no-store"))

        async def dressed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            await self.app(scope, receive, dressed)
        except Exception as error:
            places = [f"{Path(f.filename).name}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__)]
            log.error("%s unexpected %s at %s", number, type(error).__name__, " < ".join(reversed(places[-6:])))
            if status == 0:
                from discreet.release.web.errors import error_answer

                answer = error_answer(Request(scope), 500, f"internal error {number}: the log says where")
                await answer(scope, receive, dressed)
        path = getattr(scope.get("route"), "path", "-")
        milliseconds = 1000 * (time.perf_counter() - start)
        said = {
            "request": number,
            "method": scope["method"],
            "route": path,
            "status": status,
            "ms": round(milliseconds, 1),
        }
        log.info("%s %s %s %d %.1f ms", *said.values(), extra={FIELDS: said})
