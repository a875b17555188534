"""The custodian's secret file checked against a generalized release: the matchings and the draw themselves.

The file is a CSV with one row per published row, all numbers counted from 0:

    published_row,origin,drawn,match_1,…,match_k[,also]

`origin` is the original whose other columns the row carries, `drawn` says which match column it is (1 … k), and
`also` lists further originals that its box was made to cover, separated by spaces. The two data files and this one
must fit as follows; then every person is at each of its k rows with probability 1/k for whoever knows the quasi-
identifiers of all, the method and even the match columns, provided that for each component one of its columns was
drawn uniformly, which is the custodian's word.

1. Every match column is a permutation of the originals, and the matches of a row are distinct: k disjoint perfect
   matchings.
2. Every match lies in its row's box, and the box is the least one over the matches (and `also`), so that it depends
   on them only and not on the draw; equal boxes are spelled alike.
3. In each connected component of the matchings the origins are one single match column.
4. The other columns of a row are those of its origin.
5. With l: each person's k rows carry at least l distinct sensitive values.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numba import njit
from pyarrow import csv

from discreet.errors import InputError
from discreet.verify.matchings.reading import Integers, Reading
from discreet.verify.matchings.secret_boxes import box_faults, members

MOST_IN_PLACE = 16
"""A shuffled file has 16 or more rows that stand where their person stood with probability below 10⁻¹³."""


@dataclass(frozen=True)
class Secret:
    """Per published row its origin, which matching was drawn, its matches, and the others its box covers (row, one)."""

    origin: Integers
    drawn: Integers
    matches: Integers
    also_row: Integers
    also: Integers


@dataclass(frozen=True)
class Opened:
    """What the secret proves, or what is wrong with it."""

    failures: tuple[str, ...] = ()
    proven: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    figures: dict[str, float | int | str] = field(default_factory=dict)


def parse(text: str, n: int) -> Secret:
    """The secret of a release of n rows; one InputError where it is malformed."""
    head, _, body = text.partition("\n")
    names = head.removesuffix("\r").split(",")
    with_also = names[-1] == "also"
    k = len(names) - 3 - with_also
    expected = ["published_row", "origin", "drawn", *(f"match_{t + 1}" for t in range(k)), *(["also"] * with_also)]
    if k < 1 or names != expected:
        raise _malformed("its header is not published_row,origin,drawn,match_1,...,match_k")
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
    if table.num_rows != n:
        raise _malformed(f"it has {table.num_rows} rows and the release has {n}")
    if any(table[name].null_count for name in names):
        raise _malformed("it has empty fields")
    numbers = np.stack([table[name].to_numpy() for name in names if name != "also"], axis=1)
    row, origin, drawn, matches = numbers[:, 0], numbers[:, 1], numbers[:, 2], numbers[:, 3:]
    if row.min() < 0 or row.max() >= n or (np.bincount(row, minlength=n) != 1).any():
        raise _malformed("its published_row does not name every row of the release once")
    also_row, also = _lists(table["also"].to_pylist()) if with_also else (np.zeros(0, np.int64), np.zeros(0, np.int64))
    for numbers in (origin, matches, also):
        if numbers.size and (numbers.min() < 0 or numbers.max() >= n):
            raise _malformed("it names originals that do not exist; they are counted from 0")
    if drawn.min() < 1 or drawn.max() > k:
        raise _malformed(f"its column drawn must lie between 1 and {k}")
    order = np.argsort(row)
    return Secret(origin[order], drawn[order], np.ascontiguousarray(matches[order]), row[also_row], also)


def _malformed(what: str) -> InputError:
    return InputError(f"the secret file is malformed: {what}. Give the file that generalize --keep-secret wrote")


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


def verify_secret(
    text: str,
    readings: list[Reading],
    *,
    k: int,
    sensitive_codes: Integers | None = None,
    l: int | None = None,
    left: tuple[Integers, Integers] | None = None,
    names: Sequence[str] = (),
) -> Opened:
    """Whether the secret fits the release and shows a draw among k or more disjoint matchings."""
    n = readings[0].texts.size
    s = parse(text, n)
    failures = _matching_faults(s, k)
    if failures:  # nothing below means anything then
        return Opened(tuple(failures))
    width = s.matches.shape[1]
    component = components(s.matches)
    failures += _draw_faults(s, component)
    found, limits = box_faults(readings, members(s.matches, s.also_row, s.also), names)
    failures += found
    if left is not None:
        wrong = int((left[1] != left[0][s.origin]).sum())
        if wrong:
            failures.append(f"{wrong} published rows carry other values than their origin in the secret file")
    in_place = int((s.origin == np.arange(n)).sum())
    if in_place >= MOST_IN_PLACE:
        failures.append(f"{in_place} published rows stand where their person stands in the original: shuffle the rows")
    proven = [
        f"each person is at each of its {width} rows with probability 1/{width}, for whoever knows the quasi-"
        "identifiers of all, the method and the matchings, and not the draw, which the custodian vouches was uniform"
    ]
    if sensitive_codes is not None and l is not None:
        short, elsewhere = short_of_l(s.matches, s.origin, sensitive_codes, l)
        if short:
            failures.append(f"{short} people have {width} rows with fewer than {l} distinct sensitive values")
        proven.append(f"each person's {width} rows carry at least {l} distinct sensitive values")
        limits.append("what boxes tell about sensitive values: for l they are chosen with a view to them")
        if elsewhere:
            limits.append(f"a draw repeated until each person saw {l} values: not every matching shows as many")
    if _covers_more(s, component):
        limits.append("boxes that cover more than their matches: that these follow from no draw is vouched for")
    figures: dict[str, float | int | str] = {"matchings": width, "components": int((component == np.arange(n)).sum())}
    if failures:
        return Opened(tuple(failures), figures=figures)
    return Opened((), tuple(proven), tuple(limits), figures)


def _matching_faults(s: Secret, k: int) -> list[str]:
    """Columns that are no permutations, matches that repeat, fewer matchings than claimed, an origin outside."""
    n, width = s.matches.shape
    faults = []
    if width < k:
        faults.append(f"the secret file has {width} matchings, and k = {k} is claimed")
    broken = sum(int((np.bincount(s.matches[:, t], minlength=n) != 1).any()) for t in range(width))
    if broken:
        faults.append(f"{broken} match columns of the secret file do not hold every original once")
    ordered = np.sort(s.matches, axis=1)
    repeated = int((ordered[:, 1:] == ordered[:, :-1]).any(axis=1).sum())
    if repeated:
        faults.append(f"{repeated} rows of the secret file hold an original twice: the matchings are not disjoint")
    strayed = int((s.matches[np.arange(n), s.drawn - 1] != s.origin).sum())
    if strayed:
        faults.append(f"{strayed} origins of the secret file are not the match that it says was drawn")
    return faults


def _draw_faults(s: Secret, component: Integers) -> list[str]:
    mixed = np.unique(component[s.drawn != s.drawn[component]]).size
    if not mixed:
        return []
    return [f"in {mixed} components the origins are taken from more than one matching, so others can be excluded"]


def _covers_more(s: Secret, component: Integers) -> bool:
    """Whether some box covers, beyond its matches, anything but all originals of its component."""
    if s.also.size == 0:
        return False
    n, width = s.matches.shape
    home = np.empty(n, np.int64)
    home[s.matches[:, 0]] = component
    size = np.bincount(component, minlength=n)[component]
    pairs = np.unique(np.stack([s.also_row, s.also], axis=1), axis=0)
    new = ~(s.matches[pairs[:, 0]] == pairs[:, 1:]).any(axis=1)
    strangers = bool((home[s.also] != component[s.also_row]).any())
    return strangers or bool((np.bincount(pairs[new, 0], minlength=n) != size - width).any())


@njit(cache=True, nogil=True)
def components(matches: Integers) -> Integers:
    """The connected component of each published row, named by its least row. The columns must be permutations."""
    n, k = matches.shape
    above, holder = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        above[i] = i
        holder[matches[i, 0]] = i
    for i in range(n):
        for t in range(1, k):
            a, b = i, holder[matches[i, t]]
            while above[a] != a:
                above[a] = above[above[a]]
                a = above[a]
            while above[b] != b:
                above[b] = above[above[b]]
                b = above[b]
            above[max(a, b)] = min(a, b)
    for i in range(n):
        above[i] = above[above[i]]
    return above


@njit(cache=True, nogil=True)
def short_of_l(matches: Integers, origin: Integers, shown: Integers, l: int) -> tuple[int, int]:
    """How many people see fewer than l values in their rows as drawn, and how many would in some other draw."""
    n, k = matches.shape
    holder, value = np.empty((n, k), np.int64), np.empty(n, np.int64)
    for i in range(n):
        value[origin[i]] = shown[i]
        for t in range(k):
            holder[matches[i, t], t] = i
    stamp, turn = np.full(shown.max() + 1, -1, np.int64), 0
    short = elsewhere = 0
    for p in range(n):
        missing = False
        for draw in range(-1, k):  # −1: the one that was made
            distinct = 0
            for u in range(k):
                i = holder[p, u]
                seen = shown[i] if draw < 0 else value[matches[i, draw]]
                if stamp[seen] != turn:
                    stamp[seen] = turn
                    distinct += 1
            turn += 1
            if distinct < l:
                if draw < 0:
                    short += 1
                else:
                    missing = True
        elsewhere += missing
    return short, elsewhere
