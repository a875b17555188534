"""Two releases of the same people: who is left with k candidates for whoever puts them side by side?

A person (or unit) u has candidates C1(u) among the published units of the earlier release and C2(u) among those of this
one: those joined to u in some perfect matching. Columns that leave unchanged in both link published units: v of this
release can be u only if some unit of C1(u) carries the same left values, provided that those of u did not change in
between. What is left of C2 must still have k disjoint perfect matchings.

Records are the same if an identifier that both originals have, each value once, says so; else if all columns that both
have agree, and no other record is alike. The earlier original is this one if the manifest has its hash, or the file of
its name beside the manifest.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.results import Verdict
from discreet.verify.claims import Asked, Claim, check_claim
from discreet.verify.file import File
from discreet.verify.groups import combine
from discreet.verify.manifest import Manifest, arguments, file_hash, published_file, read_manifest
from discreet.verify.matchings.classes import NO_CAP
from discreet.verify.matchings.flow import graph, k_flow, strong_components
from discreet.verify.other_columns import joint, left_columns
from discreet.verify.readers import Table, open_table, shown
from discreet.verify.units.graph import list_edges, sides, texts_of
from discreet.verify.units.judge import read_boxes
from discreet.verify.units.settle import settle
from discreet.verify.units.unit import Units, grouped, signatures

Integers = NDArray[np.int64]
MOST_PAIRS = 5_000_000


@dataclass(frozen=True)
class Release:
    """A release with its original, the units on both sides, and pairs (original unit, published unit) that may be.

    Rows that belong to no unit are units of their own, after the others.
    """

    before: Table
    after: Table
    claim: Claim
    units: tuple[Units, Units]
    original: Integers
    published: Integers
    missing: int

    @property
    def counts(self) -> tuple[int, int]:
        first, second = (side.count + side.loose.size for side in self.units)
        return first, second


def judge_earlier(source: Any, before: Table, after: Table, claim: Claim, verdict: Verdict) -> Verdict:
    """The verdict, with what each earlier release leaves of everybody's candidates in this one."""
    if not verdict.safe:
        words = "earlier releases: this one is unsafe by itself, so it was compared with none"
        return replace(verdict, limits=(*verdict.limits, words))
    failures, proven, limits = [], [], []
    figures = dict(verdict.figures)
    now = _release(before, after, claim)
    if now is not None and now.missing:
        words = "earlier releases: the boxes of this one cannot be read, so it was compared with none"
        return replace(verdict, limits=(*verdict.limits, words))
    for place, path in enumerate(claim.earlier):
        name = shown(Path(path).name)
        found = None if now is None else _earlier(source, before, Path(path))
        if isinstance(found, str):
            limits.append(f"the earlier release of {name}, which was not compared: {found}")
            continue
        if found is None or now is None:
            limits.append(f"the earlier release of {name}, which was not compared: there are too many pairs to look at")
            continue
        linked, fewest, missing = _compare(now, found)
        figures |= {f"earlier_{place + 1}_same": linked, f"earlier_{place + 1}_fewest": fewest}
        if missing:
            failures.append(
                f"with the earlier release of {name}, {linked} units of which are in this one, there are no {claim.k} "
                f"disjoint perfect matchings left: someone has {fewest} candidates that fit both"
            )
        else:
            proven.append(f"compared with the earlier release of {name} ({linked} units in both), {claim.k} remain")
    advice = verdict.advice
    if failures:
        advice = (*advice, "publish what is new only, or without the columns that leave unchanged in both")
    return replace(
        verdict,
        outcome="unsafe" if failures else verdict.outcome,
        failures=(*verdict.failures, *failures),
        proven=() if failures else (*verdict.proven, *proven),
        limits=(*verdict.limits, *limits),
        advice=advice,
        figures=figures,
    )


