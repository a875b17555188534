"""TOML as it is written here: keys, texts, numbers, moments, lists, inline tables. The standard library only reads."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")
# What a basic string must escape beyond JSON's rules: DEL.
DELETE = "\x7f"


def key(name: str) -> str:
    """A key, quoted where it must be."""
    return name if BARE.fullmatch(name) else quoted(name)


def quoted(text: str) -> str:
    """A text as a basic string. JSON's escapes are TOML's, but for slashes, which neither writer escapes."""
    return json.dumps(text, ensure_ascii=False).replace(DELETE, "\\u007f")


def value(given: Any) -> str:
    """A value on one line."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int):
        return str(given)
    if isinstance(given, float):
        return repr(given)
    if isinstance(given, str):
        return quoted(given)
    if isinstance(given, date | time):
        return given.isoformat()
    if isinstance(given, Mapping):
        return "{" + ", ".join(f"{key(name)} = {value(one)}" for name, one in given.items()) + "}"
    return "[" + ", ".join(value(one) for one in given) + "]"


def lines(entries: Mapping[str, Any]) -> list[str]:
    """`key = value`, one line each."""
    return [f"{key(name)} = {value(one)}" for name, one in entries.items()]


def commented(name: str, items: Mapping[str, str]) -> list[str]:
    """A list with a comment behind each of its texts; on one line where it is empty."""
    if not items:
        return [f"{key(name)} = []"]
    width = max(len(quoted(item)) for item in items) + 1
    rows = [f"  {quoted(item) + ',':<{width}}  # {' '.join(why.split())}" for item, why in items.items()]
    return [f"{key(name)} = [", *rows, "]"]
