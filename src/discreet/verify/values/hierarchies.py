"""The labels of a hierarchy and the values below each, from whatever describes it."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discreet.errors import InputError
from discreet.verify.readers.column import shown

Labels = Mapping[str, frozenset[str]]


def labels_of(hierarchies: Mapping[str, Any] | None, name: str) -> Labels | None:
    """The labels of a column's hierarchy, None where it has none.

    A hierarchy comes as rows of a value and its ever wider labels, as a CSV file of them without header, as a nested
    mapping, or as an object that gives `rows()`.
    """
    given = (hierarchies or {}).get(name)
    if given is None:
        return None
    try:
        rows = _rows(given, name)
        return _labels([[str(label) for label in row] for row in rows], name)
    except (TypeError, ValueError, csv.Error) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"column {shown(name)}: its hierarchy is not one of values and wider labels") from None


def _rows(given: Any, name: str) -> Sequence[Sequence[Any]]:
    if callable(getattr(given, "rows", None)):
        return [tuple(row) for row in given.rows()]
    if isinstance(given, Mapping):
        return _nested(given, ())
    if isinstance(given, str | os.PathLike):
        try:
            text = Path(given).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            raise InputError(f"column {shown(name)}: the file of its hierarchy cannot be read") from None
        delimiter = max(";,\t", key=text.split("\n", 1)[0].count)
        return [tuple(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    return [tuple(row) for row in given]


def _nested(tree: Any, above: tuple[str, ...]) -> list[Sequence[str]]:
    if isinstance(tree, Mapping):
        return [row for label, below in tree.items() for row in _nested(below, (str(label), *above))]
    return [(str(value), *above) for value in tree]


def _labels(rows: Sequence[Sequence[str]], name: str) -> Labels:
    """Per label its values. A label that stands at several places of the hierarchy is an error."""
    values: dict[str, set[str]] = {}
    above: dict[str, set[tuple[str, ...]]] = {}
    levels: dict[str, set[int]] = {}
    for row in rows:
        path = [label for level, label in enumerate(row) if level == 0 or label != row[level - 1]]
        for level, label in enumerate(path):
            values.setdefault(label, set()).add(row[0])
            above.setdefault(label, set()).add(tuple(path[level + 1 :]))
        for level, label in enumerate(row):
            levels.setdefault(label, set()).add(level)
    # A label on one level of a table of equal rows names one set of values, tree or not.
    table = len({len(row) for row in rows}) <= 1
    several = [label for label in values if len(above[label]) > 1 and not (table and len(levels[label]) == 1)]
    if several:
        raise InputError(f"column {shown(name)}: {len(several)} labels of its hierarchy stand at several places of it")
    return {label: frozenset(below) for label, below in values.items()}
