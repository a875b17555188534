"""Large tables: the pattern of chains as a suppression, and the exact search for what chains leave.

Sensitive cells that neither chains nor neighborhoods protect are given to the search over the whole table, alone: it
protects them, whatever else is hidden, or says which relations make that impossible. Hiding more never exposes a cell,
so that both patterns together protect all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.tabular.problem import PRIMARY, Ints, Problem
from discreet.tabular.relations import Grid
from discreet.tabular.suppress.chains.lattice import lattice_of
from discreet.tabular.suppress.chains.pattern import chain_pattern
from discreet.tabular.suppress.chains.witnesses import Witness
from discreet.tabular.suppress.conflict import Conflict
from discreet.tabular.suppress.requirements import Requirements, requirements_of
from discreet.tabular.suppress.search import Suppression, suppress
from discreet.work import Deadline, Reporter


def suppress_large(
    problem: Problem,
    grid: Grid | None,
    attackers: Sequence[Ints],
    deadline: Deadline,
    reporter: Reporter,
    *,
    seed: int = 0,
) -> tuple[Suppression | Conflict | None, list[Witness]]:
    """A pattern without a bound and its witnesses; or what makes every pattern impossible; None: time ran out."""
    lattice = None if grid is None else lattice_of(grid, problem.relations)
    found = chain_pattern(problem, lattice, attackers, deadline, reporter, seed=seed)
    hidden = found.hidden
    if found.missing:
        rest = suppress(problem, _needs(problem, found.missing), deadline, reporter, seed=seed)
        if not isinstance(rest, Suppression):
            return rest, []
        hidden = hidden | rest.hidden
    cells = problem.cells
    cost = int(cells.cost[hidden & (cells.status != PRIMARY)].sum())
    return Suppression(hidden, cost, 0, "heuristic", None), found.witnesses


def _needs(problem: Problem, missing: list[tuple[int, Ints]]) -> Requirements:
    """The requirements of these cells alone, each against the attacker it is missing for."""
    known = [own.tolist() for _, own in missing if own.size]
    every = requirements_of(problem, known)
    number = iter(range(1, len(known) + 1))
    pairs = {(p, next(number) if own.size else 0) for p, own in missing}
    asked = [r for r, pair in enumerate(zip(every.cell.tolist(), every.attacker.tolist())) if pair in pairs]
    return every.part(np.array(asked, np.int64))
