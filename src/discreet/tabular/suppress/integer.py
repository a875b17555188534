"""An integer program over the pool of rows: its cheapest choice is checked, cut off and repaired, again and again.

A float's word: it closes a gap to the solver's tolerance and finds patterns; the tree proves.
"""

from __future__ import annotations

from discreet.solvers.pool_mip import solve_pool
from discreet.tabular.suppress.attack import check
from discreet.tabular.suppress.repair import Repaired
from discreet.tabular.suppress.separation import FINE, add_unmet, separate
from discreet.tabular.suppress.state import State


def close_pool(state: State) -> None:
    """Go on until the cheapest choice protects, nothing is cheaper than the incumbent, or time is over."""
    master, model = state.master, state.model
    while not state.deadline.passed and not state.closed:
        if state.best is not None:
            solution = master.solve()
            state.raise_bound(solution.value)
            master.fix(solution, state.cost)
        matrix, right = master.matrix()
        found = solve_pool(
            model.cost[master.cells],
            matrix,
            right,
            cutoff=state.cost - 0.5 - model.constant,
            stop=lambda: state.deadline.passed,
        )
        if found.x is None:
            state.raise_bound(state.cost - model.constant if found.closed else found.bound)
            return
        state.raise_bound(found.bound)
        x = master.spread(found.x)
        hidden = x > 0.5
        checked = check(model, hidden, state.own)
        state.report("integer program")
        if not checked.unmet:
            state.offer(Repaired(hidden, model.cost_of(hidden), checked.support))
            continue
        added = add_unmet(master, checked.unmet, x)
        added += separate(master, x, state.hard, FINE, state.deadline).added
        state.repair(hidden, 0.5 * state.x)
        if not added:
            return
