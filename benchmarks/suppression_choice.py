"""What the choice of hidden cells tells to who knows the rule and the method, by brute force over small tables.

Levels promise that the published figures leave room around every sensitive cell. Who also knows the rule and how
the pattern was chosen may leave out tables for which it would have been another one. Here such an intruder tries every
table of counts that the published figures allow, runs the method on it, and keeps those that come out as published.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

import numpy as np

from benchmarks.harness import Case
from benchmarks.suppression import tree
from discreet.tabular.audit import protects
from discreet.tabular.problem import FIXED, FREE, PRIMARY, Cells, Problem
from discreet.tabular.relations import Grid, relations_of
from discreet.tabular.suppress import Suppression, requirements_of, suppress
from discreet.work import Deadline, Reporter

Counts = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
COLUMNS = (
    "leaves",
    "cost",
    "tables",
    "sensitive",
    "narrowed, knowing the rule, %",
    "told, %",
    "narrowed, knowing the method too, %",
    "told, %",
)
THRESHOLD, MOST_TABLES, MOST_STEPS = 3, 400, 20_000


class TooManyError(Exception):
    """The tables that the published figures allow take too long to list."""


def problem_of(leaves: Counts, cost: str) -> Problem:
    """The table with its totals: counts of 1 and 2 are sensitive, by one at either side, and zeros are published."""
    value = np.zeros((leaves.shape[0] + 1, leaves.shape[1] + 1), np.int64)
    value[1:, 1:] = leaves
    value[0, 1:], value[1:, 0], value[0, 0] = leaves.sum(0), leaves.sum(1), leaves.sum()
    flat = value.ravel()
    status = np.full(flat.size, FREE, np.int8)
    status[flat == 0], status[(flat > 0) & (flat < THRESHOLD)] = FIXED, PRIMARY
    level = (status == PRIMARY).astype(np.int64)
    zero = np.zeros_like(flat)
    weight = flat if cost == "value" else np.ones_like(flat)
    least = np.minimum(flat, 1)  # zeros are published
    below = np.minimum(level, flat - least)
    cells = Cells(flat, least, np.full_like(flat, 2 * flat.max()), weight, status, below, level, zero)
    trees = (tree(leaves.shape[0]), tree(leaves.shape[1]))
    return Problem(cells, relations_of(Grid(trees, np.arange(flat.size))))


def pattern(problem: Problem) -> np.ndarray[tuple[int], np.dtype[np.bool_]] | None:
    """The cells that the method hides; None where no pattern protects."""
    found = suppress(problem, requirements_of(problem), Deadline(None), Reporter(None))
    return found.hidden if isinstance(found, Suppression) else None


def candidates(leaves: Counts, hidden: Counts) -> Iterator[Counts]:
    """Every table of counts, as leaves, whose published cells and totals are those of this one."""
    rows, columns = leaves.shape
    shown = hidden.reshape(rows + 1, columns + 1) == 0
    full = problem_of(leaves, "unit").cells.value.reshape(shown.shape)
    most = int(full[0, 0]) if shown[0, 0] else 2 * int(full[0, 0])
    trial, steps = np.zeros_like(leaves), count()

    def fits(row: int) -> bool:
        """Whether the row's total, and at the end those of columns, are as published."""
        if shown[row + 1, 0] and trial[row].sum() != full[row + 1, 0]:
            return False
        sums = trial[: row + 1].sum(0)
        if (sums > np.where(shown[0, 1:], full[0, 1:], most)).any():
            return False
        end = row + 1 == rows
        return not end or (
            bool((sums == full[0, 1:])[shown[0, 1:]].all()) and (not shown[0, 0] or trial.sum() == full[0, 0])
        )

    def fill(at: int) -> Iterator[Counts]:
        row, column = divmod(at, columns)
        if next(steps) > MOST_STEPS:
            raise TooManyError
        if row == rows:
            yield trial.copy()
            return
        choices = [int(leaves[row, column])] if shown[row + 1, column + 1] else range(1, most + 1)
        for number in choices:
            trial[row, column] = number
            if shown[row + 1, 0] and trial[row, : column + 1].sum() > full[row + 1, 0]:
                break
            if column + 1 < columns or fits(row):
                yield from fill(at + 1)

    return fill(0)


def measured(shape: tuple[int, int], cost: str, wanted: int, seed: int = 0) -> tuple[object, ...]:
    random = np.random.default_rng(seed)
    tables, sensitive, counts = 0, 0, np.zeros(4, np.int64)
    while tables < wanted:
        leaves = random.integers(0, 3, shape) * random.integers(1, 6, shape)
        problem = problem_of(leaves, cost)
        hidden = pattern(problem) if (problem.cells.status == PRIMARY).any() else None
        if hidden is None:
            continue
        try:
            possible = list(islice(candidates(leaves, hidden.astype(np.int64)), MOST_TABLES + 1))
        except TooManyError:
            continue
        if len(possible) > MOST_TABLES:
            continue
        tables += 1
        problems = [problem_of(one, cost) for one in possible]
        safe = [one for one in problems if not protects(one, hidden).shortfalls]
        alike = [one for one in safe if _same(pattern(one), hidden)]
        cells = np.flatnonzero(problem.cells.status == PRIMARY)
        sensitive += cells.size
        for place, kept in ((0, safe), (2, alike)):
            values = np.array([one.cells.value[cells] for one in kept])
            low, high, true = values.min(0), values.max(0), problem.cells.value[cells]
            counts[place] += int(((high < true + 1) | (low > np.maximum(true - 1, 1))).sum())
            counts[place + 1] += int((low == high).sum())
    shares = 100.0 * counts / sensitive
    return ("x".join(map(str, shape)), cost, tables, sensitive, *(round(float(share), 1) for share in shares))


def _same(found: object, hidden: Counts) -> bool:
    return found is not None and bool(np.array_equal(np.asarray(found), hidden))


def rows() -> list[tuple[object, ...]]:
    return [measured(shape, cost, 100) for shape in ((3, 3), (3, 4)) for cost in ("value", "unit")]


CASES = {
    "suppression-choice": Case("Suppression: what the choice of hidden cells tells", COLUMNS, rows, short=False),
}
