"""Table bounds, counting and simulation: what a set of released margins says about the table behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import exp
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.instruments.synthetic import seed_of, simulate, whole_with_table
from discreet.instruments.table_bounds import SHARPNESS, Bounds
from discreet.methods import Wanted
from discreet.tables.bounds.risk import RiskPolicy
from discreet.tables.draw.counting import WORK_LIMIT
from discreet.tables.draw.counting import count_tables as count_in_room
from discreet.tables.methods import METHODS, REGISTRY, Call, Problem
from discreet.tables.table import DENSE_LIMIT, LARGEST, Margins, Table, total_of
from discreet.tables.theory.agreement import check_agreement, reduced_margins
from discreet.tables.theory.lattice import lattice_of
from discreet.tables.theory.loglinear import deviance, fit_margins
from discreet.work import Deadline, ProgressCallback, Reporter, with_bar

Method = Literal["auto", "exact", "frechet", "reducible", "shuttle", "shuttle-lines", "buzzigoli-giusti", "lp"]

__all__ = ["METHODS", "CountedTables", "LogLinear", "bounds", "count_tables", "loglinear", "simulate"]


@with_bar
def bounds(
    margins: Margins,
    *,
    method: Method = "auto",
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
    integer_solver: bool = True,
    also: Table | Margins | None = None,
    previous: Bounds | None = None,
    policy: RiskPolicy | Mapping[str, Any] | None = None,
) -> Bounds:
    """The least and greatest count of every cell over all tables with these margins: the intruder's view.

    Parameters
    ----------
    margins : what is released, from `Table.margins(...)` or `Margins.from_tables(...)`. The table itself is not used.
    method : one of `discreet.instruments.tables.METHODS`; "auto" proves every side or says that it is open.
    time_limit : seconds, after which sides may be left open.
    progress : called with `discreet.work.Progress`.
    integer_solver : whether OR-Tools may be asked, where it is installed.
    policy : which cells count as exposed: counts from 1 to c whose bounds are closer than w, {"c": 2, "w": 3} unless
        given. Only margins are looked at here; `Bounds.under(policy, table)` looks at the true counts.
    also, previous : further margins, and bounds of `margins` to start from (what `Bounds.update` passes).
    """
    faults, rules = Faults(), RiskPolicy.of(policy)
    options = {} if integer_solver is True else {"integer_solver": integer_solver}
    REGISTRY.check(faults, Wanted(method, None, time_limit, None, options))
    if faults.check(
        isinstance(margins, Margins), "give the released margins, as in table.margins([('A', 'B'), ('B', 'C')])"
    ):
        _check_margins(faults, margins)
    faults.raise_if_any()
    if previous is not None and not _continues(margins, previous.margins):
        raise InputError("the previous bounds are of other margins than these: start from bounds of some of them")
    for margin in _tables(also):
        margins = margins.add(margin)
    problem = Problem(margins, None if previous is None else previous.solution)
    call = Call(problem=problem, deadline=Deadline(time_limit), report=Reporter(progress), options=options)
    found = REGISTRY.run(method, call)
    cells = found.answer
    return Bounds(
        margins=margins,
        lower=cells.lower,
        upper=cells.upper,
        lower_sharp=cells.lower_sharp,
        upper_sharp=cells.upper_sharp,
        inner_lower=cells.inner_lower,
        inner_upper=cells.inner_upper,
        method=found.method,
        status=SHARPNESS[found.status],
        seconds=call.deadline.elapsed,
        reasons=() if found.status == "optimal" else cells.reasons,
        work={name: int(count) for name, count in found.detail.items()},
        tree=cells.tree,
        solution=found.proof,
        policy=rules,
    )


def _check_margins(faults: Faults, margins: Margins) -> None:
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


@with_bar
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
