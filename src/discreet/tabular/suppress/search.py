"""The search for the cheapest pattern: routes, cutting planes, and a tree that proves.

1. Route and prune from the cells that must be hidden: a first pattern.
2. Linear master program and separation, with fixing against the incumbent; patterns are repaired from its solutions.
3. A tree whose leaves are proven in whole numbers.

Nothing but the deadline looks at a clock: the same problem and seed give the same pattern.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.certificate import Status, certificate_of
from discreet.tabular.suppress.conflict import Conflict, conflict_of
from discreet.tabular.suppress.model import Flags
from discreet.tabular.suppress.requirements import Requirements
from discreet.tabular.suppress.root import cut_root
from discreet.tabular.suppress.state import State
from discreet.tabular.suppress.tree import Tree
from discreet.work import Deadline, Reporter


class Suppression(NamedTuple):
    """A pattern that protects (by the linear programs' word: the audit decides), its cost and a bound that is proven.

    `status` is "optimal" where every leaf of the tree is proven in whole numbers, "closed" where bound and cost meet to
    the solver's tolerance, "time limit" where a gap is left, and "heuristic" where no bound was looked for.
    """

    hidden: Flags
    cost: int
    lower_bound: int
    status: Status
    certificate: dict[str, Any] | None


def suppress(
    problem: Problem,
    requirements: Requirements,
    deadline: Deadline,
    reporter: Reporter,
    *,
    seed: int = 0,
    start: Flags | None = None,
) -> Suppression | Conflict | None:
    """The cheapest pattern, or what makes every pattern impossible; None where time ran out before the first one.

    `start` is a pattern to begin with; without one the cells that must be hidden are.
    """
    state = State(problem, requirements, deadline, reporter)
    if state.hard.size:
        state.repair(state.model.forced if start is None else start)
        if state.best is None:
            conflict = conflict_of(state)
            if conflict is not None:
                return conflict
            if state.best is None:
                return None
        cut_root(state)
    else:
        state.keep_forced()
    tree = Tree(state, seed)
    tree.grow()
    assert state.best is not None
    status: Status = "optimal" if tree.complete else "closed" if state.closed else "time limit"
    bound = min(tree.proven() + state.model.constant, state.best.cost)
    certificate = certificate_of(state, tree, status, bound)
    return Suppression(state.best.hidden, state.best.cost, bound, status, certificate)
