"""Labels for boxes over labelled codes: where 1 is "north" and 2 is "south", the text {1, 2} is {north, south}.

Sets and ranges of codes get the labels of the codes they name, and single codes their own; a box with a code that has
no label gets none. SPSS holds labels of up to 120 bytes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from typing import Any

MOST_BYTES = 120
_RANGE = re.compile(r"\[([^,\[\]]*), ([^,\[\]]*)\]")


def box_labels(column: Any, labels: Mapping[Any, str]) -> dict[str, str]:
    """Per text of a pandas column its label, where it has one."""
    known = {_spelled(code): label for code, label in labels.items()}
    found = {text: _label(text, known) for text in column.dropna().unique().tolist() if isinstance(text, str)}
    return {text: label for text, label in found.items() if label and len(label.encode()) <= MOST_BYTES}


def _spelled(code: Any) -> str:
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def _label(text: str, known: Mapping[str, str]) -> str | None:
    if text in known:
        return known[text]
    ends = _RANGE.fullmatch(text)
    if ends is not None:
        return f"[{known[ends[1]]}, {known[ends[2]]}]" if ends[1] in known and ends[2] in known else None
    if not (text.startswith("{") and text.endswith("}")):
        return None
    items = next(csv.reader([text[1:-1]], skipinitialspace=True), [])
    return "{" + ", ".join(known[item] for item in items) + "}" if all(item in known for item in items) else None
