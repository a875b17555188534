"""Text that a spreadsheet would take for a formula, made harmless in CSV without losing what it was.

A text that begins with = + - @, a tab or a line break (also in their wide forms), and is not a plain number or a single
sign, gets an apostrophe before it, which spreadsheets take as "text follows". So does a text that has apostrophes
before such a beginning: exactly one is removed to get it back, and no two texts become the same. Numbers stay.
"""

from __future__ import annotations

import re
from typing import Any

_DANGEROUS = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def harmless(value: Any) -> Any:
    """The value as a cell of a CSV file."""
    if not isinstance(value, str) or len(value) == 1 or not _DANGEROUS.match(value) or _NUMBER.fullmatch(value):
        return value
    return "'" + value