def _earlier(source: Any, before: Table, path: Path) -> Release | str | None:
    """The earlier release behind a manifest; words where it cannot be compared, None where it is too large."""
    manifest = read_manifest(path)
    if file_hash(manifest.published) != manifest.output["sha256"]:
        return "its published file is not the one that its manifest names"
    original = _original(manifest, source, before)
    if original is None:
        return "its original is neither this one nor beside its manifest"
    after = open_table(published_file(manifest), "the earlier published data")
    given, faulty = arguments(manifest)
    if faulty:
        return "its hierarchies are not the files that its manifest names"
    given.pop("earlier", None)
    try:
        made = check_claim(original, after, Faults(), Asked(**given), has_original=True)
    except InputError as error:
        return f"its manifest does not fit its files ({'; '.join(error.faults)})"
    if made.guarantee == "blanks":
        return "it leaves keys blank, which are not read as boxes"
    found = _release(original, after, made)
    if found is not None and found.missing:
        return f"it does not hold what its manifest claims, k = {made.k}"
    return found


def _original(manifest: Manifest, source: Any, before: Table) -> Table | None:
    path = source.path if isinstance(source, File) else source
    digest = manifest.input["sha256"]
    if isinstance(path, str | os.PathLike) and Path(path).is_file() and file_hash(path) == digest:
        return before
    beside = manifest.folder / Path(manifest.input["name"]).name
    if beside.is_file() and file_hash(beside) == digest:
        dialect = {name: manifest.input.get(name) for name in ("delimiter", "encoding")}
        return open_table(File(beside, **dialect), "the earlier original")
    return None


def _release(before: Table, after: Table, claim: Claim) -> Release | None:
    """Everybody's candidates; None where there are too many pairs."""
    settled = settle(before, after, claim)
    read = read_boxes(before, after, claim, settled.kept)
    units = settled.units or (_nobody(settled.before.rows), _nobody(after.rows))
    flexible = settled.flexible if settled.units is not None else np.zeros(0, bool)
    found = sides(read.readings, units, flexible)
    if read.unreadable or found.failures:
        empty = np.zeros(0, np.int64)
        return Release(settled.before, after, claim, units, empty, empty, 1)
    g, _ = list_edges(found, texts_of(read.readings), NO_CAP, MOST_PAIRS)
    if g is None or int((g.originals[g.original] * g.boxes[g.box]).sum()) > MOST_PAIRS:
        return None
    flow, missing = k_flow(g, claim.k)
    component = strong_components(g, flow)
    kept = np.flatnonzero((flow > 0) | (component[g.box] == component[g.boxes.size + g.original]))
    box, kind = g.box[kept].astype(np.int64), g.original[kept].astype(np.int64)
    return Release(settled.before, after, claim, units, *_single(found, kind, box), missing)


def _nobody(rows: int) -> Units:
    """Rows without units."""
    return grouped(np.full(rows, -1, np.int64))


