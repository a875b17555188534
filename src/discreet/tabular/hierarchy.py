"""The hierarchy of a variable's labels: a tree whose root is the total and whose leaves are the values of the records.

A tree comes from chains of labels, each from a label up to wider ones: the rows `child, parent` of a code list, the
rows `value, wider, ..., top` of a hierarchy for generalization, or the path of a label in a τ-ARGUS `.hrc` file. Labels
without a parent stand below the root; where there is one such label with others below it, it is the root itself.

Nodes are numbered depth first in the order of the chains, the root 0, so that parents come before children. A label
with two parents, a cycle, or an empty tree is one error that names the labels: they are published categories, no data
values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise

import numpy as np

from discreet.errors import Faults, listing, shown
from discreet.tabular.problem import Ints

TOTAL = "Total"
_MOST = 5


@dataclass(frozen=True, eq=False)
class Tree:
    """Labels depth first from the root, and the number of each one's parent (-1 at the root)."""

    labels: tuple[str, ...]
    parent: Ints = field(repr=False)

    @cached_property
    def depth(self) -> Ints:
        found = np.zeros(len(self.labels), np.int64)
        for node, parent in enumerate(self.parent.tolist()):
            if parent >= 0:
                found[node] = found[parent] + 1
        return found

    @property
    def height(self) -> int:
        return int(self.depth.max(initial=0))

    @cached_property
    def number(self) -> dict[str, int]:
        """The node of each label."""
        return {label: node for node, label in enumerate(self.labels)}

    @cached_property
    def leaves(self) -> Ints:
        inner = np.zeros(len(self.labels), np.bool_)
        inner[self.parent[self.parent >= 0]] = True
        return np.flatnonzero(~inner)

    def ancestors(self, level: int) -> Ints:
        """The ancestor of each node that has depth `level`: the node itself at its own, -1 below it."""
        found = np.where(self.depth == level, np.arange(self.depth.size), -1)
        for node, parent in enumerate(self.parent.tolist()):
            if parent >= 0 and found[node] < 0:
                found[node] = found[parent]
        return found


def flat_tree(labels: Iterable[str], *, total: str = TOTAL) -> Tree:
    """A total over labels, in sorted order; the total's own label may be among them."""
    below = sorted({*labels} - {total}, key=_natural)
    return Tree((total, *below), np.array([-1] + [0] * len(below), np.int64))


def tree_from_chains(chains: Iterable[Sequence[str]], *, name: str, total: str | None = None) -> Tree:
    """The tree of chains of labels, each from a label to ever wider ones.

    `total` is the root's label where chains do not reach it; without it a single label at the top is the root, and
    several ones stand below `Total`. A repeated label in a chain says nothing new, as an empty one does.
    """
    faults = Faults()
    parents: dict[str, str] = {}
    order: dict[str, None] = {}
    torn: dict[str, None] = {}
    for chain in chains:
        labels = [label for label, _ in groupby(filter(None, chain))]
        order.update(dict.fromkeys(reversed(labels)))
        for child, parent in pairwise(labels):
            if parents.setdefault(child, parent) != parent:
                torn[child] = None
    faults.check(bool(order), f"{name}: no labels; give a row for each, the label first and wider ones after it")
    faults.check(
        not torn, f"{name}: {listing([*torn], _MOST)} {'stands' if len(torn) == 1 else 'stand'} below two labels"
    )
    circle = _circle(parents)
    faults.check(
        not circle,
        f"{name}: a cycle: {' below '.join(shown(label) for label in circle)}; a label cannot contain itself",
    )
    faults.raise_if_any()
    tops = [label for label in order if label not in parents]
    root = total if total is not None else tops[0] if len(tops) == 1 and len(order) > 1 else TOTAL
    if root in parents:
        faults.add(f"{name}: the label {shown(root)} of the total stands below {shown(parents[root])}")
        faults.raise_if_any()
    return _numbered(parents, [label for label in order if label != root], root)


def _numbered(parents: Mapping[str, str], labels: list[str], root: str) -> Tree:
    below: dict[str, list[str]] = {}
    for label in labels:
        below.setdefault(parents.get(label, root), []).append(label)
    found: list[str] = []
    numbers: list[int] = []
    stack = [(root, -1)]
    while stack:
        label, parent = stack.pop()
        numbers.append(parent)
        found.append(label)
        at = len(found) - 1
        stack.extend((child, at) for child in reversed(below.get(label, ())))
    return Tree(tuple(found), np.array(numbers, np.int64))


def _circle(parents: Mapping[str, str]) -> list[str]:
    """The labels of a cycle, its first one again at the end; empty where there is none."""
    done: set[str] = set()
    for start in parents:
        path: dict[str, int] = {}
        label: str | None = start
        while label is not None and label not in done and label not in path:
            path[label] = len(path)
            label = parents.get(label)
        if label is not None and label in path:
            return [*list(path)[path[label] :], label]
        done.update(path)
    return []


def _natural(label: str) -> tuple[int, int, str]:
    """Whole numbers by size, other labels by their letters after them."""
    digits = label.isascii() and label.isdigit() and len(label) < 19
    return (0, int(label), label) if digits else (1, 0, label)
