"""Log lines as JSON, one object a line, for whatever collects logs.

A line has the time, the level, the logger and the message; a request's line has its fields besides. Texts of exceptions
may quote data and are left out: only the type is told.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

FIELDS = "fields"


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)
