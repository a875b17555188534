"""Which records each published row may stand for, and which of them it carries: what every guarantee comes down to.

A row of the release shows, for keys, numbers and the weight, something that depends on a *set* of records only: their
least box, their mean. Beside it stand the other columns of one record of the set, the row's *origin*.

- Matchings: every record is in exactly k sets, the sets split into k disjoint perfect matchings between rows and
  records, and one of these is drawn uniformly in each connected component. To whoever knows all but the draw, a record
  is at each of its k rows with probability 1/k.
- Classes: rows fall into classes of k or more that show the same set, the class itself; a record's row is one of them.

With households the sets are of households of one size, member for member, and whole households are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError
from discreet.generalization import domain as domains
from discreet.generalization.boxes import costs, gcp
from discreet.generalization.domain import Domain, Floats, Integers
from discreet.generalization.extraction import choose, components, peel, shuffled, stream
from discreet.generalization.methods import DIVERSE, REGISTRY, Call, Problem, check_means, check_order, search
from discreet.methods import Detail, Status, Wanted
from discreet.work import Deadline, Reporter

GUARANTEES = ("matchings", "classes")
PARTITIONS = ("auto", "mondrian")
"""Methods that make classes."""

PROOF_TOLERANCE = 1e-9
"""A loss this close to its lower bound, in relation to it, is the least."""


@dataclass(frozen=True, kw_only=True)
class Covering:
    """The set of every published row, before anything is drawn.

    `members[r, :size[r]]` are the records of row r's set; what follows in `members[r]` repeats the first of them, so
    that a box over the whole row of the matrix is the box of the set. `matchings[r, t]` is the record at row r in
    matching t; None for classes, where row r carries record `home[r]`. `unit[r]` numbers the household of row r, −1 for
    a row that belongs to none; without households every row is a unit. `lost` are the records that are not published.
    `loss` is the mean over rows and columns of NCP and of the share of variance (weights scaled to mean 1), `losses`
    the same by column; `lower_bound` is below what any release of this kind and guarantee can reach.
    """

    members: Integers = field(repr=False)
    size: Integers = field(repr=False)
    matchings: Integers | None = field(repr=False)
    home: Integers | None = field(repr=False)
    unit: Integers = field(repr=False)
    lost: Integers = field(repr=False)
    loss: float
    losses: Mapping[str, float]
    lower_bound: float | None
    method: str
    status: Status
    detail: Detail = field(repr=False)

    @property
    def rows(self) -> int:
        return self.members.shape[0]


@dataclass(frozen=True)
class Drawn:
    """`origin[r]`: the record whose other columns row r carries; `drawn[r]`: the matching (from 0; 0 for classes).

    `order` is the order in which rows are published: units are shuffled and stand together, their rows in random order.
    """

    origin: Integers = field(repr=False)
    drawn: Integers = field(repr=False)
    order: Integers = field(repr=False)


def cover(
    domain: Domain,
    k: int,
    *,
    guarantee: str = "matchings",
    values: Integers | None = None,
    l: int = 1,
    method: str = "auto",
    certify: bool = False,
    seed: int,
    deadline: Deadline,
    report: Reporter,
    executor: Executor | None = None,
    **options: Any,
) -> Covering:
    """The sets of all rows, by the named method; with `certify` a lower bound on their loss, too.

    `values` number what l distinct ones of are due in every set (−1: unknown, which counts for none).
    """
    wanted = Wanted(method, None, deadline.limit, executor, options)
    _check(domain, k, guarantee, l, wanted, certify)
    call = Call(
        problem=Problem(domain, k, values, l),
        deadline=deadline,
        report=report,
        seed=seed,
        executor=executor,
        options=options,
    )
    return _matchings(call, method, certify) if guarantee == "matchings" else _classes(call, method, certify)


def _check(domain: Domain, k: int, guarantee: str, l: int, wanted: Wanted, certify: bool) -> None:
    faults = Faults()
    faults.check(guarantee in GUARANTEES, f"guarantee must be one of {', '.join(GUARANTEES)}")
    faults.check(
        2 <= k <= domain.n, f"k = {k} must lie between 2 and the number of records ({domain.n}): choose another k"
    )
    faults.check(l <= k, f"l = {l} is larger than k = {k}: k records cannot carry more than k values")
    if guarantee == "classes":
        faults.check(
            wanted.method in PARTITIONS,
            f"method {wanted.method!r} makes no classes: use one of {', '.join(PARTITIONS)}",
        )
        faults.check(l == 1 or wanted.method == "auto", f"method {wanted.method!r} cannot keep to l: use auto")
        faults.check(not wanted.options, f"classes know no options: leave out {', '.join(wanted.options)}")
    elif REGISTRY.check(faults, wanted, certify=certify):
        check_order(faults, [a.name for a in domain.attributes], wanted.options)
        check_means(faults, wanted.method, domain)
        faults.check(l == 1 or wanted.method in DIVERSE, f"method {wanted.method!r} cannot keep to l: use auto")
    faults.raise_if_any()


def _matchings(call: Call, method: str, certify: bool) -> Covering:
    domain = call.problem.domain
    solution = search(method, call)
    call.report("draw", None)
    matchings = solution.matchings
    if matchings is None:
        matchings = peel(stream(call.seed, "matchings"), solution.matches)
    members, size = _sets(solution.covered)
    status, lower = solution.status, None
    if certify:
        lower = solution.gcp if status == "optimal" else _bound(call, solution.gcp, solution.prices)
    return Covering(
        members=members,
        size=size,
        matchings=np.ascontiguousarray(matchings.T),
        home=None,
        unit=np.arange(domain.n),
        lost=np.zeros(0, np.int64),
        loss=solution.gcp,
        losses=losses(domain, members),
        lower_bound=lower,
        method=solution.method,
        status=_status(status, solution.gcp, lower),
        detail=solution.detail,
    )


def _classes(call: Call, method: str, certify: bool) -> Covering:
    (domain, k, values, l, _), n = call.problem, call.problem.domain.n
    found: tuple[str, Status, Detail]
    if method == "mondrian":
        from discreet.generalization.baselines.mondrian import groups

        order, ends = groups(domain, k)
        labels = np.empty(n, np.int64)
        labels[order] = np.repeat(np.arange(ends.size - 1), np.diff(ends))
        found = ("mondrian", "complete", {"groups": ends.size - 1})
    else:
        from discreet.generalization.classes.partition import partition

        made = partition(
            domain,
            k,
            values=values,
            l=l,
            seed=call.seed,
            deadline=call.deadline,
            report=call.report,
            executor=call.executor,
        )
        labels, found = made.labels, (made.method, made.status, made.detail)
    members, size = class_sets(labels)
    loss = gcp(domain.tables, domain.codes, members)
    lower = _bound(call, loss, None) if certify else None
    return Covering(
        members=members,
        size=size,
        matchings=None,
        home=np.arange(n),
        unit=np.arange(n),
        lost=np.zeros(0, np.int64),
        loss=loss,
        losses=losses(domain, members),
        lower_bound=lower,
        method=found[0],
        status=_status(found[1], loss, lower),
        detail=found[2],
    )


def _bound(call: Call, loss: float, prices: Floats | None) -> float:
    from discreet.generalization.bound.lower_bound import lower_bound

    limit = None if call.deadline.limit is None else call.deadline.remaining
    return lower_bound(
        call.problem.domain,
        call.problem.k,
        loss,
        time_limit=limit,
        prices=prices,
        executor=call.executor,
        report=call.report,
    )[0]


def _status(status: Status, loss: float, lower: float | None) -> Status:
    return "optimal" if lower is not None and loss - lower <= PROOF_TOLERANCE * loss else status


def _sets(covered: Integers) -> tuple[Integers, Integers]:
    """The distinct records of every row in the order of their first place, the first repeated after them; how many."""
    by_id = np.argsort(covered, axis=1, kind="stable")
    ids = np.take_along_axis(covered, by_id, axis=1)
    repeated = np.zeros(covered.shape, bool)
    np.put_along_axis(repeated, by_id[:, 1:], ids[:, 1:] == ids[:, :-1], axis=1)
    size = covered.shape[1] - repeated.sum(axis=1)
    moved = np.take_along_axis(covered, np.argsort(repeated, axis=1, kind="stable"), axis=1)
    beyond = np.arange(covered.shape[1]) >= size[:, None]
    return np.ascontiguousarray(np.where(beyond, moved[:, :1], moved)[:, : size.max()]), size


def class_sets(labels: Integers) -> tuple[Integers, Integers]:
    """For classes by number: the members of each record's class, filled up with the first of them, and how many."""
    order = np.argsort(labels, kind="stable")
    _, first, which, count = np.unique(labels[order], return_index=True, return_inverse=True, return_counts=True)
    step = np.arange(count.max())
    members = np.empty((labels.size, step.size), np.int64)
    members[order] = order[first[which][:, None] + np.where(step < count[which][:, None], step, 0)]
    size = np.empty(labels.size, np.int64)
    size[order] = count[which]
    return members, size


