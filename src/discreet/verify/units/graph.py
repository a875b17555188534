"""Which original units fit which published ones: members to rows one to one.

Units of one size fit on an attribute of intervals only if, sorted, the j-th least code of the members lies between the
j-th least low end and the j-th least high end of the rows (with sets, of their hulls): a necessary condition that does
not depend on the order of members. A kd-tree over these order statistics (`matchings/graph.py`) lists the pairs that
meet it on all attributes; for each, an assignment of members to rows is then looked for by augmenting paths. A unit
that may be published with fewer members is compared with every published unit that is not larger.

Equal units are one node each, with their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.verify.matchings.classes import NO_CAP, unique_rows
from discreet.verify.matchings.flow import Graph, graph
from discreet.verify.matchings.graph import Boxes, build, query
from discreet.verify.matchings.reading import Reading
from discreet.verify.units.unit import Units

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

STEP = 2048
SLACK = 8
"""How many more pairs are listed than wanted, as some of them do not fit."""


class Texts(NamedTuple):
    """The runs of codes that each published text stands for: those of text t of attribute a from `first[a] + t` on."""

    first: Integers
    ends: Integers
    low: Integers
    high: Integers


class Kinds(NamedTuple):
    """Distinct units of one size: their values (unit, member, attribute), and how many there are of each."""

    values: Integers
    many: Integers
    of_unit: Integers


@dataclass(frozen=True)
class Group:
    """Original units of one size, and the number of the first of their kinds in the whole graph."""

    kinds: Kinds
    first: int


@dataclass(frozen=True)
class Block:
    """Published units of one size, or rows without a unit, and the original units that may be among them."""

    published: Kinds
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class Sides:
    """All units: those of the original by size, those published in blocks; what is wrong with their numbers.

    `original_of` and `published_of` give, per unit and then per row without one, the number of its kind in the graph;
    `texts` the published texts of each row.
    """

    groups: tuple[Group, ...]
    blocks: tuple[Block, ...]
    failures: tuple[str, ...]
    original_of: Integers
    published_of: Integers
    texts: Integers


def texts_of(readings: Sequence[Reading]) -> Texts:
    """The runs of all attributes, one after another."""
    first, ends, low, high = [], [np.zeros(1, np.int64)], [], []
    texts = runs = 0
    for r in readings:
        first.append(texts)
        ends.append(r.run_ends[1:] + runs)
        low.append(r.run_low)
        high.append(r.run_high)
        texts += r.run_ends.size - 1
        runs += r.run_low.size
    return Texts(np.array(first, np.int64), np.concatenate(ends), np.concatenate(low), np.concatenate(high))


def kinds(values: Integers) -> Kinds:
    """Units that are alike whatever the order of their members."""
    units, size, width = values.shape
    order = np.lexsort([values[:, :, a] for a in reversed(range(width))], axis=1)
    ordered = np.take_along_axis(values, order[:, :, None], axis=1)
    distinct, of_unit, count = unique_rows(ordered.reshape(units, size * width))
    return Kinds(distinct.reshape(-1, size, width), count, of_unit)


def sides(readings: Sequence[Reading], units: tuple[Units, Units], flexible: Mask) -> Sides:
    """Units by size. `flexible` units may be published with fewer members; they are all of their size, or none."""
    before, after = units
    codes = np.stack([r.codes for r in readings], axis=1)
    texts = np.stack([r.texts for r in readings], axis=1)
    failures: list[str] = []
    groups: dict[int, Group] = {}
    loose, bare = before.loose, after.loose
    original_of = np.full(before.count + loose.size, -1, np.int64)
    published_of = np.full(after.count + bare.size, -1, np.int64)
    total = 0
    for size in np.unique(before.sizes).tolist():
        which = np.flatnonzero(before.sizes == size)
        groups[size] = Group(kinds(codes[before.members(which, size)]), total)
        original_of[which] = total + groups[size].kinds.of_unit
        total += groups[size].kinds.many.size
    found: list[Block] = []
    boxes = 0
    shrunk = {size for size in groups if flexible[before.sizes == size].any()}
    for size in sorted({*groups, *after.sizes.tolist()}):
        which = np.flatnonzero(after.sizes == size)
        own = int((before.sizes == size).sum())
        if not shrunk and own != which.size:
            failures.append(f"the original has {own} units of {size} rows, and the published data {which.size}")
        if not which.size:
            continue
        block = kinds(texts[after.members(which, size)])
        fit = [groups[size]] if size in groups else []
        found.append(Block(block, (*fit, *(groups[more] for more in sorted(shrunk) if more > size))))
        published_of[which] = boxes + block.of_unit
        boxes += block.many.size
    if loose.size != bare.size:
        failures.append(
            f"the original has {loose.size} rows that belong to no unit, and the published data {bare.size}"
        )
    if shrunk and before.count != after.count:
        failures.append(f"the original has {before.count} units, and the published data {after.count}")
    listed = list(groups.values())
    if loose.size:
        listed.append(Group(kinds(codes[loose][:, None]), total))
        original_of[before.count :] = total + listed[-1].kinds.of_unit
    if bare.size:
        block = kinds(texts[bare][:, None])
        found.append(Block(block, (listed[-1],) if loose.size else ()))
        published_of[after.count :] = boxes + block.of_unit
    return Sides(tuple(listed), tuple(found), tuple(failures), original_of, published_of, texts)


def list_edges(found: Sides, texts: Texts, cap: int, most: int) -> tuple[Graph | None, bool]:
    """The graph with about `cap` original units per published one, and if it is whole; None beyond `most` pairs."""
    counts, originals = [], []
    whole, listed = True, 0
    for block in found.blocks:
        number, pairs, complete = _pairs(block, texts, cap)
        counts.append(number)
        originals.append(pairs)
        whole &= complete
        listed += pairs.size
        if listed > most:
            return None, False
    boxes = np.concatenate([block.published.many for block in found.blocks])
    people = np.concatenate([group.kinds.many for group in found.groups])
    return graph(np.concatenate(counts), np.concatenate(originals).astype(np.int32), boxes, people), whole


def _pairs(block: Block, texts: Texts, cap: int) -> tuple[Integers, Integers, bool]:
    """How many kinds of original units fit each published kind, which, and whether all are listed."""
    published = block.published
    row, one = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    whole = True
    for group in block.groups:
        known = group.kinds
        if known.values.shape[1] == published.values.shape[1]:
            pieces, whole = _near(published, known, texts, cap)
        else:
            every = np.arange(published.many.size)
            pieces = [(np.full(known.many.size, v, np.int64), np.arange(known.many.size)) for v in every.tolist()]
        for v, u in pieces:
            kept = assignable(published.values, known.values, texts, v, u)
            row.append(v[kept])
            one.append(group.first + u[kept])
    rows, ones = np.concatenate(row), np.concatenate(one)
    order = np.argsort(rows, kind="stable")
    return np.bincount(rows, minlength=published.many.size).astype(np.int64), ones[order], whole


def _near(published: Kinds, known: Kinds, texts: Texts, cap: int) -> tuple[list[tuple[Integers, Integers]], bool]:
    """Pairs of kinds of one size that meet the condition on sorted codes, in pieces, and whether these are all."""
    size, width = known.values.shape[1:]
    # An attribute with wildcards (code −1) says nothing about sorted codes.
    used = [a for a in range(width) if int(known.values[:, :, a].min(initial=0)) >= 0] or [0]
    wild = int(known.values[:, :, used].min(initial=0)) < 0
    points = np.sort(known.values[:, :, used], axis=1).reshape(-1, size * len(used))
    order, tree = build(np.where(wild, -1, points).astype(np.int32))
    low, high = _hulls(texts)
    at = texts.first[used] + published.values[:, :, used]
    ends = [np.sort(hull[at], axis=1).reshape(-1, size * len(used)) for hull in (low, high)]
    count, dims = ends[0].shape
    boxes = Boxes(
        np.repeat(np.arange(count, dtype=np.int64)[:, None], dims, axis=1),
        np.arange(dims, dtype=np.int64) * count,
        np.arange(count * dims + 1, dtype=np.int64),
        np.ascontiguousarray(ends[0].T).ravel(),
        np.ascontiguousarray(ends[1].T).ravel(),
    )
    caps = np.full(count, NO_CAP) if cap >= NO_CAP else SLACK * cap + 4 * published.many
    pieces, whole = [], True
    for first in range(0, count, STEP):
        last = min(first + STEP, count)
        number, found, complete = query(tree, boxes, first, last, caps, first)
        pieces.append((np.repeat(np.arange(first, last), number), order[found]))
        whole &= bool(complete)
    return pieces, whole


def _hulls(texts: Texts) -> tuple[Integers, Integers]:
    """The least and greatest code of each text; a text that holds none is empty."""
    count = texts.ends.size - 1
    low, high = np.full(count, 1 << 40, np.int64), np.full(count, -1, np.int64)
    of = np.repeat(np.arange(count), np.diff(texts.ends))
    np.minimum.at(low, of, texts.low)
    np.maximum.at(high, of, texts.high)
    return low, high


@njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _fits(row: Integers, member: Integers, texts: Texts) -> bool:
    """Whether a person's codes lie in a row's box."""
    for a in range(row.shape[0]):
        code, text = member[a], texts.first[a] + row[a]
        inside = code < 0
        for q in range(texts.ends[text], texts.ends[text + 1]):
            if texts.low[q] <= code <= texts.high[q]:
                inside = True
                break
        if not inside:
            return False
    return True


@njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _augment(edges: Mask, holder: Integers, start: int, seen: Integers, stamp: int, stack: Integers) -> bool:
    """Give row `start` a member along an augmenting path; without recursion, `stack[depth]` is (row, next member)."""
    size = edges.shape[1]
    stack[0, 0], stack[0, 1] = start, 0
    depth = 1
    while depth > 0:
        row, member = stack[depth - 1, 0], stack[depth - 1, 1]
        while member < size and (not edges[row, member] or seen[member] == stamp):
            member += 1
        if member == size:
            depth -= 1
            if depth > 0:
                stack[depth - 1, 1] += 1
            continue
        stack[depth - 1, 1] = member
        seen[member] = stamp
        if holder[member] < 0:
            for level in range(depth):
                holder[stack[level, 1]] = stack[level, 0]
            return True
        stack[depth, 0], stack[depth, 1] = holder[member], 0
        depth += 1
    return False


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def assignable(published: Integers, originals: Integers, texts: Texts, v: Integers, u: Integers) -> Mask:
    """For pairs of a published and an original unit, whether every row gets a member of its own that fits it."""
    rows, size = published.shape[1], originals.shape[1]
    out = np.zeros(v.shape[0], np.bool_)
    edges = np.zeros((rows, size), np.bool_)
    holder, seen = np.empty(size, np.int64), np.zeros(size, np.int64)
    stack = np.empty((rows + 1, 2), np.int64)
    stamp = 0
    for p in range(v.shape[0]):
        complete = True
        for r in range(rows):
            some = False
            for m in range(size):
                edges[r, m] = _fits(published[v[p], r], originals[u[p], m], texts)
                some |= edges[r, m]
            if not some:
                complete = False
                break
        if complete:
            for m in range(size):
                holder[m] = -1
            for r in range(rows):
                stamp += 1
                if not _augment(edges, holder, r, seen, stamp, stack):
                    complete = False
                    break
        out[p] = complete
    return out
