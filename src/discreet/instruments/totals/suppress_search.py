"""The search behind `suppress`: a pattern that the audit confirms, against every attacker that was stated.

The search itself works in floats and knows attackers who know cells; the audit decides. Where it refuses a pattern by a
hair, levels are asked for a little more; where a holding undoes a neighbor, the search is told of that holding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from discreet.errors import InfeasibleError, InputError, UnsafeReleaseError
from discreet.instruments.totals.suppress_large import EXACT, LARGE, UNCONFIRMED, Flags, large_pattern
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.audit import Intervals, holder_attacks, protects
from discreet.tabular.holder import Holder
from discreet.tabular.suppress import Conflict, Suppression, requirements_of
from discreet.tabular.suppress import suppress as search
from discreet.work import Deadline, Reporter

_AGAIN = 3  # times that levels are asked for a little more, where the audit refuses a pattern by a hair
_HOLDER_TURNS = 8  # times that the search is told of holders against whom its pattern failed
_SIDES = {1: "above", -1: "below", 0: "sliding"}


def protecting_pattern(
    table: AdditiveTable,
    known: list[list[int]],
    holders: Sequence[Holder],
    deadline: Deadline,
    reporter: Reporter,
    seed: int,
) -> tuple[Suppression, Intervals]:
    """A pattern that the audit confirms against holders too, who know their parts of several cells.

    The search is told of holders once a pattern has failed against them: what it proves of patterns that protect
    against some holds for those that protect against all. It goes on from the pattern that failed: what little is
    missing there is found even when hardly any time is left.
    """
    asked: dict[int, Holder] = {}
    start: Flags | None = None
    for turn in range(_HOLDER_TURNS):
        share = 1 - 0.5 ** (turn + 1)
        end = deadline.until(share) if holders else deadline
        found, intervals = _search(table, known, asked, end, reporter, seed, start)
        start = found.hidden
        attacks, witnesses = holder_attacks(table.problem, found.hidden, intervals, holders)
        if not attacks:
            return found, intervals._replace(witnesses=(*intervals.witnesses, *witnesses))
        asked |= {number: holders[number] for number, _ in attacks}
    raise UnsafeReleaseError(UNCONFIRMED)


def _search(
    table: AdditiveTable,
    known: list[list[int]],
    holders: Mapping[int, Holder],
    deadline: Deadline,
    reporter: Reporter,
    seed: int,
    start: Flags | None = None,
) -> tuple[Suppression, Intervals]:
    """A pattern that the audit confirms: by chains where the table is large, and by the exact search where it can.

    Between the two sizes chains give the first pattern, if there is a time limit, and the search a better one.
    """
    n = table.problem.cells.n
    if n <= LARGE or (n <= EXACT and deadline.limit is None):
        return _exact(table, known, holders, deadline, reporter, seed, start)
    # Chains know attackers who know whole cells: a holder is taken for one, which asks for more than is needed.
    attackers = [np.array(own, np.int64) for own in known] + [holder.cell for holder in holders.values()]
    first = large_pattern(table, attackers, deadline, reporter, seed)
    if isinstance(first, Conflict):
        raise InfeasibleError(_told(table, first))
    if n > EXACT or deadline.passed:
        return first
    try:
        found, intervals = _exact(table, known, holders, deadline, reporter, seed, first[0].hidden)
    except (InputError, UnsafeReleaseError):
        return first
    return (found, intervals) if found.cost < first[0].cost else first


def _exact(
    table: AdditiveTable,
    known: list[list[int]],
    holders: Mapping[int, Holder],
    deadline: Deadline,
    reporter: Reporter,
    seed: int,
    start: Flags | None = None,
) -> tuple[Suppression, Intervals]:
    """The exact search. Where floats were off by a hair, levels are asked for a little more."""
    problem = table.problem
    first: Suppression | None = None
    needs = requirements_of(problem, known, holders)
    for _ in range(_AGAIN):
        found = search(problem, needs, deadline, reporter, seed=seed, start=start)
        if isinstance(found, Conflict):
            raise InfeasibleError(_told(table, found))
        if found is None:
            raise InputError("the time limit passed before a first pattern was found: allow more seconds")
        attackers = tuple(np.array(own, np.int64) for own in known)
        intervals = protects(problem, found.hidden, known=attackers)
        short = [*intervals.exposed, *intervals.undecided]
        if not short:
            if first is None:
                return found, intervals
            bound = min(first.lower_bound, found.cost)
            status = "time limit" if found.cost > bound else first.status
            return found._replace(lower_bound=bound, status=status, certificate=None), intervals
        first = first or found
        missed = np.isin(needs.cell, [each.cell for each in short])
        needs = needs._replace(need=np.where(missed, needs.need + 1 + needs.need // 10**6, needs.need))
    raise UnsafeReleaseError(UNCONFIRMED)


def _told(table: AdditiveTable, conflict: Conflict) -> str:
    """The smallest conflict in words."""
    relations = [table.relation_name(r) for r in conflict.relations[:5].tolist()]
    more = "" if conflict.relations.size <= 5 else f" and {conflict.relations.size - 5} more"
    who = "" if not conflict.attacker else " against a respondent who knows a cell of his own"
    others = "" if conflict.unmet == 1 else f"; {conflict.unmet} levels are out of reach in all"
    return (
        f"{table.name(conflict.cell)} cannot be protected ({_SIDES[conflict.side]}){who}, even if every cell that may "
        f"be hidden is: see {', '.join(relations)}{more}{others}. Let more cells there be hidden, or lower the level"
    )
