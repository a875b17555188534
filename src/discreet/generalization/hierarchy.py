"""Hierarchies of categories: the labels a value may be widened to.

A hierarchy is a tree whose leaves are the values of an attribute. Leaves are numbered depth first, so that the leaves
below a node are the numbers left … right. It is built from rows as ARX writes them (value, then ever wider labels),
from a nested mapping, by the width of intervals, or by the length of prefixes. Every fault is reported at once.

A node with one child stands for the same values as that child and is dropped: a label that says nothing new would
only make the release ambiguous. For the same reason one label may not stand for two different sets of values. The
levels themselves are kept beside the tree: with a least level, what is published begins there, for all values alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError

Integers = NDArray[np.int64]
Paths = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Hierarchy:
    """`leaves` in depth-first order; per node its label, parent (−1 at the root) and range of leaves.

    `paths` has, per leaf, the labels of all levels above it, those without a node of their own too.
    """

    leaves: tuple[str, ...]
    labels: tuple[str, ...]
    parent: Integers
    left: Integers
    right: Integers
    leaf_node: Integers
    paths: tuple[tuple[str, ...], ...] = field(repr=False)

    @property
    def height(self) -> int:
        """The number of steps from the root to the deepest leaf."""
        depth = np.zeros(len(self.labels), np.int64)
        for node in range(1, len(self.labels)):  # parents come before children
            depth[node] = depth[self.parent[node]] + 1
        return int(depth.max(initial=0))

    def rows(self) -> list[tuple[str, ...]]:
        """One row per value: the value, then its label on every level up to the top."""
        return [(value, *path) for value, path in zip(self.leaves, self.paths)]

    def above(self, level: int, *, name: str = "hierarchy") -> tuple[tuple[str, ...], Hierarchy]:
        """The label of each leaf on a level (0: the value itself), and the hierarchy over these labels."""
        lengths = {len(path) for path in self.paths}
        faults = Faults()
        if faults.check(len(lengths) == 1, f"{name}: a level needs as many labels above each value; fill all levels"):
            most = min(lengths) - 1
            faults.check(
                0 <= level <= most, f"{name}: its levels are 0 (the values) to {most}, and one more above; choose one"
            )
        faults.raise_if_any()
        rows = self.rows()
        wider = {row[level]: row[level + 1 :] for row in rows}
        return tuple(row[level] for row in rows), _build(wider, name, keep_order=True)

    def coverage(self) -> dict[str, tuple[str, ...]]:
        """Label → the values it covers, for every node."""
        return {label: self.leaves[self.left[node] : self.right[node] + 1] for node, label in enumerate(self.labels)}


def from_rows(rows: Iterable[Sequence[str]], *, name: str = "hierarchy") -> Hierarchy:
    """Rows of labels: a value, the label one level up, and so on to the top, which all rows share."""
    faults = Faults()
    paths: Paths = {}
    lengths: set[int] = set()
    repeated = empty = 0
    for row in rows:
        labels = tuple(str(label) for label in row)
        if not labels:
            continue
        lengths.add(len(labels))
        empty += any(label == "" for label in labels[1:])
        repeated += labels[0] in paths
        paths[labels[0]] = labels[1:]
    faults.check(bool(paths), f"{name}: no rows; give one row per value, the value first")
    faults.check(len(lengths) <= 1, f"{name}: rows have {_listing(lengths)} levels; all rows must have the same number")
    faults.check(repeated == 0, f"{name}: {repeated} values are listed more than once; keep one row for each")
    faults.check(empty == 0, f"{name}: {empty} rows have an empty label; fill every level")
    if paths and len(lengths) == 1:
        faults.check(max(lengths) >= 2, f"{name}: only one column; add at least one wider level")
        _check_tree(paths, faults, name)
    faults.raise_if_any()
    return _build(paths, name)


def from_mapping(tree: Mapping[str, Any], *, name: str = "hierarchy") -> Hierarchy:
    """A nested mapping: label → mapping of labels, or a list of values at the lowest level. One label at the top."""
    faults = Faults()
    paths: Paths = {}
    repeated = 0
    stack: list[tuple[Any, tuple[str, ...]]] = [(tree, ())]
    while stack:
        node, above = stack.pop()
        if isinstance(node, Mapping):
            faults.check(bool(node), f"{name}: a label has nothing below it")
            stack.extend((below, (str(label), *above)) for label, below in node.items())
        elif isinstance(node, str) or not isinstance(node, Iterable):
            faults.add(f"{name}: below a label there must be a mapping or a list of values")
        else:
            values = [str(value) for value in node]
            faults.check(bool(values), f"{name}: a label has nothing below it")
            repeated += sum(value in paths for value in values) + len(values) - len(set(values))
            paths.update(dict.fromkeys(values, above))
    faults.check(repeated == 0, f"{name}: {repeated} values are listed more than once; keep one place for each")
    faults.check(len(tree) == 1, f"{name}: {len(tree)} labels at the top; put them under one")
    faults.raise_if_any()
    return _build(paths, name)


def by_interval(values: Iterable[float | str] | Mapping[str, float], widths: Sequence[float]) -> Hierarchy:
    """Intervals of each width in turn, each width a multiple of the one before; `*` at the top.

    All begin at multiples of their width, so that they nest. Whole numbers and widths give closed intervals,
    `[20, 29]`; others are open above, `[0.5, 1.0)`. Numbers given as text, or as a mapping from texts to what they
    mean, stay spelled as they are: `007`, `1,5`.
    """
    faults = Faults()
    try:
        pairs = values.items() if isinstance(values, Mapping) else ((_spelled(value), value) for value in values)
        given = {text: float(value) for text, value in pairs}
    except ValueError:
        raise InputError("hierarchy: values must be finite numbers") from None
    numbers = list(given.values())
    faults.check(bool(numbers), "hierarchy: no values")
    faults.check(bool(np.isfinite(numbers).all()), "hierarchy: values must be finite numbers")
    check_widths(widths, faults)
    faults.raise_if_any()
    whole = all(x.is_integer() for x in numbers) and all(float(w).is_integer() for w in widths)
    order = sorted(given, key=lambda text: (given[text], text))
    paths = {text: (*(band(given[text], width, whole) for width in widths), "*") for text in order}
    return _build(paths, "hierarchy", keep_order=True)


def _spelled(value: float | str) -> str:
    if isinstance(value, str):
        return value
    number = float(value)
    return str(int(number)) if number.is_integer() else repr(number)


def check_widths(widths: Sequence[float], faults: Faults) -> None:
    """Note widths of intervals that do not nest."""
    if faults.check(len(widths) > 0 and all(w > 0 for w in widths), "hierarchy: widths must be positive numbers"):
        nested = all(abs(b / a - round(b / a)) < 1e-9 and b > a for a, b in pairwise(widths))
        faults.check(nested, "hierarchy: each width must be a multiple of the one before")


def band(x: float, width: float, whole: bool) -> str:
    """The interval of this width, beginning at a multiple of it, that holds x."""
    low = np.floor(x / width) * width
    return f"[{int(low)}, {int(low + width) - 1}]" if whole else f"[{low:g}, {low + width:g})"


def from_paths(paths: Paths) -> Hierarchy:
    """The tree over values in the given order, each with its labels from the nearest to the top."""
    return _build(paths, "hierarchy", keep_order=True)


def by_prefix(values: Iterable[str], lengths: Sequence[int]) -> Hierarchy:
    """The first characters of a code and stars for the rest, ever shorter; `*` at the top."""
    texts = sorted({str(value) for value in values})
    faults = Faults()
    faults.check(bool(texts), "hierarchy: no values")
    falling = all(a > b for a, b in pairwise(lengths)) and all(length >= 1 for length in lengths)
    faults.check(bool(lengths) and falling, "hierarchy: prefix lengths must be whole numbers, falling, 1 or more")
    faults.raise_if_any()

    def prefix(text: str, length: int) -> str:
        return text if len(text) <= length else text[:length] + "*" * (len(text) - length)

    return _build({t: (*(prefix(t, length) for length in lengths), "*") for t in texts}, "hierarchy")


def _check_tree(paths: Paths, faults: Faults, name: str) -> None:
    height = len(next(iter(paths.values())))
    for level in range(height):
        above: dict[str, tuple[str, ...]] = {}
        torn = {p[level] for p in paths.values() if above.setdefault(p[level], p[level + 1 :]) != p[level + 1 :]}
        faults.check(
            not torn,
            f"{name}: not a tree: {len(torn)} labels of level {level + 1} lie below two different labels",
        )
    tops = {p[-1] for p in paths.values() if p}
    faults.check(
        len(tops) <= 1, f"{name}: {len(tops)} labels at the top level; add a last level with one label, such as *"
    )


def _build(paths: Paths, name: str, keep_order: bool = False) -> Hierarchy:
    """The tree over root-to-leaf paths, without nodes that have a single child."""
    order = list(paths) if keep_order else sorted(paths, key=lambda value: (*reversed(paths[value]), value))
    if keep_order:
        order = _grouped(order, paths)
    below: dict[tuple[str, ...], tuple[int, int]] = {}
    for number, value in enumerate(order):
        path = tuple(reversed(paths[value]))
        for depth in range(1, len(path) + 1):
            low, _ = below.get(path[:depth], (number, number))
            below[path[:depth]] = (low, number)
    _check_labels(below, order, name)
    # Among nodes over the same leaves the widest label is dropped; a leaf keeps its value.
    by_range: dict[tuple[int, int], str] = {}
    for path, span in sorted(below.items(), key=lambda item: len(item[0])):
        by_range[span] = path[-1]
    by_range.update({(number, number): value for number, value in enumerate(order)})
    spans = sorted(by_range, key=lambda span: (span[0], -span[1]))
    labels = tuple(by_range[span] for span in spans)
    parent = np.full(len(spans), -1, np.int64)
    open_nodes: list[int] = []
    for node, (low, high) in enumerate(spans):
        while open_nodes and spans[open_nodes[-1]][1] < low:
            open_nodes.pop()
        if open_nodes:
            parent[node] = open_nodes[-1]
        if high > low:
            open_nodes.append(node)
    left = np.array([span[0] for span in spans], np.int64)
    right = np.array([span[1] for span in spans], np.int64)
    leaf_node = np.flatnonzero(left == right)
    return Hierarchy(tuple(order), labels, parent, left, right, leaf_node, tuple(paths[value] for value in order))


def _check_labels(below: Mapping[tuple[str, ...], tuple[int, int]], values: Sequence[str], name: str) -> None:
    """A label has one meaning: it stands for one set of values, and cannot be taken for `{a, b}` or `*`.

    Labels that are dropped because they say nothing new count too: whoever reads the hierarchy's file finds them there.
    """
    meanings: dict[str, set[tuple[int, int]]] = {}
    for number, value in enumerate(values):
        meanings.setdefault(value, set()).add((number, number))
    for path, span in below.items():
        meanings.setdefault(path[-1], set()).add(span)
    faults = Faults()
    torn = sum(len(spans) > 1 for spans in meanings.values())
    faults.check(torn == 0, f"{name}: {torn} labels stand for two different sets of values; give each its own name")
    sets = sum(label.strip().startswith("{") and label.strip().endswith("}") for label in meanings)
    faults.check(sets == 0, f"{name}: {sets} labels read like sets of values, {{...}}; rename them")
    everything = {(0, len(values) - 1)}
    star = any(label.strip() == "*" and spans != everything for label, spans in meanings.items())
    faults.check(not star, f"{name}: * stands for some of the values, and means any of them; rename it")
    faults.raise_if_any()


def _grouped(order: list[str], paths: Paths) -> list[str]:
    """Keep the given order but bring the leaves of a node together, at the place of its first."""
    place: dict[tuple[str, ...], int] = {}
    for value in order:
        path = tuple(reversed(paths[value]))
        for depth in range(1, len(path) + 1):
            place.setdefault(path[:depth], len(place))

    def key(value: str) -> tuple[int, ...]:
        path = tuple(reversed(paths[value]))
        return tuple(place[path[:depth]] for depth in range(1, len(path) + 1))

    return sorted(order, key=key)


def _listing(numbers: set[int]) -> str:
    return " or ".join(str(number) for number in sorted(numbers))