def _single(found: Any, kind: Integers, box: Integers) -> tuple[Integers, Integers]:
    """Pairs of kinds as pairs of the units that are of these kinds."""
    lists = []
    for of in (found.original_of, found.published_of):
        order = np.argsort(of, kind="stable")
        lists.append((order, np.searchsorted(of[order], np.arange(int(of.max(initial=-1)) + 2))))
    (people, first), (rows, start) = lists
    a, b = first[kind + 1] - first[kind], start[box + 1] - start[box]
    each = a * b
    inside = np.arange(int(each.sum())) - np.repeat(np.cumsum(each) - each, each)
    wide = np.repeat(b, each)
    return (
        people[np.repeat(first[kind], each) + inside // wide],
        rows[np.repeat(start[box], each) + inside % wide],
    )


def _compare(now: Release, then: Release) -> tuple[int, int, int]:
    """How many units are in both, the fewest candidates that are left to one, and how many matches are missing."""
    partner = _partners(now, then)
    left = _common_left(now, then)
    marks_now, marks_then = _signatures(now.after, then.after, left, (now.units[1], then.units[1]))
    was_now, was_then = _signatures(now.before, then.before, left, (now.units[0], then.units[0]))
    linked = partner >= 0
    linked[linked] = was_now[linked] == was_then[partner[linked]]
    size = int(max(marks_now.max(initial=0), marks_then.max(initial=0))) + 1
    home = np.full(then.counts[0], -1, np.int64)
    home[partner[linked]] = np.flatnonzero(linked)
    of = home[then.original]
    seen = of[of >= 0] * size + marks_then[then.published[of >= 0]]
    kept = ~linked[now.original] | np.isin(now.original * size + marks_now[now.published], seen)
    people, rows = now.original[kept], now.published[kept]
    order = np.argsort(rows, kind="stable")
    ones = [np.ones(count, np.int64) for count in now.counts]
    counts = np.bincount(rows, minlength=ones[1].size).astype(np.int64)
    g = graph(counts, people[order].astype(np.int32), ones[1], ones[0])
    fewest = int(np.bincount(people, minlength=ones[0].size).min(initial=now.counts[1]))
    return int(linked.sum()), fewest, k_flow(g, now.claim.k)[1]


def _partners(now: Release, then: Release) -> Integers:
    """Per unit of this release's original the unit of the earlier one's that has a record of it; −1 where none has."""
    row = _same_records(now, then)
    units = [_of_row(side.units[0]) for side in (now, then)]
    partner = np.full(now.counts[0], -1, np.int64)
    known = row >= 0
    partner[units[0][known]] = units[1][row[known]]
    return partner


def _of_row(units: Units) -> Integers:
    """The unit of each row, rows without one counted as units after the others."""
    of = units.of_row.copy()
    of[units.loose] = units.count + np.arange(units.loose.size)
    return of


def _same_records(now: Release, then: Release) -> Integers:
    """Per record of this original the record of the earlier one that is the same person's, −1 where none is."""
    roles = now.claim.roles
    both = [name for name in now.before.names if name in set(then.before.names)]
    ids = [name for name in (*roles.identifiers, *([] if roles.person is None else [roles.person])) if name in both]
    for names in ([name] for name in ids):
        found, unique = _match(now.before, then.before, names)
        if unique:
            return found
    return _match(now.before, then.before, both)[0]


def _match(now: Table, then: Table, names: Sequence[str]) -> tuple[Integers, bool]:
    """Records that agree in these columns and with no other; whether every record has values of its own there."""
    a, b = _numbered(now, then, names)
    size = int(max(a.max(initial=0), b.max(initial=0))) + 1
    once = (np.bincount(a, minlength=size) == 1) & (np.bincount(b, minlength=size) == 1)
    at = np.full(size, -1, np.int64)
    at[b] = np.arange(b.size)
    unique = np.unique(a).size == a.size and np.unique(b).size == b.size
    return np.where(once[a], at[a], -1), unique


def _numbered(now: Table, then: Table, names: Sequence[str]) -> tuple[Integers, Integers]:
    """A number for each row of two tables, equal where these columns say the same."""
    parts = [(np.zeros(now.rows, np.int64), np.zeros(then.rows, np.int64))]
    for name in names:
        a, b = now.column(name), then.column(name)
        old, new = joint(a, b)
        parts.append((old[a.codes], new[b.codes]))
    codes = combine([np.concatenate(pair) for pair in parts])
    return codes[: now.rows], codes[now.rows :]


def _common_left(now: Release, then: Release) -> list[str]:
    """The columns that leave unchanged in both releases."""
    lists = [
        left_columns(side.before, side.after, (*side.claim.chosen, *side.claim.roles.special)) for side in (now, then)
    ]
    return [name for name in lists[0] if name in set(lists[1])]


def _signatures(now: Table, then: Table, names: Sequence[str], units: tuple[Units, Units]) -> tuple[Integers, Integers]:
    """A number for each unit of two tables, equal where their rows carry the same values, each as often."""
    first, second = signatures(_numbered(now, then, names), units)
    return first, second
