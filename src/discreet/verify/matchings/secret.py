"""The custodian's secret file checked against a generalized release: the matchings and the draw themselves.

What stands in it is told in `secret_file.py`. The two data files and this one must fit as follows; then every person
is at each of its k rows with probability 1/k for whoever knows the quasi-identifiers and the averaged numbers of all,
the method and even the match columns, provided that for each component one of its columns was drawn uniformly, which is
the custodian's word.

1. Every match column is a permutation of the originals, and the matches of a row are distinct: k disjoint perfect
   matchings.
2. Every match lies in its row's box, and the box is the least one over the matches (and `also`), so that it depends
   on them only and not on the draw; equal boxes are spelled alike.
3. In each connected component of the matchings the origins are one single match column.
4. The other columns of a row are those of its origin.
5. With l: each person's k rows carry at least l distinct sensitive values.
6. Published means are those of the matches (`units/sets.py`).
7. With households, or persons with several rows: each match column matches whole units with whole units, a unit never
   twice with the same one, and the rows of a unit are drawn together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numba import njit

from discreet.verify.matchings.reading import Integers, Reading
from discreet.verify.matchings.secret_boxes import box_faults, members
from discreet.verify.matchings.secret_file import Secret, parse
from discreet.verify.order import aligned
from discreet.verify.units.behind import joined, ordered_members, unit_faults, unit_origins
from discreet.verify.units.means import Means
from discreet.verify.units.sets import check_sets
from discreet.verify.units.unit import Units

MOST_IN_PLACE = 16
"""A shuffled file has 16 or more rows that stand where their person stood with probability below 10⁻¹³."""


@dataclass(frozen=True)
class Opened:
    """What the secret proves, or what is wrong with it."""

    failures: tuple[str, ...] = ()
    proven: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    figures: dict[str, float | int | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Behind:
    """What the secret is held against beside boxes; each None where there is no such thing.

    `kept` are the numbers of the published records in the original where some are left out, `left` the other columns,
    numbered alike in both tables, `means` the columns that are published as means, `units` those of both tables.
    """

    kept: Integers | None = None
    left: tuple[Integers, Integers] | None = None
    means: Means | None = None
    units: tuple[Units, Units] | None = None
    one: str = "person"


def verify_secret(
    text: str,
    readings: list[Reading],
    *,
    k: int,
    sensitive_codes: Integers | None = None,
    l: int | None = None,
    names: Sequence[str] = (),
    behind: Behind | None = None,
) -> Opened:
    """Whether the secret fits the release and shows a draw among k or more disjoint matchings."""
    behind = behind or Behind()
    n = readings[0].texts.size
    s = parse(text, n, behind.kept)
    failures = _matching_faults(s, k)
    if failures:  # nothing below means anything then
        return Opened(tuple(failures))
    width = s.matches.shape[1]
    component = components(s.matches)
    if behind.units is not None:
        failures += unit_faults(s.matches, behind.units, behind.one)
        component = joined(component, behind.units[1])
    failures += _draw_faults(s, component)
    found, limits = box_faults(readings, members(s.matches, s.also_row, s.also), names)
    failures += found
    failures += origin_faults(s.origin, behind)
    one, place = behind.one, "rows" if behind.units is None else "published places"
    knows = "quasi-identifiers" if behind.means is None else "quasi-identifiers and averaged numbers"
    proven = [
        f"each {one} is at each of its {width} {place} with probability 1/{width}, for whoever knows the {knows} of "
        "all, the method and the matchings, and not the draw, which the custodian vouches was uniform"
    ]
    if behind.means is not None:
        check_sets(behind.means, members(s.matches, s.also_row[:0], s.also[:0]), None)
    if sensitive_codes is not None and l is not None:
        short, elsewhere = short_of_l(s.matches, s.origin, sensitive_codes, l)
        if short:
            failures.append(f"{short} people have {width} rows with fewer than {l} distinct sensitive values")
        proven.append(f"each person's {width} rows carry at least {l} distinct sensitive values")
        if elsewhere:
            limits.append(f"a draw repeated until each person saw {l} values: not every matching shows as many")
    if _covers_more(s, component):
        limits.append("boxes that cover more than their matches: that these follow from no draw is vouched for")
    figures: dict[str, float | int | str] = {"matchings": width, "components": int((component == np.arange(n)).sum())}
    if failures:
        return Opened(tuple(failures), figures=figures)
    return Opened((), tuple(proven), tuple(limits), figures)


def origin_faults(origin: Integers, behind: Behind) -> list[str]:
    """Rows that carry other values than their origin, and rows, or units, in the order of their origins."""
    faults = []
    if behind.left is not None:
        wrong = int((behind.left[1] != behind.left[0][origin]).sum())
        if wrong:
            faults.append(f"{wrong} published rows carry other values than their origin in the secret file")
    what, one, places = "rows", "person", origin
    if behind.units is not None:
        what, one, places = "units", behind.one, unit_origins(origin, behind.units)
        if ordered_members(origin, behind.units):
            faults.append(f"the rows of a {one} stand in the order of the original: shuffle them too")
    in_place = int((places == np.arange(places.size)).sum())
    if in_place >= MOST_IN_PLACE:
        faults.append(f"{in_place} published {what} stand where their {one} stands in the original: shuffle the {what}")
    elif aligned(np.arange(places.size), places):
        faults.append(f"the published {what} stand in the order of the original, or nearly: shuffle them")
    return faults


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


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
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


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def short_of_l(matches: Integers, origin: Integers, shown: Integers, l: int) -> tuple[int, int]:
    """How many people see fewer than l values in their rows as drawn, and how many would in some other draw."""
    n, k = matches.shape
    holder, value = np.empty((n, k), np.int64), np.empty(n, np.int64)
    for i in range(n):
        value[origin[i]] = shown[i]
        for t in range(k):
            holder[matches[i, t], t] = i
    stamp, turn = np.full(shown.max() + 2, -1, np.int64), 0
    short = elsewhere = 0
    for p in range(n):
        missing = False
        for draw in range(-1, k):  # −1: the one that was made
            distinct = 0
            for u in range(k):
                i = holder[p, u]
                seen = shown[i] if draw < 0 else value[matches[i, draw]]
                if seen >= 0 and stamp[seen] != turn:  # −1: missing, which is no value
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
