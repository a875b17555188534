"""Hierarchies of labels in files: rows of a CSV file, or the indented codes of a τ-ARGUS `.hrc` file.

A row is a label and ever wider ones after it: `child, parent`, or `value, wider, ..., top` as hierarchies for
generalization have it. In a `.hrc` file a code stands below the last one above it with one lead string fewer; the total
is not in the file. Both come out as chains, each from a label to the widest.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path

from discreet.errors import InputError, shown

LEAD = "@"
_HEADERS = (["child", "parent"], ["label", "parent"], ["code", "parent"])


def read_rows(path: Path, name: str) -> list[list[str]]:
    """Rows of a CSV file without header, separated by semicolons (as ARX writes them), commas or tabs."""
    text = _text(path, name, "CSV")
    head = text.split("\n", 1)[0]
    delimiter = max(";,\t", key=head.count)
    try:
        return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    except csv.Error:
        raise InputError(f"{name}: {path} is not a CSV file of values and labels") from None


def read_chains(path: str | os.PathLike[str], name: str, lead: str = LEAD) -> list[list[str]]:
    """Chains of labels in a `.hrc` file, or in a CSV file, whose first row may be `child, parent`."""
    if Path(path).suffix.lower() == ".hrc":
        return parse_hrc(_text(Path(path), name, ".hrc"), name, lead)
    rows = [[label.strip() for label in row] for row in read_rows(Path(path), name)]
    return rows[1:] if rows and [label.lower() for label in rows[0]] in _HEADERS else rows


def parse_hrc(text: str, name: str, lead: str = LEAD) -> list[list[str]]:
    """The chains of an `.hrc` text; one error for lines that skip a level."""
    if not lead:
        raise InputError(f"{name}: the lead string is empty")
    above: list[str] = []
    chains = []
    for number, line in enumerate(text.splitlines(), 1):
        rest, depth = line.strip(), 0
        while rest.startswith(lead):
            rest, depth = rest[len(lead) :].lstrip(), depth + 1
        if not rest and not depth:
            continue
        if not rest or depth > len(above):
            fault = "has no code" if not rest else f"stands {depth} levels deep, below a code of {len(above)}"
            raise InputError(f"{name}: line {number} {fault}: a code may be one level deeper than the one before")
        above = [*above[:depth], rest]
        chains.append(above[::-1])
    if not chains:
        raise InputError(f"{name}: the file has no codes")
    return chains


def hrc_text(labels: Sequence[str], depth: Sequence[int]) -> str:
    """A tree, depth first and without its root, as the text of a `.hrc` file; depths count from 1 below the root."""
    odd = [label for label in labels if label.startswith(LEAD) or label != label.strip() or "\n" in label or not label]
    if odd:
        raise InputError(f"the label {shown(odd[0])} cannot stand in a .hrc file: it is empty, or begins or ends oddly")
    return "".join(f"{LEAD * (level - 1)}{label}\n" for label, level in zip(labels, depth))


def _text(path: Path, name: str, kind: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name}: cannot read {path} ({type(error).__name__}): give a UTF-8 {kind} file") from None
