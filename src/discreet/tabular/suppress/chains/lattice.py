"""The product structure of a table, as compiled code walks it: trees of nodes, keys of cells, ends of chains.

A cell is a tuple of nodes, one of each variable's tree, and its key their number in mixed radix (`relations.py`). A
cell is the head of a relation in a variable when it is the total there, and a part when it is one of the terms. A
chain may end below at a node only where a cell is no head, and above only where it is no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.kernels import inner
from discreet.tabular.hierarchy import Tree
from discreet.tabular.problem import Ints, Relations
from discreet.tabular.relations import Grid, strides

MOST_VARIABLES = 16


class Lattice(NamedTuple):
    """Nodes of all trees stand one after the other: node j of variable v is entry `first[v] + j`.

    `end[end_start[i] : end_start[i + 1]]` are the nodes at or below node i at which chains may end. `head` and `part`
    have bit v set where a cell is a total, or a term, of a relation in variable v. `keys` rise; `cell` is the cell of
    each.
    """

    first: Ints
    parent: Ints
    depth: Ints
    end_start: Ints
    end: Ints
    step: Ints
    keys: Ints
    head: Ints
    part: Ints
    codes: Ints

    @property
    def variables(self) -> int:
        return self.step.size


def lattice_of(grid: Grid, relations: Relations) -> Lattice | None:
    """The lattice of a table whose cell i has key `grid.keys[i]`; None where relations are not those of a grid."""
    trees = grid.trees
    if not trees or len(trees) > MOST_VARIABLES or (np.diff(grid.keys) <= 0).any():
        return None
    codes = grid.codes.astype(np.int64)
    head, part = _roles(relations, codes)
    first = np.concatenate(([0], np.cumsum([len(tree.labels) for tree in trees]))).astype(np.int64)
    possible = np.zeros(int(first[-1]), np.bool_)
    for v in range(len(trees)):
        loose = (head >> v & 1) == 0
        possible[first[v] + codes[loose, v]] = True
    start, ends = _ends(trees, possible, first)
    return Lattice(
        first[:-1],
        np.concatenate([tree.parent for tree in trees]).astype(np.int64),
        np.concatenate([tree.depth for tree in trees]).astype(np.int64),
        start,
        ends,
        np.array(strides(trees), np.int64),
        grid.keys.astype(np.int64),
        head,
        part,
        codes,
    )


def _roles(relations: Relations, codes: Ints) -> tuple[Ints, Ints]:
    """In which variables each cell is a total, and in which a term."""
    head, part = np.zeros(len(codes), np.int64), np.zeros(len(codes), np.int64)
    row = np.repeat(np.arange(relations.n), np.diff(relations.start))
    total = np.full(relations.n, -1, np.int64)
    minus = relations.sign < 0
    total[row[minus]] = relations.cell[minus]
    ours, heads = relations.cell[~minus], total[row[~minus]]
    for v in range(codes.shape[1]):
        differs = (heads >= 0) & (codes[ours, v] != codes[heads, v])
        part[ours[differs]] |= 1 << v
        head[heads[differs]] |= 1 << v
    return head, part


def _ends(trees: Sequence[Tree], possible: np.ndarray, first: Ints) -> tuple[Ints, Ints]:
    """For each node the possible ends at or below it, in the order of nodes."""
    below: list[list[int]] = [[] for _ in range(int(first[-1]))]
    for v, tree in enumerate(trees):
        offset = int(first[v])
        for node in range(len(tree.labels)):
            if not possible[offset + node]:
                continue
            at = node
            while at >= 0:
                below[offset + at].append(node)
                at = int(tree.parent[at])
    start = np.concatenate(([0], np.cumsum([len(own) for own in below]))).astype(np.int64)
    return start, np.array([node for own in below for node in own], np.int64)


@inner
def meeting(lattice: Lattice, v: int, one: int, other: int) -> int:
    """The lowest node at or above both nodes of variable v."""
    base = lattice.first[v]
    while one != other:
        if lattice.depth[base + one] >= lattice.depth[base + other]:
            one = lattice.parent[base + one]
        else:
            other = lattice.parent[base + other]
    return one


@inner
def place(lattice: Lattice, key: int) -> int:
    """The cell of a key; -1 where the table has none."""
    keys = lattice.keys
    if key < keys.size and keys[key] == key:
        return key
    low, high = 0, min(keys.size, key + 1)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < keys.size and keys[low] == key else -1


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def balanced(start: Ints, row: Ints, sign: Ints, cells: Ints, change: Ints, sums: Ints) -> bool:
    """Whether a change of some cells keeps every relation; cells by relations, `sums` is left as it was, 0."""
    for at in range(cells.size):
        for t in range(start[cells[at]], start[cells[at] + 1]):
            sums[row[t]] += sign[t] * change[at]
    kept = True
    for at in range(cells.size):
        for t in range(start[cells[at]], start[cells[at] + 1]):
            kept &= sums[row[t]] == 0
    for at in range(cells.size):
        for t in range(start[cells[at]], start[cells[at] + 1]):
            sums[row[t]] = 0
    return kept
