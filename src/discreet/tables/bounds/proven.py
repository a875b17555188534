"""Methods whose bounds come with tables that attain them: the engine of `solve.py`, asked in four ways."""

from __future__ import annotations

from discreet.errors import InputError
from discreet.methods import Status
from discreet.tables.bounds.one_atom import Effort
from discreet.tables.bounds.whole_table import solve
from discreet.tables.methods import Call, Cells, Outcome
from discreet.tables.theory.graph import Decomposition, decompose


def run_auto(call: Call) -> Outcome:
    return _solved(call, "auto", None)


def run_exact(call: Call) -> Outcome:
    return _solved(call, "exact", _tree(call), whole=True)


def run_frechet(call: Call) -> Outcome:
    """The margins of a decomposable model: nothing is left to the engine but the closed form."""
    tree = _tree(call)
    if not tree.decomposable:
        raise InputError(
            "the margins are not those of a decomposable model, so Fréchet bounds would not be sharp: "
            "use 'auto' (explain() says which case applies)"
        )
    return _solved(call, "frechet", tree)


def run_reducible(call: Call) -> Outcome:
    tree = _tree(call)
    if not tree.reducible:
        raise InputError("no released margin separates the independence graph: use 'auto' or 'exact'")
    return _solved(call, "reducible", tree)


def _tree(call: Call) -> Decomposition:
    margins = call.problem.margins
    return decompose(len(margins.names), margins.values)


def _solved(call: Call, method: str, tree: Decomposition | None, *, whole: bool = False) -> Outcome:
    solution = solve(
        call.problem.margins,
        deadline=call.deadline,
        reporter=call.report,
        effort=Effort(integer=call.options.get("integer_solver", True)),
        previous=call.problem.previous,
        whole=whole,
    )
    cells = Cells(
        solution.lower,
        solution.upper,
        solution.lower_sharp,
        solution.upper_sharp,
        solution.inner_lower,
        solution.inner_upper,
        tree or solution.tree,
        solution.reasons,
    )
    status: Status = "optimal" if cells.sharp else "time limit" if solution.timed_out else "complete"
    return Outcome(cells, method, status, solution.work, solution)
