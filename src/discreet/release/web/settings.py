"""What the person who runs the server may set; handed to worker processes through the environment."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass

VARIABLE = "DISCREET_SERVER"


@dataclass(frozen=True)
class Settings:
    """`rate` and `burst` are per token and server, shared out among its processes."""

    database: str | None = None
    rate: float = 500.0
    burst: float = 5000.0
    max_upload: int = 64 << 20
    max_body: int = 64 << 10
    workers: int = 1
    warm: bool = True

    def to_environment(self) -> None:
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> Settings:
        return cls(**json.loads(os.environ.get(VARIABLE, "{}")))
