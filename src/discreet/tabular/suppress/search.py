"""The search for the cheapest pattern: routes, cutting planes, and a tree that proves.

1. Route and prune from the cells that must be hidden: a first pattern.
2. Linear master program and separation, with fixing against the incumbent; patterns are repaired from its solutions.
3. A tree whose leaves are proven in whole numbers.

Nothing but the deadline looks at a clock: the same problem gives the same pattern.
"""

from __future__ import annotations

from typing import NamedTuple

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.model import Flags
from discreet.tabular.suppress.requirements import Requirements
from discreet.tabular.suppress.root import cut_root
from discreet.tabular.suppress.state import State
from discreet.tabular.suppress.tree import Tree
from discreet.work import Deadline, Reporter


class Suppression(NamedTuple):
    """A pattern that protects (by the linear programs' word: the audit decides), its cost and the bound.

    `status` is "optimal" where every leaf of the tree is proven, "closed" where bound and cost meet to the solver's
    tolerance, else "time limit".
    """

    hidden: Flags
    cost: int
    lower_bound: float
    status: str


def suppress(problem: Problem, requirements: Requirements, deadline: Deadline, reporter: Reporter) -> Suppression:
    state = State(problem, requirements, deadline, reporter)
    if not state.hard.size:
        constant = state.model.constant
        return Suppression(state.model.forced, constant, float(constant), "optimal")
    state.repair(state.model.forced)
    cut_root(state)
    if not state.closed:
        state.repair(state.model.forced, state.x)
    tree = Tree(state)
    tree.grow()
    assert state.best is not None
    status = "optimal" if tree.complete else "closed" if state.closed else "time limit"
    return Suppression(state.best.hidden, state.best.cost, min(state.bound, state.cost), status)
