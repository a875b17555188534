"""What is not HTTP at all never reaches the application: the answer to it has the same headers and a clean body."""

from __future__ import annotations

from typing import Any

from discreet.release.web.headers import HEADERS

BODY = b'{"detail":"this is not a valid HTTP request"}'


class CleanRefusal:
    """For a protocol of uvicorn: the answer to what it cannot parse."""

    transport: Any

    def send_400_response(self, msg: str) -> None:
        fields = {
            **HEADERS,
            "Cache-Control": "no-store",
            "Content-Type": "application/json",
            "Content-Length": str(len(BODY)),
            "Connection": "close",
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + head.encode() + b"\r\n" + BODY)
        self.transport.close()
