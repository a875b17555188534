"""Slow, obvious twins of the table methods: enumeration of every table with given margins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import lgamma

import numpy as np

Axes = tuple[int, ...]


def all_tables(shape: tuple[int, ...], margins: Mapping[Axes, np.ndarray]) -> Iterator[np.ndarray]:
    """Every non-negative integer table with the margins: fill the cells in order, never exceeding a margin."""
    cells = list(np.ndindex(*shape))
    left = {
        axes: {place: int(values[place]) for place in np.ndindex(*values.shape)} for axes, values in margins.items()
    }
    last = {axes: {tuple(cell[a] for a in axes): i for i, cell in enumerate(cells)} for axes in margins}
    x = np.zeros(shape, np.int64)

    def fill(i: int) -> Iterator[np.ndarray]:
        if i == len(cells):
            yield x.copy()
            return
        cell = cells[i]
        places = [(axes, tuple(cell[a] for a in axes)) for axes in margins]
        most = min(left[axes][place] for axes, place in places)
        forced = [left[axes][place] for axes, place in places if last[axes][place] == i]
        values = range(most + 1) if not forced else ([forced[0]] if len(set(forced)) == 1 and forced[0] <= most else [])
        for value in values:
            for axes, place in places:
                left[axes][place] -= value
            x[cell] = value
            yield from fill(i + 1)
            for axes, place in places:
                left[axes][place] += value
        x[cell] = 0

    yield from fill(0)


def sharp_bounds(shape: tuple[int, ...], margins: Mapping[Axes, np.ndarray]) -> tuple[np.ndarray, np.ndarray] | None:
    """Least and greatest value of each cell over all tables; None where there is none."""
    lower = upper = None
    for x in all_tables(shape, margins):
        lower = x if lower is None else np.minimum(lower, x)
        upper = x if upper is None else np.maximum(upper, x)
    return None if lower is None or upper is None else (lower, upper)


def margin_of(table: np.ndarray, axes: Axes) -> np.ndarray:
    drop = tuple(a for a in range(table.ndim) if a not in axes)
    return np.asarray(table.sum(axis=drop))


def is_decomposable(generators: list[set[int]]) -> bool:
    """Graham's reduction: drop a variable that occurs in one set only, drop contained sets, until nothing is left."""
    sets = [set(g) for g in generators]
    while True:
        before = sorted(map(sorted, sets))
        for v in set().union(*sets) if sets else ():
            holders = [s for s in sets if v in s]
            if len(holders) == 1:
                holders[0].discard(v)
        sets = [s for i, s in enumerate(sets) if not any(s < t or (s == t and i > j) for j, t in enumerate(sets))]
        if sorted(map(sorted, sets)) == before:
            return all(not s for s in sets)


def separates(neighbors: list[set[int]], separator: set[int]) -> bool:
    """Whether removing the separator disconnects the graph."""
    rest = [v for v in range(len(neighbors)) if v not in separator]
    if len(rest) < 2:
        return False
    seen, stack = {rest[0]}, [rest[0]]
    while stack:
        for u in neighbors[stack.pop()] - separator - seen:
            seen.add(u)
            stack.append(u)
    return len(seen) < len(rest)


def clique_separators(neighbors: list[set[int]]) -> list[set[int]]:
    """All cliques that disconnect the graph, by trying every set of vertices."""
    n = len(neighbors)
    found = []
    for size in range(n - 1):
        for some in combinations(range(n), size):
            if all(b in neighbors[a] for a, b in combinations(some, 2)) and separates(neighbors, set(some)):
                found.append(set(some))
    return found


def linear_bounds(shape: tuple[int, ...], margins: Mapping[Axes, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest value of each cell, in flat order, over all tables with fractions: one program per side."""
    from scipy.optimize import linprog

    n = int(np.prod(shape))
    units = np.eye(n).reshape(n, *shape)
    rows = [np.stack([margin_of(unit, axes).reshape(-1) for unit in units], axis=1) for axes in margins]
    matrix, sums = np.concatenate(rows), np.concatenate([values.reshape(-1) for values in margins.values()])
    ends = []
    for sign in (1.0, -1.0):
        costs = sign * np.eye(n)
        ends.append(np.array([sign * linprog(cost, A_eq=matrix, b_eq=sums, method="highs").fun for cost in costs]))
    return ends[0], ends[1]


def two_way_bounds(rows: list[int], columns: list[int]) -> list[list[tuple[int, int]]]:
    """Sharp bounds of a two-way table with these sums, in Python's integers."""
    total = sum(rows)
    return [[(max(0, r + c - total), min(r, c)) for c in columns] for r in rows]


def one_parameter_bounds(table: np.ndarray) -> list[tuple[int, int]]:
    """Sharp bounds of a 2 × 2 × … × 2 table given all its margins but itself: one whole number moves all cells.

    Such tables differ by +t where the number of second levels is even and by −t elsewhere, and none is negative.
    """
    cells = [(int(table[place]), 1 if sum(place) % 2 == 0 else -1) for place in np.ndindex(*table.shape)]
    least = -min(count for count, sign in cells if sign > 0)
    most = min(count for count, sign in cells if sign < 0)
    return [tuple(sorted((count + sign * least, count + sign * most))) for count, sign in cells]


def factorial_weight(table: np.ndarray) -> float:
    """log Π 1/n(i)! of a table."""
    counts = np.asarray(table)
    return -float(sum(lgamma(int(n) + 1) for n in counts.reshape(-1)))
