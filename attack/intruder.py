"""How an intruder reads a published file: entry by entry, as bytes, and what each may stand for.

Written from the description of the formats alone. Everything is slow and obvious: exact fractions, sets of texts, an
augmenting path at a time.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

NUMBER = re.compile(r"[ \t]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)[ \t]*", re.ASCII)
ZERO = re.compile(r"\s*[+-]?0[0-9]", re.ASCII)
ABSENT = ("", "NA", "NaN", "nan", "null", "NULL")


@dataclass(frozen=True)
class Entry:
    """A cell: what distinguishes it in the file, its text, and its value where the file has types (else the text)."""

    key: Any
    text: str | None
    value: Any


Table = dict[str, list[Entry]]


def read(path: Path) -> Table:
    return read_parquet(path) if path.suffix == ".parquet" else read_csv(path)


def read_csv(path: Path) -> Table:
    records: list[list[Entry]] = []
    record: list[Entry] = []
    text = path.read_bytes().decode("utf-8")
    place, n = 0, len(text)
    while place < n:
        start = place
        if text[place] == '"':
            place += 1
            content = ""
            while True:
                if text[place] == '"' and text[place + 1 : place + 2] == '"':
                    content += '"'
                    place += 2
                elif text[place] == '"':
                    place += 1
                    break
                else:
                    content += text[place]
                    place += 1
        else:
            while place < n and text[place] not in ",\n":
                place += 1
            content = text[start:place]
        record.append(Entry(text[start:place], content or None, content or None))
        if place >= n or text[place] == "\n":
            records.append(record)
            record = []
        elif place + 1 == n:  # a comma at the very end: one more empty field
            records.append([*record, Entry("", None, None)])
            record = []
        place += 1
    header, *rows = records
    return {str(name.text): [row[at] for row in rows] for at, name in enumerate(header)}


def read_parquet(path: Path) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    out: Table = {}
    for name in table.column_names:
        column = table.column(name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_duration(column.type):
            column = column.cast(pa.int64())
        kind = str(column.type)
        entries = []
        for scalar in column.to_pylist():
            key = struct.pack("<d", scalar) if isinstance(scalar, float) else scalar
            absent = scalar is None or scalar == "" or scalar != scalar
            if isinstance(scalar, float) and not absent:  # texts name a float by the shortest decimal that reads back
                scalar = Decimal(str(scalar))
            entries.append(
                Entry((kind, type(scalar).__name__, key), None if absent else shown(scalar), None if absent else scalar)
            )
        out[name] = entries
    return out


def shown(value: Any) -> str:
    """The text of a typed value, where a widened column names it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime | date | time):
        return str(value)
    return str(value)


