"""The audit of additive tables: intervals with proofs, levels alone, large components, random small patterns.

Seconds are CPU seconds after compilation and reading. Patterns hide the corners of random moves around sensitive cells
(products of chains from a leaf up to below a common ancestor and down to another) without a look at their capacities,
so that part of the sensitive cells are not protected. The public pattern is read from `sumit_pattern.jj` in the folder
`DISCREET_DATA` where there is one.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.harness import Case
from discreet.instruments.totals.additive import read_problem
from discreet.tabular.audit import Intervals, audit, protects
from discreet.tabular.hierarchy import Tree
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY, Cells, Problem
from discreet.tabular.relations import Grid, relations_of

FOLDER = Path(os.environ.get("DISCREET_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
Rows = list[tuple[object, ...]]
COLUMNS = ("table", "cells", "hidden", "sensitive", "CPU-s", "programs", "open ends", "exposed levels", "undecided")


def tree(*branches: int) -> list[int]:
    """Parents of a tree with so many children at each level; node 0 is the total."""
    parents, last = [-1], [0]
    for count in branches:
        last = [len(parents) + i for i in range(count * len(last))]
        first = last[0]
        above = [i for i in range(len(parents)) if i not in parents] if len(parents) > 1 else [0]
        parents += [above[(node - first) // count] for node in last]
    return parents


def pattern(trees: list[list[int]], share: float, hidden: int, seed: int = 1) -> Problem:
    """Leaves from 1 to 499, the smallest `share` of them sensitive; random moves around these till enough is hidden."""
    rng = np.random.default_rng(seed)
    leaves = [[i for i in range(len(parents)) if i not in set(parents)] for parents in trees]
    value = rng.integers(1, 500, [len(own) for own in leaves])
    place = np.ix_(*leaves)
    small = value + rng.random(value.shape) <= np.quantile(value + rng.random(value.shape), share)
    for axis, (parents, own) in enumerate(zip(trees, leaves)):
        above = np.zeros((len(parents), len(own)), np.int64)
        for at, leaf in enumerate(own):
            for node in path(parents, leaf):
                above[node, at] = 1
        value = np.moveaxis(np.tensordot(above, value, axes=(1, axis)), 0, axis)
    status = np.full(value.shape, FREE, np.int8)
    status[place] = np.where(small, PRIMARY, FREE)
    sensitive = rng.permutation(np.argwhere(status == PRIMARY))
    at = 0
    while (status != FREE).sum() < hidden:
        cell, sides = sensitive[at % len(sensitive)], []
        at += 1
        for axis, parents in enumerate(trees):
            near = [i for i in leaves[axis] if parents[i] == parents[cell[axis]] and i != cell[axis]]
            among = near if near and rng.random() < 0.7 else [i for i in leaves[axis] if i != cell[axis]]
            one, other = path(parents, int(cell[axis])), path(parents, int(rng.choice(among)))
            sides.append(sorted(set(one) ^ set(other)))
        corner = np.ix_(*sides)
        status[corner] = np.where(status[corner] == FREE, SECONDARY, status[corner])
    grid = Grid(
        tuple(Tree(tuple(map(str, range(len(p)))), np.array(p, np.int64)) for p in trees), np.arange(value.size)
    )
    flat, code = value.ravel(), status.ravel()
    level, nothing = np.where(code == PRIMARY, -(-3 * flat // 20), 0), np.zeros_like(flat)
    cells = Cells(flat, nothing, np.full_like(flat, 2 * flat.max()), flat, code, level, level, nothing)
    return Problem(cells, relations_of(grid))


def path(parents: list[int], node: int) -> list[int]:
    found = []
    while node >= 0:
        found.append(node)
        node = parents[node]
    return found


def measured(name: str, problem: Problem, work: Callable[[Problem], Intervals]) -> tuple[object, ...]:
    begin = time.process_time()
    found = work(problem)
    seconds = time.process_time() - begin
    cells = problem.cells
    ends = found.open_sides if work is audit else "-"
    sizes = cells.n, int(cells.hidden.sum()), int((cells.status == PRIMARY).sum())
    return (name, *sizes, seconds, found.programs, ends, len(found.exposed), len(found.undecided))


def intervals() -> Rows:
    audit(pattern([tree(3), tree(3)], 0.3, 8))
    rows = []
    if (FOLDER / "sumit_pattern.jj").exists():
        rows.append(measured("sumit_pattern.jj", read_problem(FOLDER / "sumit_pattern.jj").problem, audit))
    table = pattern([tree(3, 4, 3), tree(3, 4, 3), tree(3, 5)], 0.013, 5000)
    return [*rows, measured("hierarchical, three-way", table, audit)]


def levels() -> Rows:
    protects(pattern([tree(3), tree(3)], 0.3, 8))
    table = pattern([tree(4, 4, 4), tree(5, 4, 4), tree(5, 4, 4)], 0.008, 25_000)
    return [measured("hierarchical, three-way", table, protects)]


def flat() -> Rows:
    protects(pattern([tree(3), tree(3)], 0.3, 8))
    rows = []
    for seed in (1, 2):
        table = pattern([tree(35)] * 3, 1200 / 35**3, 5000, seed)
        rows.append(measured(f"flat 36^3, seed {seed}", table, protects))
    return rows


def random() -> Rows:
    from attack.patterns import compare

    total: Counter[str] = Counter()
    begin = time.process_time()
    for seed in range(10_000):
        total += compare(seed)
    words = ("patterns", "sides", "open", "undecided", "unsafe", "attackers")
    return [(*(total[word] for word in words), time.process_time() - begin)]


CASES = {
    "audit-intervals": Case("Audit: both ends of every hidden cell, proven", COLUMNS, intervals),
    "audit-levels": Case("Audit: the levels of a million cells", COLUMNS, levels, short=False),
    "audit-flat": Case("Audit: one component whose vertices are fractions", COLUMNS, flat, short=False),
    "audit-random": Case(
        "Audit: random small patterns against all tables; a difference is an error",
        ("patterns", "ends", "open ends", "undecided levels", "unsafe", "attackers", "CPU-s"),
        random,
        short=False,
    ),
}
