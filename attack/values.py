"""Columns that have fooled programs: spellings of one number, digits beyond a float, empties, look-alikes."""

from __future__ import annotations

import csv
import io
import random
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

TEXTS: list[list[str]] = [
    [str(10**17 + i) for i in range(8)],
    [str(10**22 + i) for i in range(8)],
    ["1", "1.0", "1.00", "+1", "01", "1e0", "2", "2.0"],
    ["0", "0.0", "-0", "-0.0", "+0", "1", "-1", ".0"],
    ["1_1", "11", "1_2", "12", "13", "1_3"],
    ["１", "1", "２", "2", "3", "３"],
    ["1", " 1", "1 ", "2", " 2", "3"],
    ["0.1", "0.10000000000000000001", "0.1000000000000000055511151231257827", "0.2", "0.3"],
    ["4.1", "4.10", "300", "0300", "0.3e3", "5"],
    ["a", "A", " a", "a ", "á", "a\u0301", "b"],
    ["x", "y", "z", "x,y", "{x, y}", '"x"', "*", "[1, 2]"],
    ["9007199254740992", "9007199254740993", "9007199254740994", "9007199254740995"],
    ["17", "18", "21", "25", "33", "40", "41", "64"],
    ["", "1", "2", "3", "NA", "nan"],
    ["", "low", "high", "mid"],
    ["1e300", "1e-300", "5e-324", "1e308", "0", "-1e300"],
    ["true", "false", "True", "1"],
    ["2020-01-01", "2020-01-02", "2021-05-05", "2020-1-1"],
    ["inf", "1", "2", "-inf", "nan"],
    ["0x10", "16", "1e1", "10", "1E1"],
]

TYPED: list[tuple[pa.DataType, list[Any]]] = [
    (pa.int64(), [2**62 + i for i in range(6)]),
    (pa.int64(), [-3, 0, 1, 2, 5, None]),
    (pa.uint64(), [2**64 - 1 - i for i in range(6)]),
    (pa.int8(), [1, 2, 3, -128, 127]),
    (pa.float64(), [0.0, -0.0, 1.5, 2.5, 0.1 + 0.2, 0.3]),
    (pa.float64(), [float("nan"), None, 1.0, 2.0, 3.0]),
    (pa.float64(), [5e-324, 1e308, 1.0, -1e-310, 0.0]),
    (pa.float32(), [0.1, 0.2, 16777216.0, 16777218.0, 3.0]),
    (pa.string(), ["4.1", "4.10", "300", "0300", "5"]),
    (pa.string(), ["", None, "a", "b", "c"]),
    (pa.string(), ["1", " 1", "2", "2.0", "3"]),
    (pa.string(), ["1_1", "11", "12", "1_2"]),
    (pa.large_string(), ["u", "v", "w", "x"]),
    (pa.decimal128(25, 2), [Decimal(10) ** 20 + Decimal(i) / 100 for i in range(6)]),
    (pa.bool_(), [True, False, None]),
    (pa.date32(), [date(2020, 1, 1), date(2020, 1, 2), date(1950, 6, 1), date(2001, 12, 31)]),
    (pa.timestamp("us"), [datetime(2020, 1, 1), datetime(2020, 1, 1, 0, 0, 0, 1), datetime(2021, 1, 1)]),
    (pa.time64("us"), [time(1), time(1, 0, 0, 1), time(23, 59)]),
    (pa.duration("us"), [timedelta(microseconds=2**53 + i) for i in range(5)]),
    (pa.dictionary(pa.int32(), pa.string()), ["a", "b", "c", "d"]),
]


def write_csv(columns: dict[str, list[str]], path: Path) -> None:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values()))
    path.write_text(out.getvalue(), encoding="utf-8", newline="")


def text_columns(chance: random.Random, n: int, names: list[str]) -> dict[str, list[str]]:
    out = {}
    for name in names:
        pool = chance.choice(TEXTS)
        pool = chance.sample(pool, chance.randint(1, len(pool)))
        out[name] = [chance.choice(pool) for _ in range(n)]
    return out


def write_parquet(chance: random.Random, n: int, names: list[str], path: Path) -> None:
    arrays = []
    for _ in names:
        kind, pool = chance.choice(TYPED)
        pool = chance.sample(pool, chance.randint(1, len(pool)))
        arrays.append(pa.array([chance.choice(pool) for _ in range(n)], kind))
    pq.write_table(pa.table(arrays, names=names), path)
