"""What the person who runs the server may set; handed to worker processes through the environment."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass

from discreet.errors import Faults
from discreet.release.loading.limits import ReadLimits
from discreet.release.web.origins import is_network, is_origin

VARIABLE = "DISCREET_SERVER"


@dataclass(frozen=True)
class Settings:
    """`rate` and `burst` are per token and server, shared out among its processes.

    `deciders` are the processes that decide for one server process; without any it decides in its own threads. What a
    token may have waiting and running holds for all server processes together where they share the file `places`.
    `openid` is the file about the office's own sign-in service; a session lasts `session_hours` at most. A file that is
    sent has at most `max_upload` bytes, `max_rows` rows and `max_columns` columns, and is read with at most
    `read_memory` bytes in at most `read_seconds`. `public_url` is the address people know the server by, such as
    https://stats.example.org. Only `proxies` (addresses or networks) may say on whose behalf they ask.
    """

    database: str | None = None
    rate: float = 500.0
    burst: float = 5000.0
    max_upload: int = 64 << 20
    max_body: int = 64 << 10
    max_rows: int = ReadLimits.rows
    max_columns: int = ReadLimits.columns
    read_memory: int = ReadLimits.memory
    read_seconds: float = ReadLimits.seconds
    workers: int = 1
    deciders: int = 0
    places: str | None = None
    warm: bool = True
    openid: str | None = None
    session_hours: float = 8.0
    log_format: str = "text"
    public_url: str | None = None
    proxies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        faults = Faults()
        if self.public_url is not None:
            faults.check(
                is_origin(self.public_url),
                "the public URL must be a scheme and a host, such as https://stats.example.org",
            )
        for proxy in self.proxies:
            faults.check(
                is_network(proxy), "a proxy is given by its address or network, such as 10.0.0.5 or 10.0.0.0/24"
            )
        faults.raise_if_any()

    @property
    def read_limits(self) -> ReadLimits:
        return ReadLimits(self.max_rows, self.max_columns, self.read_memory, self.read_seconds)

    def to_environment(self) -> None:
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> Settings:
        return cls(**json.loads(os.environ.get(VARIABLE, "{}")))
