"""Equal originals and equal boxes put together, and the graph of which class of originals lies in which class of boxes.

Everything after the reading speaks of classes with multiplicities: what holds for one member holds for all.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.verify.matchings.flow import Graph, graph
from discreet.verify.matchings.graph import Boxes, Tree, build, query
from discreet.verify.matchings.reading import Integers, Reading

NO_CAP = 2**62
AT_ONCE = 4_000_000
"""How many edges one piece of a listing may hold at most, however wide the boxes."""


@dataclass(frozen=True)
class Classes:
    """The distinct originals in a tree, the distinct boxes, how many there are of each, and which one each row is."""

    tree: Tree
    boxes: Boxes
    original_count: Integers
    original_of: Integers
    box_count: Integers
    box_of: Integers


def classes(readings: list[Reading]) -> Classes:
    points, point_of, original_count = unique_rows(np.stack([r.codes for r in readings], axis=1))
    texts, box_of, box_count = unique_rows(np.stack([r.texts for r in readings], axis=1))
    found = from_distinct((points, original_count), (texts, box_count), readings)
    return replace(found, original_of=found.original_of[point_of], box_of=box_of)


def from_distinct(
    originals: tuple[Integers, Integers], published: tuple[Integers, Integers], readings: list[Reading]
) -> Classes:
    """Likewise from the distinct rows of both sides and how often each occurs: the rows are these."""
    (points, original_count), (texts, box_count) = originals, published
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
    place = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    return Classes(tree, boxes, original_count[order], place, box_count, np.arange(box_count.size))


def unique_rows(rows: Integers) -> tuple[Integers, Integers, Integers]:
    """Distinct rows, the number of its distinct row for each row, and how often each occurs."""
    order = np.lexsort(rows.T)
    ordered = rows[order]
    new = np.ones(len(rows), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    inverse = np.empty(len(rows), np.int64)
    inverse[order] = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    return np.ascontiguousarray(ordered[first]), inverse, np.diff(np.append(first, len(rows)))


def edges(c: Classes, cap: int, most: int) -> tuple[Graph | None, bool]:
    """The compatibility graph with about `cap` originals per box, and if it is whole. None beyond `most` edges."""
    total = c.box_count.size
    step = max(1, min(4096, total // 16))
    if cap >= NO_CAP:
        step = max(1, min(step, AT_ONCE // c.original_count.size))
    # A class of equal boxes needs as many originals as it has members, and some to choose from.
    caps = cap + 4 * c.box_count if cap < NO_CAP else np.full(total, NO_CAP)
    counts: list[Integers] = []
    found: list[NDArray[np.int32]] = []
    listed, whole = 0, True
    threads = max(1, min(8, os.cpu_count() or 1))
    with ThreadPoolExecutor(threads) as pool:
        # Few pieces at a time: a listing that outgrows its limit must not have been made already.
        for first in range(0, total, threads * step):
            starts = range(first, min(first + threads * step, total), step)
            pieces = pool.map(lambda a: query(c.tree, c.boxes, a, min(a + step, total), caps, a), starts)
            for count, originals, complete in pieces:
                counts.append(count)
                found.append(originals)
                listed += originals.size
                whole &= bool(complete)
            if listed > most:
                return None, False
    return graph(np.concatenate(counts), np.concatenate(found), c.box_count, c.original_count), whole
