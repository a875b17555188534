"""Log lines as JSON: parsed by anything, and without the text of exceptions."""

from __future__ import annotations

import json
import logging
import sys

from discreet.release.running.log_lines import FIELDS, JsonLines


def record(message: str, *args: object, **more: object) -> logging.LogRecord:
    made = logging.LogRecord("discreet.release", logging.INFO, "x.py", 1, message, args, None)
    made.__dict__.update(more)
    return made


def test_a_request_has_its_fields() -> None:
    line = json.loads(JsonLines().format(record("%s done", "it", **{FIELDS: {"status": 200, "route": "/ready"}})))
    assert line["message"] == "it done"
    assert (line["status"], line["route"], line["level"]) == (200, "/ready", "info")
    assert line["time"].endswith("+00:00")


def test_one_line_whatever_the_message() -> None:
    assert "\n" not in JsonLines().format(record("two\nlines"))


def test_exceptions_are_told_by_type_alone() -> None:
    try:
        raise ValueError("secret count 4711")
    except ValueError:
        text = JsonLines().format(record("broken", exc_info=sys.exc_info()))
    assert json.loads(text)["error"] == "ValueError"
    assert "4711" not in text
