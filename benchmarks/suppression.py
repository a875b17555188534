"""Suppression of additive tables: generated tables of known kinds, and the public example, with their bounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd

from benchmarks.audit import FOLDER
from benchmarks.harness import Case
from discreet.instruments.totals.additive import read_problem
from discreet.instruments.totals.tabulate import tabulate
from discreet.tabular.audit import protects
from discreet.tabular.hierarchy import Tree
from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Cells, Problem
from discreet.tabular.relations import Grid, relations_of
from discreet.tabular.suppress import Suppression, requirements_of, suppress
from discreet.tabular.suppress.chains import suppress_large
from discreet.verify.tabular import verify_pattern
from discreet.work import Deadline, Reporter


class CpuDeadline(Deadline):
    """Counts the CPU-seconds of this process: machines that measure are busy."""

    def __init__(self, time_limit: float) -> None:
        super().__init__(time_limit)
        self._begin = time.process_time()

    @property
    def elapsed(self) -> float:
        return time.process_time() - self._begin


def tree(*branching: int) -> Tree:
    """A hierarchy with so many children at each level, depth first."""
    labels, parent = list[str](), list[int]()

    def grow(above: int, level: int) -> None:
        node = len(labels)
        labels.append(str(node) if node else "Total")
        parent.append(above)
        for _ in range(branching[level] if level < len(branching) else 0):
            grow(node, level + 1)

    grow(-1, 0)
    return Tree(tuple(labels), np.array(parent, np.int64))


def generated(trees: Sequence[Tree], share: float, *, seed: int = 0) -> Problem:
    """Leaves are 1 to 499 at random, the smallest `share` sensitive, levels 15 %, boxes from 0 to twice the total."""
    random = np.random.default_rng(seed)
    leaves = [np.setdiff1d(np.arange(len(each.labels)), each.parent) for each in trees]
    full = random.integers(1, 500, [each.size for each in leaves])
    for axis, each in enumerate(trees):
        above = np.zeros((len(each.labels), leaves[axis].size), np.int64)
        for at, leaf in enumerate(leaves[axis].tolist()):
            node = leaf
            while node >= 0:
                above[node, at] = 1
                node = int(each.parent[node])
        full = np.moveaxis(np.tensordot(above, full, axes=(1, axis)), 0, axis)
    inner = np.zeros(full.shape, np.bool_)
    inner[np.ix_(*leaves)] = True
    value = full.ravel()
    place = np.flatnonzero(inner.ravel())
    order = np.argsort(value[place] + random.random(place.size))
    status = np.full(value.size, FREE, np.int8)
    status[value == 0] = FIXED
    status[place[order[: round(share * place.size)]]] = PRIMARY
    level = np.where(status == PRIMARY, -(-value * 15 // 100), 0)
    zero = np.zeros_like(value)
    cells = Cells(value, zero, np.full_like(value, 2 * value.max()), value, status, level, level, zero)
    return Problem(cells, relations_of(Grid(tuple(trees), np.arange(value.size))))


def anywhere(trees: Sequence[Tree], share: float, *, seed: int = 0) -> Problem:
    """The same with sensitive cells at random among all cells, totals too."""
    cells, relations = generated(trees, 0.0, seed=seed)
    chosen = np.random.default_rng(seed + 100).permutation(np.flatnonzero(cells.value > 0))[: round(share * cells.n)]
    status = cells.status.copy()
    status[chosen] = PRIMARY
    level = np.where(status == PRIMARY, -(-cells.value * 15 // 100), 0)
    return Problem(cells._replace(status=status, above=level, below=level), relations)


def leaves(trees: Sequence[Tree], share: float, cost: str, *, seed: int = 0) -> Problem:
    """The same with sensitive cells at random among the innermost ones, a share of all cells; costs of three kinds."""
    cells, relations = generated(trees, 0.0, seed=seed)
    inner = np.ones(1, np.bool_)
    for each in trees:
        inner = np.outer(inner, ~np.isin(np.arange(len(each.labels)), each.parent)).ravel()
    chosen = np.random.default_rng(seed + 7).permutation(np.flatnonzero(inner & (cells.value > 0)))
    status = cells.status.copy()
    status[chosen[: round(share * cells.n)]] = PRIMARY
    level = np.where(status == PRIMARY, -(-cells.value * 15 // 100), 0)
    kinds = {"values": cells.value, "cells": np.ones_like(cells.value), "logs": np.rint(1000 * np.log1p(cells.value))}
    own = kinds[cost].astype(np.int64)
    return Problem(cells._replace(status=status, above=level, below=level, cost=own), relations)


def linked(records: int = 1800, *, seed: int = 0) -> Problem:
    """Four linked two-way tables of turnover, two variables with levels; what firms dominate is sensitive."""
    random = np.random.default_rng(seed)
    sizes = {"region": 36, "sector": 36, "size": 9, "age": 8}
    frame = pd.DataFrame({name: random.integers(0, k, records) for name, k in sizes.items()})
    frame["turnover"] = np.rint(random.lognormal(5.0, 1.5, records)).astype(np.int64)
    hierarchy = {
        name: {f"{name[0]}{code}": f"{name[0].upper()}{code // 6}" for code in range(36)}
        for name in ("region", "sector")
    }
    for name in hierarchy:
        frame[name] = [f"{name[0]}{code}" for code in frame[name]]
    by = [["region", "size"], ["sector", "size"], ["region", "age"], ["sector", "age"]]
    table = tabulate(frame, by=by, value="turnover", hierarchies=hierarchy, rules=["p=10"]).table
    cost = np.maximum(table.problem.cells.value, 1)
    return table.problem._replace(cells=table.problem.cells._replace(cost=cost))


def flat(side: int, ways: int, share: float) -> Callable[[], Problem]:
    return lambda: generated([tree(side)] * ways, share)


NARROW = [tree(3, 3), tree(2, 2), tree(2, 2)]
EXAMPLE = "sumit_problem.jj"  # in the folder of public data, where there is one
CHECKED = 50_000  # cells of tables whose certificate is checked, too
CASES_OF: dict[str, tuple[Callable[[], Problem], float]] = {
    EXAMPLE: (lambda: read_problem(FOLDER / EXAMPLE).problem, 10.0),
    "two-way 100 x 100, 1 %": (flat(100, 2, 0.01), 10.0),
    "two-way 200 x 200, 2 %": (flat(200, 2, 0.02), 20.0),
    "two-way 300 x 300, 0.3 %": (flat(300, 2, 0.003), 40.0),
    "hierarchical two-way, 1600 cells": (lambda: generated([tree(3, 3, 3)] * 2, 0.1), 5.0),
    "hierarchical two-way, 7225 cells": (lambda: generated([tree(4, 4, 4)] * 2, 0.05), 60.0),
    "hierarchical three-way, 2600 cells": (lambda: generated([tree(3, 3, 3), tree(3, 3), tree(4)], 0.05), 60.0),
    "four linked two-way tables": (linked, 60.0),
    "hierarchical 13 x 7 x 7, the smallest leaves": (lambda: generated(NARROW, 0.35), 120.0),
    **{
        f"hierarchical 13 x 7 x 7, 8 %, leaves at random, cost {cost}": (partial(leaves, NARROW, 0.08, cost), 120.0)
        for cost in ("values", "cells", "logs")
    },
    "hierarchical 13 x 7 x 7, 8 % at random": (lambda: anywhere(NARROW, 0.08), 120.0),
    "three-way 8 x 8 x 8, 5 %": (flat(8, 3, 0.05), 60.0),
    "three-way 10 x 10 x 10, 5 %": (flat(10, 3, 0.05), 120.0),
}


def rows(names: Sequence[str]) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    _row("small", flat(4, 2, 0.2)(), 10.0)
    for name in names:
        if name == EXAMPLE and not (FOLDER / EXAMPLE).exists():
            continue
        make, limit = CASES_OF[name]
        found.append(_row(name, make(), limit))
    return found


def _row(name: str, problem: Problem, limit: float) -> tuple[object, ...]:
    """The search, and the check of pattern and certificate in whole numbers where the table has not too many cells."""
    cells = problem.cells
    begin = time.process_time()
    result = suppress(problem, requirements_of(problem), CpuDeadline(limit), Reporter(None))
    seconds = time.process_time() - begin
    assert isinstance(result, Suppression)
    gap = 100 * (1 - result.lower_bound / max(result.cost, 1))
    told = name, cells.n, int((cells.status == PRIMARY).sum()), result.cost, result.lower_bound, gap, result.status
    if cells.n > CHECKED:
        return (*told, seconds, "-")
    witnesses = protects(problem, result.hidden).witnesses
    status = np.where(result.hidden & (cells.status != PRIMARY), SECONDARY, cells.status).astype(np.int8)
    pattern = problem._replace(cells=cells._replace(status=status))
    begin = time.process_time()
    verdict = verify_pattern(problem, pattern, certificate=result.certificate, witnesses=witnesses)
    assert verdict.safe
    return (*told, seconds, time.process_time() - begin)


CHAINED = {
    "three-way 10 x 10 x 10, 5 %": ([tree(10)] * 3, 0.05, 0.0),
    "hierarchical three-way, 51,376 cells": ([tree(3, 4, 3), tree(3, 4, 3), tree(3, 5)], 0.013, 0.0),
    "hierarchical three-way, 955,060 cells": ([tree(4, 4, 4), tree(5, 4, 4), tree(5, 4, 4)], 0.008, 0.0),
    "the same, half the sensitive cells known to a respondent each": (
        [tree(4, 4, 4), tree(5, 4, 4), tree(5, 4, 4)],
        0.008,
        0.5,
    ),
}


def chained() -> list[tuple[object, ...]]:
    """Patterns of chains, and their audit by the chains' own witnesses."""
    found: list[tuple[object, ...]] = []
    small = generated([tree(3), tree(3)], 0.2)
    suppress_large(small, Grid((tree(3), tree(3)), np.arange(16)), [], CpuDeadline(60.0), Reporter(None))
    protects(small, small.cells.hidden)
    for name, (trees, share, known) in CHAINED.items():
        problem = generated(trees, share)
        sensitive = np.flatnonzero(problem.cells.status == PRIMARY)
        own = sensitive[np.random.default_rng(0).random(sensitive.size) < known]
        attackers = [np.array([cell]) for cell in own]
        grid = Grid(tuple(trees), np.arange(problem.cells.n))
        begin = time.process_time()
        result, witnesses = suppress_large(problem, grid, attackers, CpuDeadline(600.0), Reporter(None))
        seconds = time.process_time() - begin
        assert isinstance(result, Suppression)
        moves = [(w.cell, move) for w in witnesses for move in (w.rise, w.fall) if move is not None]
        begin = time.process_time()
        checked = protects(problem, result.hidden, known=attackers, moves=moves)
        audit = time.process_time() - begin
        secondary = int(result.hidden.sum()) - sensitive.size
        unmet = len(checked.exposed) + len(checked.undecided)
        found.append((name, sensitive.size, len(attackers), secondary, result.cost, seconds, audit, unmet))
    return found


CHAIN_COLUMNS = (
    "table",
    "sensitive",
    "attackers",
    "hidden beside",
    "cost",
    "CPU seconds",
    "audit, CPU seconds",
    "levels not shown",
)
COLUMNS = (
    "table",
    "cells",
    "sensitive",
    "cost",
    "proven bound",
    "gap %",
    "status",
    "CPU seconds",
    "check, CPU seconds",
)
SHORT = [name for name in CASES_OF if CASES_OF[name][1] <= 10]
CASES = {
    "suppression": Case("Suppression: proven optimal in seconds", COLUMNS, lambda: rows(SHORT)),
    "suppression-large": Case(
        "Suppression: large and hard tables",
        COLUMNS,
        lambda: rows([name for name in CASES_OF if name not in SHORT]),
        short=False,
    ),
    "suppression-chains": Case("Suppression: a million cells by chains", CHAIN_COLUMNS, chained, short=False),
}
