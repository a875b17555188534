"""The custodian's secret file: which originals stand behind each published row. All numbers count from 0.

A CSV with one row per published row, in one of two forms:

    published_row,origin,drawn,match_1,…,match_k[,also]      matchings
    published_row,origin,class                               classes

`origin` is the original whose other columns the row carries, `drawn` says which match column it is (1 … k), `also`
lists further originals that its box was made to cover, separated by spaces. Rows of one class show the same; the
originals of a class are the origins of its rows.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

from discreet.errors import InputError

Integers = NDArray[np.int64]

CLASSES = ["published_row", "origin", "class"]


@dataclass(frozen=True)
class Secret:
    """Per published row its origin, which matching was drawn, its matches, and the others its box covers (row, one)."""

    origin: Integers
    drawn: Integers
    matches: Integers
    also_row: Integers
    also: Integers


@dataclass(frozen=True)
class SecretClasses:
    """Per published row its origin and its class."""

    origin: Integers
    of_row: Integers


def parse(text: str, n: int, kept: Integers | None = None) -> Secret:
    """The secret of a release of n rows by matchings; one InputError where it is malformed.

    `kept` are the numbers, in the original, of the records that must be published, where these are not all: the secret
    speaks of them by their places in `kept`.
    """
    names = _header(text)
    with_also = names[-1] == "also"
    k = len(names) - 3 - with_also
    expected = ["published_row", "origin", "drawn", *(f"match_{t + 1}" for t in range(k)), *(["also"] * with_also)]
    if k < 1 or names != expected:
        raise _malformed("its header is not published_row,origin,drawn,match_1,...,match_k")
    table = _table(text, names)
    row, order = _rows(table, n)
    numbers = np.stack([table[name].to_numpy() for name in names if name != "also"], axis=1)
    drawn = numbers[:, 2]
    also_row, also = _lists(table["also"].to_pylist()) if with_also else (np.zeros(0, np.int64), np.zeros(0, np.int64))
    if drawn.min() < 1 or drawn.max() > k:
        raise _malformed(f"its column drawn must lie between 1 and {k}")
    origin, matches, also = (_known(part, n, kept) for part in (numbers[:, 1], numbers[:, 3:], also))
    return Secret(origin[order], drawn[order], np.ascontiguousarray(matches[order]), row[also_row], also)


def parse_classes(text: str, n: int, kept: Integers | None = None) -> SecretClasses:
    """The secret of a release of n rows by classes, likewise."""
    names = _header(text)
    if names != CLASSES:
        raise _malformed("its header is not published_row,origin,class")
    table = _table(text, names)
    _, order = _rows(table, n)
    origin = _known(table["origin"].to_numpy(), n, kept)
    of_row = np.unique(table["class"].to_numpy(), return_inverse=True)[1].ravel().astype(np.int64)
    return SecretClasses(origin[order], of_row[order])


def origins(text: str, originals: int) -> Integers:
    """The originals that a secret of either form says are published, in their order."""
    names = _header(text)
    if names[:2] != CLASSES[:2]:
        raise _malformed("its header does not begin with published_row,origin")
    found = _table(text, names)["origin"].to_numpy()
    if found.size == 0 or found.min() < 0 or found.max() >= originals:
        raise _malformed("it names originals that do not exist; they are counted from 0")
    return np.unique(found).astype(np.int64)


def _header(text: str) -> list[str]:
    return text.partition("\n")[0].removesuffix("\r").split(",")


def _table(text: str, names: list[str]) -> Any:
    body = text.partition("\n")[2]
    if '"' in body or "\0" in body:
        raise _malformed("it holds characters that are no part of a number")
    kinds = {name: pa.string() if name == "also" else pa.int64() for name in names}
    try:
        table = csv.read_csv(
            io.BytesIO(body.encode()),
            read_options=csv.ReadOptions(column_names=names, block_size=max(1 << 20, 64 * len(names))),
            convert_options=csv.ConvertOptions(column_types=kinds, null_values=[""], strings_can_be_null=False),
        )
    except (pa.ArrowException, UnicodeError, ValueError):
        raise _malformed("not every row has a whole number in every column") from None
    if any(table[name].null_count for name in names):
        raise _malformed("it has empty fields")
    return table


def _rows(table: Any, n: int) -> tuple[Integers, Integers]:
    """The published row of each line, and the lines in the order of rows."""
    if table.num_rows != n:
        raise _malformed(f"it has {table.num_rows} rows and the release has {n}")
    row = table["published_row"].to_numpy()
    if row.min() < 0 or row.max() >= n or (np.bincount(row, minlength=n) != 1).any():
        raise _malformed("its published_row does not name every row of the release once")
    return row, np.argsort(row)


def _known(numbers: Integers, n: int, kept: Integers | None) -> Integers:
    """Numbers of originals, by their places among those that are kept."""
    most = n if kept is None else int(kept.max(initial=-1)) + 1
    if numbers.size and (numbers.min() < 0 or numbers.max() >= most):
        raise _malformed("it names originals that do not exist; they are counted from 0")
    if kept is None:
        return numbers
    place = np.full(most, -1, np.int64)
    place[kept] = np.arange(kept.size)
    found = np.asarray(place[numbers], np.int64)
    if (found < 0).any():
        raise _malformed("it names originals that are to be left out")
    return found


def _malformed(what: str) -> InputError:
    return InputError(
        f"the secret file is malformed: {what}. Give the file that --keep-secret wrote along with this release"
    )


def _lists(texts: list[str]) -> tuple[Integers, Integers]:
    """The numbers in each text, as pairs of the place of the text and a number."""
    places, numbers = [], []
    for place, text in enumerate(texts):
        for item in text.split(" ") if text else ():
            if not (item.isascii() and item.isdigit() and len(item) < 19):
                raise _malformed("its column also must hold whole numbers separated by spaces")
            places.append(place)
            numbers.append(int(item))
    return np.array(places, np.int64), np.array(numbers, np.int64)
