"""Read quasi-identifiers and widened values back from two files, for the check of `matchings.py`.

A published value on an attribute becomes runs of codes: `[17, 39]` one run of the sorted numbers, `{a, b}` and the
labels of a hierarchy one run for each stretch of neighboring values, an unchanged value a run of length one. So all
kinds of attributes look alike from here on.

The formats are those of the contract: a widened number `[low, high]`, a widened category `{a, b}` with values that
hold a comma, brace or quote quoted as in CSV, `*` for anything.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Column = Sequence[Any] | NDArray[Any]

ANYTHING = "*"


class UnreadableError(Exception):
    """A column that cannot be judged; the message names it and says why."""


@dataclass(frozen=True)
class Reading:
    """One attribute: the code of each original (−1 where it lies in every box), and the runs of each published text."""

    codes: Integers
    texts: Integers
    run_ends: Integers
    run_low: Integers
    run_high: Integers


def read_attribute(
    name: str,
    original: Column,
    published: Column,
    *,
    categorical: bool,
    hierarchy: Iterable[Sequence[str]] | None,
    missing: str,
) -> Reading:
    was, values = distinct(original)
    now, texts = distinct(published)
    numbers = None if categorical or hierarchy is not None else _numbers(values)
    if numbers is not None:
        codes, covered = _numeric(name, values, numbers, texts)
    else:
        codes, covered = _categorical(name, values, texts, hierarchy)
    absent = np.array([is_missing(v) for v in values], bool)
    # Codes are places in sorted order; "missing" comes last, and a wildcard lies in every box.
    if missing == "wildcard" and absent.any():
        codes = np.where(absent, -1, codes)
    everything = (0, max(len(values) - 1, 0))
    runs = []
    for text, cover in zip(texts, covered):
        if is_missing(text) and missing == "wildcard":
            cover = [everything]
        runs.append(cover)
    ends = np.concatenate([[0], np.cumsum([len(r) for r in runs])]).astype(np.int64)
    flat = np.array([run for cover in runs for run in cover], np.int64).reshape(-1, 2)
    return Reading(codes[was], now, ends, flat[:, 0].copy(), flat[:, 1].copy())


def distinct(column: Column) -> tuple[Integers, list[Any]]:
    """A code for each entry, and the distinct entries."""
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return _distinct_arrow(column)
    array = np.asarray(column)
    if array.dtype.kind in "iuf":
        values, codes = np.unique(array, return_inverse=True)
        return codes.astype(np.int64).ravel(), values.tolist()
    if array.dtype.kind == "b":
        array = array.astype(str)
    try:
        encoded = pa.array(array.tolist(), from_pandas=True).dictionary_encode()
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        entries = [None if is_missing(v) else str(v) for v in array.tolist()]
        encoded = pa.array(entries).dictionary_encode()
    return _distinct_arrow(encoded)


def _distinct_arrow(column: Any) -> tuple[Integers, list[Any]]:
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_boolean(array.type):
        array = array.cast(pa.string())
    encoded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    found = encoded.dictionary.to_pylist()
    codes = encoded.indices.cast(pa.int64()).fill_null(len(found)).to_numpy(zero_copy_only=False)
    return codes.astype(np.int64), [*found, None] if encoded.null_count else found


def is_missing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _numbers(values: list[Any]) -> list[float | None] | None:
    """Every value as a number (None where missing), or None where one is something else."""
    numbers = [None if is_missing(v) else _number(v) for v in values]
    wrong = any(x is None and not is_missing(v) for x, v in zip(numbers, values))
    return None if wrong or all(x is None for x in numbers) else numbers


Runs = list[tuple[int, int]]


def _numeric(
    name: str, values: list[Any], numbers: list[float | None], texts: list[Any]
) -> tuple[Integers, list[Runs]]:
    places = np.array(sorted({x for x in numbers if x is not None}), np.float64)
    last = places.size  # the code of "missing"
    codes = np.array([last if x is None else int(np.searchsorted(places, x)) for x in numbers], np.int64)
    covered: list[Runs] = []
    unreadable = 0
    for text in texts:
        if is_missing(text):
            covered.append([(last, last)])
            continue
        if text == ANYTHING:
            covered.append([(0, last)])
            continue
        bounds = _interval(text)
        if bounds is None:
            unreadable += 1
            covered.append([])
            continue
        low = int(np.searchsorted(places, bounds[0], "left"))
        high = int(np.searchsorted(places, bounds[1], "right")) - 1
        covered.append([(low, high)] if low <= high else [])
    if unreadable:
        raise UnreadableError(f"column {name!r}: {unreadable} published entries are neither numbers nor [low, high]")
    return codes, covered


def _interval(text: Any) -> tuple[float, float] | None:
    number = _number(text)
    if number is not None:
        return number, number
    if not (isinstance(text, str) and text.startswith("[") and text.endswith("]")):
        return None
    ends = [_number(part) for part in text[1:-1].split(",")]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return None
    return ends[0], ends[1]


def _categorical(
    name: str, values: list[Any], texts: list[Any], hierarchy: Iterable[Sequence[str]] | None
) -> tuple[Integers, list[Runs]]:
    spelled = [plain(v) for v in values]
    rank = {text: place for place, text in enumerate(sorted(set(spelled) - {""}))}
    if "" in spelled:
        rank[""] = len(rank)
    codes = np.array([rank[text] for text in spelled], np.int64)
    labels: dict[str, set[str]] = {}
    for row in hierarchy or ():
        for label in row:
            labels.setdefault(str(label), set()).add(str(row[0]))
    covered: list[Runs] = []
    unreadable = 0
    for text in texts:
        entry = plain(text)
        members: Iterable[str]
        if entry in rank:
            members = [entry]
        elif entry in labels:
            members = labels[entry]
        elif entry == ANYTHING:
            members = rank
        elif entry.startswith("{") and entry.endswith("}"):
            members = set_items(entry)
        else:
            unreadable += 1
            members = []
        covered.append(_runs(sorted(rank[m] for m in members if m in rank)))
    if unreadable:
        raise UnreadableError(
            f"column {name!r}: {unreadable} published entries are neither values of the original, nor sets of them"
            + (", nor labels of the hierarchy" if hierarchy is not None else "")
        )
    return codes, covered


def plain(value: Any) -> str:
    """A category as text, the same whether it came as a number or as text."""
    if is_missing(value):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def set_items(text: str) -> list[str]:
    """The items of `{a, "b, c", d}`; a doubled quote inside quotes is a quote."""
    items, item, quoted = [], "", False
    position, inner = 0, text[1:-1]
    while position < len(inner):
        char = inner[position]
        if quoted and char == '"' and inner[position + 1 : position + 2] == '"':
            item += '"'
            position += 1
        elif char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
            items.append(item)
            item = ""
            if inner[position + 1 : position + 2] == " ":
                position += 1
        else:
            item += char
        position += 1
    return [*items, item]


def _runs(places: list[int]) -> Runs:
    runs: Runs = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], place)
        elif not runs or place > runs[-1][1]:
            runs.append((place, place))
    return runs


def labels_of(hierarchies: Mapping[str, Any] | None, name: str) -> list[Sequence[str]] | None:
    """The rows of a column's hierarchy: a value and its ever wider labels.

    They may come as rows, as a CSV file without header, as a nested mapping, or from an object that gives `rows()`.
    """
    given = (hierarchies or {}).get(name)
    if given is None:
        return None
    if callable(getattr(given, "rows", None)):
        return [tuple(row) for row in given.rows()]
    if isinstance(given, Mapping):
        return _nested(given, ())
    if isinstance(given, str | os.PathLike):
        try:
            text = Path(given).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            raise UnreadableError(f"column {name!r}: the file of its hierarchy cannot be read") from None
        delimiter = max(";,\t", key=text.split("\n", 1)[0].count)
        return [tuple(row) for row in csv.reader(text.splitlines(), delimiter=delimiter) if row]
    return [tuple(row) for row in given]


def _nested(tree: Any, above: tuple[str, ...]) -> list[Sequence[str]]:
    if isinstance(tree, Mapping):
        return [row for label, below in tree.items() for row in _nested(below, (str(label), *above))]
    return [(str(value), *above) for value in tree]
