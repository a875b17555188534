"""Small additive tables with hidden cells, and what can be inferred about them by listing every table there is."""

from __future__ import annotations

import itertools
from collections.abc import Collection

import numpy as np

from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Cells, Problem, Relations

MANY = 40_000


def product_rows(shape: tuple[int, ...], trees: list[list[int]]) -> list[list[tuple[int, int]]]:
    """Relations of a product of trees, given as parents (-1 at the top): total minus parts, along every variable."""
    number = np.arange(int(np.prod(shape))).reshape(shape)
    rows = []
    for axis, parents in enumerate(trees):
        for node in range(len(parents)):
            parts = [i for i, parent in enumerate(parents) if parent == node]
            if not parts:
                continue
            totals = np.take(number, node, axis=axis).ravel()
            for at, total in enumerate(totals):
                members = [int(np.take(number, part, axis=axis).ravel()[at]) for part in parts]
                rows.append([(int(total), -1), *((m, 1) for m in members)])
    return rows


def summed(leaves: np.ndarray, trees: list[list[int]]) -> np.ndarray:
    """Values of all nodes from those of the leaves."""
    found = leaves
    for axis, parents in enumerate(trees):
        kids = [i for i in range(len(parents)) if i not in parents]
        nodes = np.zeros((len(parents), len(kids)), np.int64)
        for place, leaf in enumerate(kids):
            node = leaf
            while node >= 0:
                nodes[node, place] = 1
                node = parents[node]
        found = np.moveaxis(np.tensordot(nodes, found, axes=(1, axis)), 0, axis)
    return found


def random_problem(rng: np.random.Generator, most: int = 18) -> Problem:
    """A table of two or three variables, some with a hierarchy; narrow boxes, levels of all kinds, `most` hidden."""
    flat = lambda k: [-1] + [0] * k  # noqa: E731
    kind = rng.integers(4)
    if kind == 0:
        trees = [flat(int(rng.integers(2, 5))), flat(int(rng.integers(2, 5)))]
    elif kind == 1:
        trees = [flat(2), flat(int(rng.integers(2, 4))), flat(int(rng.integers(2, 4)))]
    elif kind == 2:
        trees = [[-1, 0, 0, 1, 1, 2, 2], flat(int(rng.integers(2, 4)))]
    else:
        trees = [flat(3), flat(3), flat(3)]
    leaves = rng.integers(0, int(rng.choice([2, 4, 9])), [sum(i not in t for i in range(len(t))) for t in trees])
    if rng.random() < 0.3:
        leaves = leaves - rng.integers(0, 5, leaves.shape)
    value = summed(leaves, trees).ravel().astype(np.int64)
    rows = product_rows(tuple(len(t) for t in trees), trees)
    if rng.random() < 0.3:  # rounded cell by cell: sums are missed by a unit
        value = value + rng.integers(-1, 2, value.size)
    n = value.size
    hidden = rng.random(n) < rng.choice([0.2, 0.35, 0.5, 0.8])
    if hidden.sum() > most:
        hidden[rng.permutation(np.flatnonzero(hidden))[most:]] = False
    wide = int(rng.choice([1, 2, 4]))
    lower, upper = value - rng.integers(0, wide + 1, n), value + rng.integers(0, wide + 1, n)
    if rng.random() < 0.3:
        lower = np.where(value >= 0, np.maximum(lower, 0), lower)
    easy = rng.random() < 0.6  # else hardly any pattern is safe
    share = 0.1 if easy else 0.5
    status = np.where(hidden, np.where(rng.random(n) < share, PRIMARY, SECONDARY), np.where(value == 0, FIXED, FREE))
    primary = status == PRIMARY
    level = 1 if easy else int(rng.choice([1, 2, 5]))
    below, above = (np.where(primary, rng.integers(0, level + 1, n), 0) for _ in range(2))
    sliding = np.where(primary & (rng.random(n) < 0.4), rng.integers(0, 2 * level + 2, n), 0)
    cells = Cells(value, lower, upper, np.ones(n, np.int64), status.astype(np.int8), below, above, sliding)
    start = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    cell = np.array([c for row in rows for c, _ in row], np.int64)
    sign = np.array([s for row in rows for _, s in row], np.int8)
    relations = Relations(start, cell, sign, np.zeros(len(rows), np.int64))
    return Problem(cells, relations._replace(right=relations.residuals(value)))


