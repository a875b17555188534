"""Controlled rounding by trying everything: every way to round the innermost cells, totals by addition."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from discreet.tabular.hierarchy import Tree
from discreet.tabular.problem import FREE, Cells, Problem
from discreet.tabular.relations import Grid, relations_of


class Best(NamedTuple):
    """The least distance within one base (None where there is no such table), and of any additive table at all."""

    within: int | None
    anywhere: int


def chain_tree(*levels: int) -> Tree:
    """A tree with so many children at each level."""
    labels, parents = ["Total"], [-1]

    def grow(node: int, rest: tuple[int, ...], name: str) -> None:
        for child in range(rest[0] if rest else 0):
            labels.append(f"{name}{child}")
            parents.append(node)
            grow(len(labels) - 1, rest[1:], labels[-1])

    grow(0, levels, "c")
    return Tree(tuple(labels), np.array(parents, np.int64))


def table_of(trees: list[Tree], inner: list[int]) -> Problem:
    """The problem of a full table over trees; innermost values in the order of the cells."""
    leaves = [{*tree.leaves.tolist()} for tree in trees]
    sizes = [len(tree.labels) for tree in trees]
    cells = list(product(*map(range, sizes)))
    under = [
        {node: {leaf for leaf in own if _is_below(tree, leaf, node)} for node in range(len(tree.labels))}
        for tree, own in zip(trees, leaves)
    ]
    innermost = [cell for cell in cells if all(node in own for node, own in zip(cell, leaves))]
    amount = dict(zip(innermost, inner, strict=True))
    value = np.array(
        [sum(amount[leaf] for leaf in product(*(u[node] for u, node in zip(under, cell)))) for cell in cells], np.int64
    )
    nothing = np.zeros(value.size, np.int64)
    status = np.full(value.size, FREE, np.int8)
    relations = relations_of(Grid(tuple(trees), np.arange(value.size, dtype=np.int64)))
    return Problem(Cells(value, value, value, nothing + 1, status, nothing, nothing, nothing), relations)


def _is_below(tree: Tree, node: int, above: int) -> bool:
    while node > above:
        node = int(tree.parent[node])
    return node == above


def best_rounding(trees: list[Tree], inner: list[int], base: int, small: bool = False) -> Best:
    """All roundings of the innermost cells to the multiples next to them; with `small`, of those below the base."""
    true = table_of(trees, inner).cells.value
    ways = []
    for value in inner:
        low = value // base * base
        turned = value % base != 0 and (not small or abs(value) < base)
        ways.append((low, low + base) if turned else (value,))
    within: int | None = None
    anywhere: int | None = None
    for way in product(*ways):
        told = table_of(trees, list(way)).cells.value
        change = np.abs(told - true)
        distance = int(change.sum())
        anywhere = distance if anywhere is None else min(anywhere, distance)
        if (change < base).all():
            within = distance if within is None else min(within, distance)
    assert anywhere is not None
    return Best(within, anywhere)
