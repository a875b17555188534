"""Small tables over random hierarchies, some with cells missing, for the tests of chains."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from discreet.tabular.hierarchy import Tree
from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Cells, Problem
from discreet.tabular.relations import Grid, relations_of


def tree_of(parents: list[int]) -> Tree:
    return Tree(tuple(str(node) for node in range(len(parents))), np.array(parents, np.int64))


def values(trees: tuple[Tree, ...], rng: np.random.Generator, largest: int) -> np.ndarray:
    """Random leaves and all their totals, one axis a variable."""
    leaves = [tree.leaves for tree in trees]
    full = rng.integers(1, largest + 1, [own.size for own in leaves])
    for axis, tree in enumerate(trees):
        above = np.zeros((len(tree.labels), leaves[axis].size), np.int64)
        for at, leaf in enumerate(leaves[axis].tolist()):
            node = leaf
            while node >= 0:
                above[node, at] = 1
                node = int(tree.parent[node])
        full = np.moveaxis(np.tensordot(above, full, axes=(1, axis)), 0, axis)
    return full


def problem_of(trees: tuple[Tree, ...], rng: np.random.Generator, share: float = 0.2) -> Problem:
    """Small cells sensitive, wide boxes, everything else free."""
    value = values(trees, rng, 40).ravel()
    zero = np.zeros_like(value)
    sensitive = value <= np.quantile(value, share)
    level = np.where(sensitive, 1 + value // 4, 0)
    status = np.where(sensitive, PRIMARY, FREE).astype(np.int8)
    cells = Cells(value, zero, 3 * value + 20, value, status, level, level, zero)
    return Problem(cells, relations_of(Grid(trees, np.arange(value.size))))


@st.composite
def trees(draw: st.DrawFn, nodes: int) -> Tree:
    """A root and random nodes below those before them."""
    size = draw(st.integers(3, nodes))
    return tree_of([-1, 0, 0, *(draw(st.integers(0, node - 1)) for node in range(3, size))])


@st.composite
def gridded(draw: st.DrawFn, *, nodes: int = 6) -> tuple[Grid, Problem]:
    """Two variables; boxes, levels and statuses at random; sometimes a part of the table is absent."""
    own = draw(trees(nodes)), draw(trees(nodes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    value = values(own, rng, 9).ravel()
    keys = np.arange(value.size)
    if draw(st.booleans()):  # two linked tables: each variable's details with one node of the other only
        first, second = np.divmod(keys, len(own[1].labels))
        keys = keys[(first < 3) | (second == 0)]
    value = value[keys]
    n = keys.size
    status = rng.choice([PRIMARY, SECONDARY, FREE, FREE, FREE, FREE, FIXED], n).astype(np.int8)
    narrow = draw(st.booleans())
    down, up = (rng.integers(0, 6, n), rng.integers(0, 8, n)) if narrow else (np.full(n, 40), np.full(n, 40))
    level = [np.where(status == PRIMARY, rng.integers(0, 4, n), 0) for _ in range(2)]
    sliding = np.where((status == PRIMARY) & (rng.random(n) < 0.3), rng.integers(0, 7, n), 0)
    cells = Cells(value, value - down, value + up, rng.integers(0, 9, n), status, level[0], level[1], sliding)
    grid = Grid(own, keys)
    return grid, Problem(cells, relations_of(grid))