def losses(domain: Domain, members: Integers) -> dict[str, float]:
    """Mean NCP of each column, or the share of its variance that is lost."""
    ncp = "share" if (domain.tables.base == 0).all() else "distinct"
    out = {}
    for attribute in domain.attributes:
        alone = domains.domain([attribute], ncp=ncp)
        out[attribute.name] = float(costs(alone.tables, alone.codes, members).mean())
    return out


def draw_rows(covering: Covering, seed: int | None, shuffle: bool = True) -> Drawn:
    """Draw the origin of every row and the order of rows, from the operating system's generator or from a seed.

    In each connected component of rows and records one matching is drawn uniformly; rows of one unit are in one
    component. Classes must be shuffled: in the order of the file a row would be next to its record.
    """
    s, rows = stream(seed), covering.rows
    if covering.matchings is None:
        if not shuffle:
            raise InputError("classes are published in random order: the order of the file would tell who is who")
        assert covering.home is not None
        origin, drawn = covering.home, np.zeros(rows, np.int64)
    else:
        origin = choose(s, np.ascontiguousarray(covering.matchings.T), _components(covering.matchings, covering.unit))
        drawn = np.argmax(covering.matchings == origin[:, None], axis=1)
    if not shuffle:
        return Drawn(origin, drawn, np.arange(rows))
    single = covering.unit < 0
    unit = np.where(single, covering.unit.max(initial=-1) + 1 + np.cumsum(single), covering.unit)
    which = np.unique(unit, return_inverse=True)[1]
    place, among = shuffled(s, int(which.max(initial=-1)) + 1), shuffled(s, rows)
    return Drawn(origin, drawn, np.lexsort((among, place[which])))


def _components(matchings: Integers, unit: Integers) -> Integers:
    """The component of each row, numbered by its least row: rows are joined by records and by units."""
    rows = matchings.shape[0]
    _, first, which = np.unique(unit, return_index=True, return_inverse=True)
    mate = np.where(unit < 0, np.arange(rows), first[which])
    # Nodes are the rows, then the records, each with those it is joined to.
    nodes = rows + int(matchings.max(initial=-1)) + 1
    joined = np.tile(np.arange(nodes)[:, None], (1, matchings.shape[1] + 1))
    joined[:rows, 0] = mate
    joined[:rows, 1:] = rows + matchings
    return components(joined)[:rows]
