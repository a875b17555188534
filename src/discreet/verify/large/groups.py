"""Classes of rows that are alike as published, and the means of their originals, by one aggregation on disk.

Per class and column: n rows, c known originals, their sum s and the largest |x|, m. The published value y is one per
class, as rows of a class have equal bits. Then the rules are those of `discreet.verify.groups`: n ≥ k; c ≥ k or y is
blank; and |s/c − y| ≤ t·m + e, where t and e depend on whether the column holds whole numbers only.
Sums cannot overflow: huge numbers are added up apart, multiplied by a power of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from discreet.verify.groups import MEAN_TOLERANCE, SMALLEST, WHOLE_TOLERANCE
from discreet.verify.large.database import ask
from discreet.verify.large.facts import Column

Rows = Callable[[], Iterator[Any]]
LARGE, SHRUNK = 2.0**500, 2.0**-100


@dataclass(frozen=True)
class Classes:
    """How many classes there are, of how many rows, and how many rows have which fault; `few` and `wrong` by column."""

    rows: int
    classes: int
    smallest: int
    small_rows: int
    small_classes: int
    few: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()


def count_classes(connection: Any, batches: Rows, keys: int, k: int) -> Classes:
    """Classes of rows by their first columns, `p0` to the last of `keys`."""
    query = f"SELECT {_sizes(k)} FROM (SELECT count(*) AS n FROM rows GROUP BY {_keys(keys)})"
    return _classes(_whole(ask(connection, batches(), query)))


def check_classes(
    connection: Any,
    batches: Rows,
    keys: int,
    k: int,
    columns: Sequence[Column],
    *,
    weighted: bool,
) -> Classes:
    """Likewise, and whether published values are the means of known ones: `x0` …, `y0` … and the weight `w`."""
    inner, outer = ["count(*) AS n"], [_sizes(k)]
    for j, column in enumerate(columns):
        total = f"sum(w) FILTER (x{j} IS NOT NULL)" if weighted else f"count(x{j})"
        inner += [
            f"count(x{j}) AS c{j}",
            f"{total} AS t{j}",
            *_sums(j, column, "w * " if weighted else ""),
            f"max(abs(x{j})) AS m{j}",
            f"any_value(y{j}) AS y{j}",
        ]
        mean = f"s{j} / t{j}" if column.largest <= LARGE else f"(s{j} / t{j} + h{j} / t{j} * {_number(1.0 / SHRUNK)})"
        wrong = f"NOT abs({mean} - y{j}) <= {_allowed(j, column)}"
        outer += [
            f"coalesce(sum(n) FILTER (y{j} IS NOT NULL AND c{j} < {k}), 0)",
            f"coalesce(sum(c{j}) FILTER (y{j} IS NOT NULL AND c{j} > 0 AND {wrong}), 0)",
        ]
    query = f"SELECT {', '.join(outer)} FROM (SELECT {', '.join(inner)} FROM rows GROUP BY {_keys(keys)})"
    found = _whole(ask(connection, batches(), query))
    return _classes(found)


def _classes(found: tuple[int, ...]) -> Classes:
    rows, classes, smallest, small_rows, small_classes = found[:5]
    return Classes(rows, classes, smallest, small_rows, small_classes, found[5::2], found[6::2])


def _sums(j: int, column: Column, weight: str) -> list[str]:
    """The sum of a column; where it could overflow that of its huge numbers apart, made smaller, which is exact."""
    if column.largest <= LARGE:
        return [f"sum({weight}x{j}) AS s{j}"]
    huge = f"abs(x{j}) > {_number(LARGE)}"
    return [
        f"coalesce(sum({weight}x{j}) FILTER (NOT {huge}), 0) AS s{j}",
        f"coalesce(sum({weight}(x{j} * {_number(SHRUNK)})) FILTER ({huge}), 0) AS h{j}",
    ]


def _allowed(j: int, column: Column) -> str:
    """How far a mean may be from what is published."""
    largest = f"(CASE WHEN m{j} > 0 THEN m{j} ELSE 1 END)"
    if not column.whole:
        return f"{_number(MEAN_TOLERANCE)} * {largest} + {_number(SMALLEST)}"
    beyond = f"m{j} > {_number(2.0**53)}"
    share = f"(CASE WHEN {beyond} THEN {_number(WHOLE_TOLERANCE)} ELSE {_number(MEAN_TOLERANCE)} END)"
    return f"{share} * {largest} + {_number(0.5)}"


def fewest_values(connection: Any, batches: Rows, keys: int, l: int) -> tuple[int, int, int]:
    """Rows and classes with fewer than l known values of the column `s`, and the fewest that a class holds."""
    each = f"SELECT {_keys(keys)}, s, count(*) AS c FROM rows GROUP BY {_keys(keys)}, s"
    held = f"SELECT sum(c) AS n, count(s) AS h FROM ({each}) GROUP BY {_keys(keys)}"
    query = f"SELECT coalesce(sum(n) FILTER (h < {l}), 0), count(*) FILTER (h < {l}), min(h) FROM ({held})"
    rows, classes, fewest = _whole(ask(connection, batches(), query))
    return rows, classes, fewest


@dataclass(frozen=True)
class Counts:
    """Of the combinations of values of some columns: how many there are, how many occur once, the rows that 2 to 20
    share, and how many share the most frequent one."""

    different: int
    single: int
    shared: int
    most: int


def count_values(connection: Any, batches: Rows, keys: int, largest: int) -> Counts:
    """How often combinations of `p0` … occur."""
    query = (
        f"SELECT count(*), count(*) FILTER (c = 1), coalesce(sum(c) FILTER (c BETWEEN 2 AND {largest}), 0), max(c) "
        f"FROM (SELECT count(*) AS c FROM rows GROUP BY {_keys(keys)})"
    )
    return Counts(*_whole(ask(connection, batches(), query)))


def _sizes(k: int) -> str:
    small = f"coalesce(sum(n) FILTER (n < {k}), 0), count(*) FILTER (n < {k})"
    return f"sum(n), count(*), min(n), {small}"


def _keys(count: int) -> str:
    return ", ".join(f"p{j}" for j in range(count))


def _number(value: float) -> str:
    return f"CAST('{value!r}' AS DOUBLE)"


def _whole(found: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(int(value) for value in found)
