"""Chain moves the slow, obvious way: vectors over nodes, their product over cells, and all choices of ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from discreet.tabular.problem import FIXED, FREE, Problem
from discreet.tabular.relations import Grid

ROOT, OPEN = -1, -2


def path(parents: Sequence[int], node: int) -> list[int]:
    """A node and all above it."""
    found = [node]
    while parents[found[-1]] >= 0:
        found.append(int(parents[found[-1]]))
    return found


def vector(parents: Sequence[int], code: int, bottom: int, other: int) -> np.ndarray | None:
    """+1 on the chain from `bottom` through `code`, -1 on the one from `other`; None where they are no such chains."""
    up = path(parents, bottom)
    if code not in up:
        return None
    found = np.zeros(len(parents), np.int64)
    if other == OPEN:
        found[up[: up.index(code) + 1]] = 1
        return found
    found[up] = 1
    if other == ROOT:
        return found
    down = path(parents, other)
    if code in down or other in path(parents, code):
        return None
    found[down] -= 1
    return found


def change(grid: Grid, vectors: Sequence[np.ndarray]) -> np.ndarray | None:
    """The product of vectors as a move of the table's cells; None where it moves a cell that is not there."""
    full = np.ones(1, np.int64)
    for each in vectors:
        full = np.multiply.outer(full, each).ravel()
    inside = np.zeros(full.size, np.bool_)
    inside[grid.keys] = True
    return None if full[~inside].any() else full[grid.keys]


def matrix(problem: Problem) -> np.ndarray:
    relations = problem.relations
    found = np.zeros((relations.n, problem.cells.n), np.int64)
    for r in range(relations.n):
        for at in range(relations.start[r], relations.start[r + 1]):
            found[r, relations.cell[at]] += relations.sign[at]
    return found


def price(problem: Problem, hidden: np.ndarray, move: np.ndarray, above: int, below: int) -> int | None:
    """What it costs to hide the cells of a move, if each has room for both amounts; None where one has not."""
    cells = problem.cells
    up, down = cells.upper - cells.value, cells.value - cells.lower
    for i in np.flatnonzero(move).tolist():
        ahead, back = (up[i], down[i]) if move[i] > 0 else (down[i], up[i])
        if ahead < above or back < below or (cells.status[i] == FIXED and not hidden[i]):
            return None
    return int(sum(cells.cost[i] for i in np.flatnonzero(move) if not hidden[i] and cells.status[i] == FREE))


def moves(
    problem: Problem, grid: Grid, cell: int, choices: Sequence[tuple[int, int]] | None = None
) -> Iterator[np.ndarray]:
    """All products of chains through a cell that keep every relation; with `choices` those of one other variable."""
    rows = matrix(problem)
    code = grid.codes[cell]
    options = []
    for v, tree in enumerate(grid.trees):
        size = len(tree.labels)
        pairs = [(a, b) for a in range(size) for b in (OPEN, ROOT, *range(size))]
        made = {pair: vector(tree.parent, int(code[v]), *pair) for pair in pairs}
        options.append({pair: found for pair, found in made.items() if found is not None})
    if choices is None:
        sets = list(product(*options))
    else:
        sets = [
            tuple(pair if w == v else choices[w] for w in range(len(options)))
            for v in range(len(options))
            for pair in options[v]
        ]
    for chosen in sets:
        move = change(grid, [options[v][pair] for v, pair in enumerate(chosen)])
        if move is not None and not (rows @ move).any():
            yield move