def exact(value: Any) -> Fraction | None:
    """The number that an entry is, exactly, or None."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | Decimal):
        return Fraction(value)
    if isinstance(value, float):
        return Fraction(value) if abs(value) <= 1.8e308 else None
    if isinstance(value, timedelta):
        return Fraction(value // timedelta(microseconds=1))
    if isinstance(value, str):
        found = NUMBER.fullmatch(value)
        return Fraction(Decimal(found[1])) if found else None
    return None


@dataclass(frozen=True)
class Column:
    """An original column: numbers where every value that is not missing is one, else texts. None is missing."""

    values: list[Any]
    numeric: bool


def original(entries: Sequence[Entry], *, categorical: bool) -> Column:
    numbers = [exact(entry.value) for entry in entries]
    gaps = [
        entry.text is None or (isinstance(entry.value, str) and entry.value.strip(" \t") in ABSENT) for entry in entries
    ]
    # Text is text where the file has types, and so are digits with zeros in front where it has none.
    typed = any(not isinstance(entry.key, str) and isinstance(entry.value, str) for entry in entries)
    codes = typed or any(isinstance(entry.value, str) and ZERO.match(entry.value) for entry in entries)
    if not categorical and not codes and not all(gaps) and all(x is not None or gap for x, gap in zip(numbers, gaps)):
        return Column([None if gap else x for x, gap in zip(numbers, gaps)], True)
    return Column([None if entry.text is None else (entry.text, entry.value) for entry in entries], False)


def fits(column: Column, row: int, entry: Entry, *, wildcard: bool) -> bool:
    """Whether original `row` may be what a published entry stands for."""
    value = column.values[row]
    if value is None and wildcard:
        return True
    if entry.text is None:
        return wildcard or value is None
    if entry.text == "*":
        return True
    if column.numeric:
        number = exact(entry.value)
        if number is None and isinstance(entry.value, str) and entry.value.strip(" \t") in ABSENT:
            return value is None
        if number is not None:
            return bool(value == number)
        ends = [exact(part) for part in entry.text[1:-1].split(",")] if entry.text[:1] == "[" else []
        return len(ends) == 2 and None not in ends and value is not None and ends[0] <= value <= ends[1]  # type: ignore[operator]
    if value is not None and (
        named(value, entry.text) or (type(value[1]) is type(entry.value) and value[1] == entry.value)
    ):
        return True
    if entry.text[:1] == "{" and entry.text[-1:] == "}":
        return "" in items(entry.text) if value is None else any(named(value, item) for item in items(entry.text))
    if entry.text[:1] == "[" and entry.text[-1:] == "]" and ", " in entry.text and value is not None:
        low, high = entry.text[1:-1].split(", ", 1)
        least, one, most = moment(low), moment(value[0]), moment(high)
        if None not in (least, one, most) and type(least) is type(one) is type(most):
            return bool(least <= one <= most)
        return isinstance(value[1], date | time) and low <= value[0] <= high
    return False


def moment(text: str) -> Any:
    """A text in ISO 8601 as a moment or a time of day; None for other text."""
    for kind in (time, datetime):
        if re.fullmatch(r"\d\d:\d\d.*" if kind is time else r"\d{4}-\d\d-\d\d.*", text):
            try:
                return kind.fromisoformat(text)
            except ValueError:
                return None
    return None


def named(value: tuple[str, Any], text: str) -> bool:
    """Whether a text names a category: by its letters or, where the file has types, as a number or moment."""
    letters, typed = value
    if letters == text:
        return True
    if isinstance(typed, datetime | date | time):
        try:
            return bool(type(typed).fromisoformat(text) == typed)
        except ValueError:
            return False
    return not isinstance(typed, str) and exact(typed) is not None and exact(typed) == exact(text)


def items(text: str) -> set[str]:
    """What `{a, "b, c"}` lists."""
    found, place = set(), 1
    while place < len(text):
        if text[place] == '"':
            item, place = "", place + 1
            while True:
                if text[place] == '"' and text[place + 1 : place + 2] == '"':
                    item, place = item + '"', place + 2
                elif text[place] == '"':
                    place += 1
                    break
                else:
                    item, place = item + text[place], place + 1
        else:
            stop = min(at for at in (text.find(",", place), len(text) - 1) if at >= 0)
            item, place = text[place:stop], stop
        found.add(item)
        place += 2 if text[place : place + 2] == ", " else 1
    return found


def matchable(compatible: Sequence[Sequence[bool]], k: int) -> bool:
    """Whether there are k disjoint perfect matchings: every person and every row is in k pairs."""
    n = len(compatible)
    chosen = [[False] * n for _ in range(n)]
    load = [0] * n

    def augment(person: int, seen: set[int]) -> bool:
        for row in range(n):
            if compatible[person][row] and not chosen[person][row] and row not in seen:
                seen.add(row)
                if load[row] < k:
                    chosen[person][row] = True
                    load[row] += 1
                    return True
                for other in range(n):
                    if chosen[other][row] and other != person:
                        chosen[other][row] = False
                        chosen[person][row] = True
                        if augment(other, seen):
                            return True
                        chosen[other][row] = True
                        chosen[person][row] = False
        return False

    return all(augment(person, set()) for person in range(n) for _ in range(k))


def meaning(entry: Entry, numeric: bool) -> Any:
    """What an entry says, whatever its spelling."""
    if entry.text is None:
        return None
    number = exact(entry.value) if numeric else None
    if number is not None:
        return number, number
    if numeric and isinstance(entry.value, str) and entry.value.strip(" \t") in ABSENT:
        return None
    if numeric and entry.text[:1] == "[":
        return tuple(exact(part) for part in entry.text[1:-1].split(","))
    if entry.text[:1] == "{" and entry.text[-1:] == "}":
        return frozenset(items(entry.text))
    return entry.text


def spelled_twice(column: Column, published: Sequence[Entry]) -> bool:
    """Whether two entries of a column that say the same differ as published."""
    known: dict[Any, Any] = {}
    return any(known.setdefault(meaning(entry, column.numeric), entry.key) != entry.key for entry in published)


def safe(
    before: Table,
    after: Table,
    names: Sequence[str],
    k: int,
    *,
    categorical: Sequence[str] = (),
    wildcard: bool = False,
) -> bool:
    """Whether an intruder who compares bytes is left with k disjoint ways to assign everyone."""
    n = len(before[names[0]])
    if any(len(column) != n for column in after.values()) or not set(names) <= set(after):
        return False
    if not set(after) <= set(before):
        return False
    whole = [[True] * n for _ in range(n)]
    for name in names:
        column = original(before[name], categorical=name in categorical)
        graph = [[fits(column, person, entry, wildcard=wildcard) for entry in after[name]] for person in range(n)]
        if spelled_twice(column, after[name]):
            return False
        whole = [[a and b for a, b in zip(one, two)] for one, two in zip(whole, graph)]
    return matchable(whole, k)
