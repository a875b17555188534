"""Table bounds, counting and simulation: what a set of released margins says about the table behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.instruments.synthetic import seed_of, simulate, whole_with_table
from discreet.instruments.table_bounds import Bounds
from discreet.tables.bounds.feasibility import raise_infeasible
from discreet.tables.bounds.one_atom import Effort
from discreet.tables.bounds.whole_table import solve
from discreet.tables.draw.counting import WORK_LIMIT
from discreet.tables.draw.counting import count_tables as count_in_room
from discreet.tables.outer.buzzigoli_giusti import buzzigoli_giusti
from discreet.tables.outer.linear_program import linear
from discreet.tables.outer.shuttle import shuttle, shuttle_lines
from discreet.tables.table import DENSE_LIMIT, LARGEST, Margins, Table, total_of
from discreet.tables.theory.agreement import check_agreement, reduced_margins
from discreet.tables.theory.frechet_theorem_1 import decomposable_bounds
from discreet.tables.theory.graph import decompose
from discreet.tables.theory.lattice import lattice_of
from discreet.tables.theory.loglinear import deviance, fit_margins
from discreet.work import Deadline, ProgressCallback, Reporter

METHODS = {
    "auto": "splits the table at released separators and bounds each part exactly, with witnesses",
    "exact": "the same engine on the whole table, without the theorems",
    "frechet": "closed form for decomposable margins (Theorem 1)",
    "reducible": "exact components, combined by Theorem 2; needs a graph that falls apart",
    "shuttle": "generalized shuttle over all dichotomous collapses; outer bounds",
    "shuttle-lines": "generalized shuttle over single categories and totals; outer bounds",
    "buzzigoli-giusti": "the original shuttle between cells and margins; outer bounds",
    "lp": "linear program; outer bounds, fractions shown",
}

__all__ = ["METHODS", "CountedTables", "LogLinear", "bounds", "count_tables", "loglinear", "simulate"]


def bounds(
    margins: Margins,
    *,
    method: str = "auto",
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
    integer_solver: bool = True,
    also: Table | Margins | None = None,
    previous: Bounds | None = None,
) -> Bounds:
    """The least and greatest count of every cell over all tables with these margins: the intruder's view.

    Parameters
    ----------
    margins : what is released, from `Table.margins(...)` or `Margins.from_tables(...)`. The table itself is not used.
    method : one of `discreet.instruments.tables.METHODS`; "auto" proves every side or says that it is open.
    time_limit : seconds, after which sides may be left open.
    progress : called with `discreet.work.Progress`.
    integer_solver : whether OR-Tools may be asked, where it is installed.
    also, previous : further margins, and bounds of `margins` to start from (what `Bounds.update` passes).
    """
    faults = Faults()
    if method not in METHODS:
        faults.add(f"unknown method {method!r}: choose one of {', '.join(METHODS)}")
    faults.check(
        isinstance(margins, Margins), "give the released margins, as in table.margins([('A', 'B'), ('B', 'C')])"
    )
    if isinstance(margins, Margins):
        faults.check(
            margins.size <= DENSE_LIMIT,
            f"the table has {margins.size} cells, more than {DENSE_LIMIT}: bound a table of fewer variables",
        )
        faults.check(bool(margins.values), "no margin is given: release at least one")
        faults.check(
            all(
                counts.dtype.kind == "i" and counts.min(initial=0) >= 0 and total_of(counts) <= LARGEST
                for counts in margins.values.values()
            ),
            "a margin must hold counts: whole numbers, 0 or more, that sum to at most 2^62",
        )
    faults.raise_if_any()
    deadline, reporter = Deadline(time_limit), Reporter(progress)
    if previous is not None and not _continues(margins, previous.margins):
        raise InputError("the previous bounds are of other margins than these: start from bounds of some of them")
    for margin in _tables(also):
        margins = margins.add(margin)
    if method in ("auto", "exact", "reducible", "frechet"):
        return _proven(margins, method, deadline, reporter, Effort(integer=integer_solver), previous)
    return _outer(margins, method, deadline, reporter)


def _continues(margins: Margins, before: Margins) -> bool:
    """Whether all that was released before is released now, with the same counts."""
    if margins is before:
        return True
    same = margins.names == before.names and margins.categories == before.categories
    return same and all(
        axes in margins.values and np.array_equal(margins.values[axes], values)
        for axes, values in before.values.items()
    )


def _tables(also: Table | Margins | None) -> Iterable[Table]:
    if also is None:
        return []
    return [also] if isinstance(also, Table) else [also.margin(release) for release in also.releases]


def _proven(
    margins: Margins,
    method: str,
    deadline: Deadline,
    reporter: Reporter,
    effort: Effort,
    previous: Bounds | None,
) -> Bounds:
    tree = None if method == "auto" else decompose(len(margins.names), margins.values)
    if method == "frechet" and tree is not None and not tree.decomposable:
        raise InputError(
            "the margins are not those of a decomposable model, so Fréchet bounds would not be sharp: "
            "use 'auto' (explain() says which case applies)"
        )
    if method == "reducible" and tree is not None and not tree.reducible:
        raise InputError("no released margin separates the independence graph: use 'auto' or 'exact'")
    before = previous.solution if previous is not None else None
    solution = solve(
        margins, deadline=deadline, reporter=reporter, effort=effort, previous=before, whole=method == "exact"
    )
    complete = bool(solution.lower_sharp.all() and solution.upper_sharp.all())
    return Bounds(
        margins=margins,
        lower=solution.lower,
        upper=solution.upper,
        lower_sharp=solution.lower_sharp,
        upper_sharp=solution.upper_sharp,
        inner_lower=solution.inner_lower,
        inner_upper=solution.inner_upper,
        method=method,
        status="sharp" if complete else "time limit" if solution.timed_out else "open",
        seconds=deadline.elapsed,
        reasons=() if complete else solution.reasons,
        work=solution.work,
        tree=tree or solution.tree,
        solution=solution,
    )


def _outer(margins: Margins, method: str, deadline: Deadline, reporter: Reporter) -> Bounds:
    check_agreement(margins)
    values = reduced_margins(margins)
    shape, tree = margins.shape, decompose(len(margins.names), values)
    found: Any
    if method == "lp":
        found = linear(shape, values, deadline, reporter)
    elif method == "shuttle":
        found = shuttle(shape, values)
    elif method == "shuttle-lines":
        found = shuttle_lines(shape, values)
    else:
        found = buzzigoli_giusti(shape, values)
    if found is None:
        raise_infeasible(margins, tuple(range(len(shape))), values, proven="real")
    assert found is not None
    lower, upper = found[0], found[1]
    lower_sharp, upper_sharp = (lower == upper), (lower == upper)
    if method == "lp":
        lower_sharp, upper_sharp = lower_sharp | found[2], upper_sharp | found[3]
    elif tree.decomposable:
        closed = decomposable_bounds(shape, tree, values)
        lower_sharp, upper_sharp = lower == closed[0], upper == closed[1]
    elif method != "buzzigoli-giusti" and _one_degree_of_freedom(margins, values):
        lower_sharp = upper_sharp = np.ones(shape, np.bool_)
    complete = bool(lower_sharp.all() and upper_sharp.all())
    nothing = np.full(shape, margins.total + 1), np.full(shape, -1)
    return Bounds(
        margins=margins,
        lower=lower,
        upper=upper,
        lower_sharp=lower_sharp,
        upper_sharp=upper_sharp,
        inner_lower=np.where(lower_sharp, lower, nothing[0]),
        inner_upper=np.where(upper_sharp, upper, nothing[1]),
        method=method,
        status="sharp" if complete else "time limit" if deadline.passed else "open",
        seconds=deadline.elapsed,
        reasons=() if complete else (f"the method {method!r} bounds from outside only",),
        work={},
        tree=tree,
    )


def _one_degree_of_freedom(margins: Margins, values: Mapping[Any, Any]) -> bool:
    """Dichotomous with all (k−1)-way margins: one cell determines all, and the shuttle is sharp (seed, section 4)."""
    k = len(margins.names)
    return all(size == 2 for size in margins.shape) and len(values) == k and all(len(axes) == k - 1 for axes in values)


@dataclass(frozen=True)
class CountedTables:
    """How many tables have the margins: exact, or an estimate with its standard error.

    `standard_error` is of the estimate itself; `log10` and `log10_error` are for numbers beyond floats.
    """

    exact: bool
    value: int | float
    standard_error: float
    log10: float
    log10_error: float
    seconds: float
    margins: Margins = field(repr=False)

    def summary(self) -> str:
        if self.exact:
            return f"{self.value} tables have these margins (counted)"
        error = f"standard error {self.log10_error:.2g} in the exponent"
        return f"about 10^{self.log10:.3g} tables have these margins (estimated, {error})"

    def __str__(self) -> str:
        return self.summary()

    def to_dict(self) -> dict[str, Any]:
        return {
            "exact": self.exact,
            "value": self.value if self.exact or np.isfinite(self.value) else None,
            "standard_error": self.standard_error if np.isfinite(self.standard_error) else None,
            "log10": self.log10,
            "log10_error": self.log10_error if np.isfinite(self.log10_error) else None,
            "seconds": self.seconds,
        }


def count_tables(
    margins: Margins,
    *,
    time_limit: float | None = None,
    random_state: int | None = None,
    work_limit: int = WORK_LIMIT,
    progress: ProgressCallback | None = None,
) -> CountedTables:
    """The number of non-negative integer tables with these margins: exact where enumeration is feasible.

    `work_limit` bounds the enumeration; beyond it the number is estimated by uniform walks, with `random_state`.
    """
    deadline, reporter = Deadline(time_limit), Reporter(progress)
    state = whole_with_table(margins, deadline, reporter)
    found = count_in_room(state, deadline=deadline, reporter=reporter, seed=seed_of(random_state), limit=work_limit)
    log10_error = found.log_error / np.log(10)
    error = found.value * (exp(found.log_error) - 1) if found.log_error < 50 else float("inf")
    value = int(found.value) if found.exact else found.value
    return CountedTables(found.exact, value, error, found.log10, log10_error, deadline.elapsed, margins)


@dataclass(frozen=True)
class LogLinear:
    """A fitted log-linear model: expected counts, and the fit to a table where one was given."""

    expected: NDArray[np.float64] = field(repr=False)
    degrees_of_freedom: int
    deviance: float | None
    closed_form: bool
    iterations: int
    margins: Margins = field(repr=False)

    def summary(self) -> str:
        how = "closed form" if self.closed_form else f"{self.iterations} rounds of proportional fitting"
        fit = "" if self.deviance is None else f", deviance {self.deviance:.4f}"
        return f"Log-linear model with {self.degrees_of_freedom} degrees of freedom{fit} ({how})"

    def __str__(self) -> str:
        return self.summary()


def loglinear(
    data: Table | Margins, releases: Iterable[Iterable[str]] | None = None, *, tolerance: float = 1e-8
) -> LogLinear:
    """Fit the log-linear model whose sufficient statistics are these margins.

    `data` is a table with `releases`, which also gives the deviance, or margins alone.
    """
    if isinstance(data, Table):
        if releases is None:
            raise InputError("say which margins the model fits, as in loglinear(table, [('A', 'B'), ('B', 'C')])")
        margins = data.margins(releases)
    else:
        if releases is not None:
            raise InputError("margins are the model already: leave out the releases")
        margins = data
    check_agreement(margins)
    values = reduced_margins(margins)
    if margins.size > DENSE_LIMIT:
        raise InputError(f"the table has {margins.size} cells, more than {DENSE_LIMIT}: take fewer variables")
    fit = fit_margins(margins.shape, values, tolerance=tolerance)
    lattice = lattice_of(margins.shape, tuple(values))
    gap = deviance(data.dense(), fit.expected) if isinstance(data, Table) else None
    return LogLinear(fit.expected, lattice.degrees_of_freedom, gap, fit.closed_form, fit.iterations, margins)