def all_moves(problem: Problem, known: Collection[int] = ()) -> np.ndarray | None:
    """Every move of the hidden cells, a row each, by trying all values; None where there are more than `MANY`."""
    cells, rows = problem
    chosen = [c for c in np.flatnonzero(cells.hidden).tolist() if c not in set(known)]
    low = [int(cells.lower[c] - cells.value[c]) for c in chosen]
    high = [int(cells.upper[c] - cells.value[c]) for c in chosen]
    place = {c: i for i, c in enumerate(chosen)}
    terms = []
    for r in range(rows.right.size):
        own = slice(rows.start[r], rows.start[r + 1])
        row = [(place[c], int(s)) for c, s in zip(rows.cell[own].tolist(), rows.sign[own]) if c in place]
        if row:
            terms.append(sorted(row))
    # What the cells that come later in a row can still add to it.
    later = [[_span(row, i, low, high) for i in range(len(chosen) + 1)] for row in terms]
    mine: list[list[tuple[int, int]]] = [[] for _ in chosen]
    for r, row in enumerate(terms):
        for i, s in row:
            mine[i].append((r, s))
    sums, f, found = [0] * len(terms), [0] * len(chosen), []

    def fill(i: int) -> bool:
        if i == len(chosen):
            found.append(f.copy())
            return len(found) <= MANY
        for v in range(low[i], high[i] + 1):
            for r, s in mine[i]:
                sums[r] += s * v
            f[i] = v
            fits = all(later[r][i + 1][0] <= -sums[r] <= later[r][i + 1][1] for r, _ in mine[i])
            good = fill(i + 1) if fits else True
            for r, s in mine[i]:
                sums[r] -= s * v
            if not good:
                return False
        return True

    return np.array(found, np.int64).reshape(len(found), len(chosen)) if fill(0) else None


def _span(row: list[tuple[int, int]], first: int, low: list[int], high: list[int]) -> tuple[int, int]:
    ends = [(s * low[i], s * high[i]) for i, s in row if i >= first]
    return sum(min(pair) for pair in ends), sum(max(pair) for pair in ends)


def truth(problem: Problem, known: Collection[int] = ()) -> dict[int, tuple[int, int]] | None:
    """Least and greatest move of every hidden cell that is not known."""
    moves = all_moves(problem, known)
    if moves is None:
        return None
    chosen = [c for c in np.flatnonzero(problem.cells.hidden).tolist() if c not in set(known)]
    return {c: (int(moves[:, i].min()), int(moves[:, i].max())) for i, c in enumerate(chosen)}


def short(problem: Problem, ends: dict[int, tuple[int, int]], known: Collection[int] = ()) -> set[tuple[int, int]]:
    """(cell, kind) of every level that does not hold: 1 above, -1 below, 0 sliding."""
    cells, found = problem.cells, set()
    for p in np.flatnonzero(cells.status == PRIMARY).tolist():
        if p in set(known):
            continue
        low, high = ends[p]
        wants = ((1, cells.above[p], high), (-1, cells.below[p], -low), (0, cells.sliding[p], high - low))
        found |= {(p, kind) for kind, needed, reached in wants if reached < needed}
    return found


def subsets(cells: Collection[int], most: int) -> list[tuple[int, ...]]:
    """Some sets of one and two cells."""
    ones = [(c,) for c in cells]
    return [*ones, *itertools.combinations(sorted(cells), 2)][:most]
