"""The independent check of a generalized release: are there k disjoint perfect matchings?

From the two tables alone: an original and a published record are compatible when the original lies in the published
box on every quasi-identifier. The release is safe when the compatibility graph has k disjoint perfect matchings: an
adversary who knows every quasi-identifier of everyone then faces, for each person, k published records that take
part in k equally good explanations of the whole release. The check needs neither the order of rows nor anything the
method knew, and shares no code with it.

With `sensitive` and `l`, also: the candidates of every person (published records joined to it by an edge of some
perfect matching) carry at least l distinct values of the sensitive attribute.

Large releases are first judged on at most a few times k candidates per published record: k disjoint matchings there
are k disjoint matchings. Only if that fails is the whole graph listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.results import Verdict
from discreet.scale import ordered_map, workers
from discreet.verify.matchings_flow import (
    Graph,
    candidates,
    distinct_values,
    graph,
    k_flow,
    strong_components,
)
from discreet.verify.matchings_graph import Boxes, Tree, build, query
from discreet.verify.matchings_read import (
    Column,
    Integers,
    Reading,
    UnreadableError,
    distinct,
    labels_of,
    read_attribute,
)

GUARANTEE = "matchings"
MOST_EDGES = 400_000_000
NO_CAP = 2**62


def verify_matchings(
    original: Mapping[str, Column],
    published: Mapping[str, Column],
    k: int,
    quasi_identifiers: Sequence[str],
    categorical: Iterable[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    sensitive: str | None = None,
    l: int | None = None,
    *,
    missing: str = "value",
) -> Verdict:
    """Judge a generalized release from its two tables.

    Columns are arrays of text or numbers, of numpy or pyarrow. `hierarchies` gives, for a column, rows of a value and
    its ever wider labels, the name of a CSV file with them, or a nested mapping. Missing values are a value of their
    own or, with `missing="wildcard"`, lie in every box.
    """
    names = list(quasi_identifiers)
    problems = _shape_problems(original, published, names, k, sensitive, l)
    if problems:
        return Verdict("cannot tell", GUARANTEE, k, tuple(problems), ("give the files and columns of one release",))
    n, rows = len(original[names[0]]), len(published[names[0]])
    if rows != n:
        return Verdict(
            "unsafe",
            GUARANTEE,
            k,
            (f"{n} originals but {rows} published records: no matching covers them all",),
            ("publish one record for each original",),
            {"n": n, "published": rows},
        )
    if k > n:
        failure = f"k = {k} is more than the {n} records"
        return Verdict("unsafe", GUARANTEE, k, (failure,), ("lower k",), {"n": n})
    chosen = set(categorical)
    readings: list[Reading] = []
    unreadable: list[str] = []
    for name in names:
        try:
            reading = read_attribute(
                name,
                original[name],
                published[name],
                categorical=name in chosen,
                hierarchy=labels_of(hierarchies, name),
                missing=missing,
            )
            readings.append(reading)
        except UnreadableError as error:
            unreadable.append(str(error))
    if unreadable:
        advice = ("give the hierarchies used, and say which columns are categorical",)
        return Verdict("cannot tell", GUARANTEE, k, tuple(unreadable), advice, {"n": n})
    return _judge(readings, k, published.get(sensitive) if sensitive and l else None, l)


def _shape_problems(
    original: Mapping[str, Column],
    published: Mapping[str, Column],
    names: list[str],
    k: int,
    sensitive: str | None,
    l: int | None,
) -> list[str]:
    problems = []
    if not names:
        problems.append("no quasi-identifiers were named")
    if k < 1:
        problems.append("k must be 1 or more")
    for what, table in (("original", original), ("published file", published)):
        absent = [name for name in names if name not in table]
        if absent:
            problems.append(f"the {what} has no column {', '.join(repr(name) for name in absent)}")
    if l is not None and sensitive is None:
        problems.append("l was given without the sensitive column it is about")
    if sensitive is not None and sensitive not in published:
        problems.append(f"the published file has no column {sensitive!r}")
    if not problems and len(original[names[0]]) == 0:
        problems.append("there are no records")
    return problems


@dataclass(frozen=True)
class _Classes:
    """Equal originals and equal boxes put together."""

    tree: Tree
    boxes: Boxes
    original_count: Integers
    box_count: Integers
    box_of: Integers


def _classes(readings: list[Reading]) -> _Classes:
    points, _, original_count = _unique_rows(np.stack([r.codes for r in readings], axis=1))
    texts, box_of, box_count = _unique_rows(np.stack([r.texts for r in readings], axis=1))
    order, tree = build(points.astype(np.int32))
    ends, low, high, first_text = [np.zeros(1, np.int64)], [], [], []
    runs = entries = 0
    for r in readings:
        first_text.append(entries)
        ends.append(r.run_ends[1:] + runs)
        low.append(r.run_low)
        high.append(r.run_high)
        runs += r.run_low.size
        entries += r.run_ends.size - 1
    boxes = Boxes(
        texts,
        np.array(first_text, np.int64),
        np.concatenate(ends),
        np.concatenate(low) if runs else np.zeros(0, np.int64),
        np.concatenate(high) if runs else np.zeros(0, np.int64),
    )
    return _Classes(tree, boxes, original_count[order], box_count, box_of)


def _unique_rows(rows: Integers) -> tuple[Integers, Integers, Integers]:
    """Distinct rows, the number of its distinct row for each row, and how often each occurs."""
    order = np.lexsort(rows.T)
    ordered = rows[order]
    new = np.ones(len(rows), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    inverse = np.empty(len(rows), np.int64)
    inverse[order] = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    return np.ascontiguousarray(ordered[first]), inverse, np.diff(np.append(first, len(rows)))


def _edges(c: _Classes, cap: int) -> tuple[Graph | None, bool]:
    """The compatibility graph with at most `cap` originals per box (None where it outgrows memory); if it is whole."""
    total = c.box_count.size
    step = max(1, min(4096, total // 16))
    counts: list[Integers] = []
    found: list[NDArray[np.int32]] = []
    edges, whole = 0, True
    with workers(None) as pool:
        # A class of equal boxes needs as many originals as it has members, and some to choose from.
        caps = cap + 4 * c.box_count if cap < NO_CAP else np.full(total, NO_CAP)
        work = ((c.tree, c.boxes, a, min(a + step, total), caps, a) for a in range(0, total, step))
        for count, originals, complete in ordered_map(pool, query, work):
            counts.append(count)
            found.append(originals)
            edges += originals.size
            whole &= complete
            if edges > MOST_EDGES:
                return None, False
    return graph(np.concatenate(counts), np.concatenate(found), c.box_count, c.original_count), whole


def _judge(readings: list[Reading], k: int, sensitive: Column | None, l: int | None) -> Verdict:
    c = _classes(readings)
    n = int(c.original_count.sum())
    figures: dict[str, float | int | str] = {"n": n, "distinct_originals": c.original_count.size}
    figures["distinct_boxes"] = c.box_count.size
    short = n
    for cap in (4 * k + 40, NO_CAP):
        g, whole = _edges(c, cap)
        if g is None:
            return Verdict(
                "cannot tell",
                GUARANTEE,
                k,
                ("the compatibility graph is too large for this machine",),
                ("check the guarantee of classes instead, or a release with narrower boxes",),
                figures,
            )
        flow, missing_units = k_flow(g, k)
        failures = _flow_failures(g, k, n, int(missing_units))
        figures["edges"] = g.original.size
        if not failures:
            component = strong_components(g, flow)
            figures["fewest_candidates"] = int(candidates(g, flow, component).min())
            if sensitive is None or l is None:
                return Verdict("safe", GUARANTEE, k, (), (), figures)
            short = _short_of_l(c, g, flow, component, sensitive, l)
            figures["l"] = l
            if short == 0:
                return Verdict("safe", GUARANTEE, k, (), (), figures)
            failures = [f"{short} people have candidates with fewer than {l} distinct sensitive values"]
        if whole:
            break
    advice = "publish wider boxes: run the method again and change nothing by hand"
    return Verdict("unsafe", GUARANTEE, k, tuple(failures), (advice,), figures)


def _flow_failures(g: Graph, k: int, n: int, missing_units: int) -> list[str]:
    if missing_units == 0:
        return []
    reach = np.zeros(g.originals.size, np.int64)
    np.add.at(reach, g.original, g.boxes[g.box])
    bare = int(g.originals[reach < k].sum())
    failures = [
        f"there are no {k} disjoint perfect matchings: {missing_units} of {n * k} matches are missing",
    ]
    if bare:
        failures.append(f"{bare} people lie in fewer than {k} published boxes")
    return failures


def _short_of_l(
    c: _Classes, g: Graph, flow: NDArray[np.int32], component: NDArray[np.int32], sensitive: Any, l: int
) -> int:
    codes, kinds = distinct(sensitive)
    pairs, _, _ = _unique_rows(np.stack([codes, c.box_of], axis=1))
    value_ends = np.searchsorted(pairs[:, 1], np.arange(c.box_count.size + 1)).astype(np.int64)
    found = distinct_values(g, flow, component, value_ends, np.ascontiguousarray(pairs[:, 0]), len(kinds), l)
    return int(c.original_count[found < l].sum())
