"""Table bounds, counting and simulation: what a set of released margins says about the table behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InfeasibleError, InputError
from discreet.instruments.table_bounds import Bounds
from discreet.tables import named
from discreet.tables.counting import WORK_LIMIT, Enumeration
from discreet.tables.counting import count_tables as count_in_room
from discreet.tables.exact import Effort
from discreet.tables.feasibility import check_agreement, raise_infeasible, reduced_margins
from discreet.tables.frechet import decomposable_bounds, join_tables
from discreet.tables.graph import decompose
from discreet.tables.lattice import lattice_of
from discreet.tables.loglinear import deviance, fit_margins
from discreet.tables.sampling import OutOfTimeError, Walk, default_steps, match_persons
from discreet.tables.solve import Part, first_parts, solve
from discreet.tables.state import State
from discreet.tables.table import DENSE_LIMIT, Margins, Table
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
DISTRIBUTIONS = ("uniform", "loglinear")
WALK_LIMIT = 1 << 16


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
        found = named.linear(shape, values, deadline, reporter)
    elif method == "shuttle":
        found = named.shuttle(shape, values)
    elif method == "shuttle-lines":
        found = named.shuttle_lines(shape, values)
    else:
        found = named.buzzigoli_giusti(shape, values)
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
    state = _whole_state(margins, deadline, reporter)
    found = count_in_room(state, deadline=deadline, reporter=reporter, seed=_seed(random_state), limit=work_limit)
    log10_error = found.log_error / np.log(10)
    error = found.value * (exp(found.log_error) - 1) if found.log_error < 50 else float("inf")
    value = int(found.value) if found.exact else found.value
    return CountedTables(found.exact, value, error, found.log10, log10_error, deadline.elapsed, margins)


def simulate(
    margins: Margins,
    *,
    random_state: int | None = None,
    distribution: str = "uniform",
    size: int | None = None,
    steps: int | None = None,
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
) -> Any:
    """A random table with these margins, or a list of `size` of them.

    `distribution` is "uniform" over all such tables, or "loglinear": by the conditional law of a log-linear model
    given its sufficient statistics, ∝ Π 1/n!. `steps` of the walk lie between tables (where a walk is needed). A walk
    that is cut short has not the law it should have: where `time_limit` does not suffice, that is an error.
    """
    faults = Faults()
    faults.check(
        distribution in DISTRIBUTIONS,
        f"unknown distribution {distribution!r}: choose one of {', '.join(DISTRIBUTIONS)}",
    )
    faults.check(size is None or size >= 1, "size must be 1 or more")
    faults.check(steps is None or steps >= 1, "steps must be 1 or more")
    faults.raise_if_any()
    draw = _Draw(Deadline(time_limit), Reporter(progress), _seed(random_state), size or 1, steps)
    try:
        drawn = draw.uniform(margins) if distribution == "uniform" else draw.by_model(margins)
    except OutOfTimeError:
        more = " or ask for fewer tables" if draw.wanted > 1 else ""
        raise InputError(
            f"{draw.done} of {draw.wanted} tables were drawn within the time limit: allow more time{more}"
        ) from None
    return drawn[0] if size is None else drawn


@dataclass
class _Draw:
    """One call of `simulate`."""

    deadline: Deadline
    report: Reporter
    seed: int
    wanted: int
    steps: int | None
    done: int = 0

    def uniform(self, margins: Margins) -> list[Table]:
        state = _whole_state(margins, self.deadline, self.report)
        rng = np.random.default_rng(self.seed)
        search = Enumeration(state.lattice, state.right_side, state.lower, state.upper)
        total = search.count(20_000_000)
        if total is not None:
            numbers = rng.integers(0, total, self.wanted)
            order = np.argsort(numbers, kind="stable")
            tables = np.empty((self.wanted, state.lattice.size), np.int64)
            tables[order] = search.tables(numbers[order])
        else:
            walk, thin = self._walk(state, self.seed, factorial=False)
            tables = np.array([self._next(walk, thin) for _ in range(self.wanted)])
        return [Table(margins.names, margins.categories, x.reshape(margins.shape)) for x in tables]

    def by_model(self, margins: Margins) -> list[Table]:
        parts, tree = _first_parts(margins, self.deadline, self.report)
        rng = np.random.default_rng(self.seed)
        walks: dict[int, tuple[Walk, int]] = {}
        for j, part in enumerate(parts):
            if part.state is not None:
                walks[j] = self._walk(part.state, int(rng.integers(1 << 62)), factorial=True)
        drawn = []
        for _ in range(self.wanted):
            tables = []
            for j, part in enumerate(parts):
                if part.counts is not None:
                    tables.append(part.counts)
                else:
                    walk, thin = walks[j]
                    tables.append(walk.sample(thin).reshape(part.state.lattice.shape))  # type: ignore[union-attr]
            cells, counts = match_persons(margins.shape, tree, tables, rng)
            drawn.append(Table.from_coordinates(cells, counts, margins.names, margins.categories))
            self.done += 1
        return drawn

    def _walk(self, state: State, seed: int, *, factorial: bool) -> tuple[Walk, int]:
        """A walk that has left its start, and the steps between tables."""
        walk = Walk(
            state.lattice,
            state.pool[0],
            state.lower,
            state.upper,
            seed,
            factorial=factorial,
            deadline=self.deadline,
            beat=lambda: self.report("walking", self.done / self.wanted),
        )
        thin = self.steps or default_steps(walk.moves)
        walk.settle(5 * thin)
        return walk, thin

    def _next(self, walk: Walk, thin: int) -> NDArray[np.int64]:
        table = walk.sample(thin)
        self.done += 1
        return table


def _first_parts(margins: Margins, deadline: Deadline, reporter: Reporter) -> tuple[tuple[Part, ...], Any]:
    parts, tree = first_parts(margins, deadline, reporter)
    if any(part.state is not None and not part.state.feasible for part in parts):
        raise InfeasibleError("no table with these margins was found within the time limit: allow more time")
    return parts, tree


def _whole_state(margins: Margins, deadline: Deadline, reporter: Reporter) -> State:
    """The lattice of the whole table with its bounds by shuttle and a first table."""
    if margins.size > WALK_LIMIT:
        raise InputError(
            f"the table has {margins.size} cells, more than the {WALK_LIMIT} that can be walked or counted: "
            "simulate with distribution='loglinear', or take fewer variables"
        )
    parts, tree = _first_parts(margins, deadline, reporter)
    values = reduced_margins(margins)
    lattice = lattice_of(margins.shape, tuple(values))
    state = State(lattice, {g: values[g] for g in lattice.generators})
    state.shuttle()
    tables = [
        part.counts if part.counts is not None else part.state.pool[0].reshape(part.state.lattice.shape)  # type: ignore[union-attr]
        for part in parts
    ]
    cell = [0] * len(margins.shape)
    if not state.admit(join_tables(margins.shape, tree, tables, cell, 1).reshape(-1)):
        raise AssertionError("joined tables must have the margins")
    return state


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


def _seed(random_state: int | None) -> int:
    if random_state is None:
        return 0
    if not isinstance(random_state, int | np.integer) or random_state < 0:
        raise InputError("random_state must be a whole number, 0 or more")
    return int(random_state)
