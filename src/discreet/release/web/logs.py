"""Where the server's log lines go: standard error. The libraries below it speak up only about errors."""

from __future__ import annotations

import logging


def set_up(level: int) -> None:
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("discreet.release").setLevel(level)
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
