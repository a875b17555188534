"""Where the server's log lines go: standard error. The libraries below it speak up only about errors."""

from __future__ import annotations

import logging

from discreet.release.running.log_lines import JsonLines
from discreet.release.web.settings import Settings


def set_up(level: int) -> None:
    """As the settings in the environment say: plain lines, or one JSON object a line."""
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(JsonLines() if Settings.from_environment().log_format == "json" else plain)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("discreet.release").setLevel(level)
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
