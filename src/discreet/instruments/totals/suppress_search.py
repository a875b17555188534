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
from discreet.tabular.audit.levels import ABOVE, BELOW
from discreet.tabular.holder import Holder
from discreet.tabular.problem import PRIMARY, Ints, Problem
from discreet.tabular.suppress import Conflict, Suppression, requirements_of
from discreet.tabular.suppress import suppress as search
from discreet.tabular.suppress.whole import Missing, whole_moves
from discreet.work import Deadline, Reporter

_AGAIN = 3  # times that levels are asked for a little more, where the audit refuses a pattern by a hair
_HOLDER_TURNS = 8  # times that the search is told of holders against whom its pattern failed
_SIDES = {1: "above", -1: "below", 0: "sliding"}
_ENDS = {ABOVE: 1, BELOW: -1}
_PATIENCE = 60.0  # seconds for moves of whole numbers, where there is a time limit
_PRIMARIES = 1000  # sensitive cells above which chains give the first pattern of smaller tables, too
_QUESTIONS = 10_000  # sensitive cells times respondents of whom the search is told from the first


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
    # Likewise of many respondents who know cells: there would be more questions than cells.
    many = len(known) * int((table.problem.cells.status == PRIMARY).sum()) > _QUESTIONS
    told = [] if many else known
    for turn in range(_HOLDER_TURNS):
        share = 1 - 0.5 ** (turn + 1)
        end = deadline.until(share) if holders else deadline
        found, intervals = _search(table, told, asked, end, reporter, seed, start, known if many else ())
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
    untold: Sequence[list[int]] = (),
) -> tuple[Suppression, Intervals]:
    """A pattern that the audit confirms: by chains where the table is large, and by the exact search where it can.

    Between the two sizes chains give the first pattern, if there is a time limit, and the search a better one.
    """
    n, primaries = table.problem.cells.n, int((table.problem.cells.status == PRIMARY).sum())
    if (n <= LARGE and primaries <= _PRIMARIES) or (n <= EXACT and deadline.limit is None):
        return _exact(table, known, holders, deadline, reporter, seed, start, untold)
    # Chains know attackers who know whole cells: a holder is taken for one, which asks for more than is needed.
    attackers = [np.array(own, np.int64) for own in (*known, *untold)] + [holder.cell for holder in holders.values()]
    first = large_pattern(table, attackers, deadline, reporter, seed)
    if isinstance(first, Conflict):
        raise InfeasibleError(_told(table, first))
    if n > EXACT or deadline.passed:
        return first
    needs = requirements_of(table.problem, known, holders)
    found = search(table.problem, needs, deadline, reporter, seed=seed, start=first[0].hidden)
    if not isinstance(found, Suppression):
        return first
    if np.array_equal(found.hidden, first[0].hidden):
        return found, first[1]
    bound = found.lower_bound
    if found.cost <= first[0].cost:
        exact = [(witness.cell, witness.change) for witness in first[1].witnesses if witness.denominator == 1]
        cells = tuple(np.array(own, np.int64) for own in (*known, *untold))
        end = _patience(deadline)
        found, intervals = _in_whole_numbers(table.problem, found, cells, end, moves=exact, audited=end)
        if not intervals.exposed and not intervals.undecided and found.cost <= first[0].cost:
            return found, intervals
    cost = first[0].cost
    return first[0]._replace(lower_bound=min(bound, cost), status="closed" if bound >= cost else "time limit"), first[1]


def _exact(
    table: AdditiveTable,
    known: list[list[int]],
    holders: Mapping[int, Holder],
    deadline: Deadline,
    reporter: Reporter,
    seed: int,
    start: Flags | None = None,
    untold: Sequence[list[int]] = (),
) -> tuple[Suppression, Intervals]:
    """The exact search.

    Where fractions protect and whole numbers do not, or an attacker whom the search was not told of sees through the
    pattern, a little more is hidden; where floats were off by a hair, levels are asked for a little more.
    """
    problem = table.problem
    first: Suppression | None = None
    needs = requirements_of(problem, known, holders)
    attackers = tuple(np.array(own, np.int64) for own in (*known, *untold))
    for _ in range(_AGAIN):
        found = search(problem, needs, deadline, reporter, seed=seed, start=start)
        if isinstance(found, Conflict):
            if first is not None:  # of levels that nobody asked for
                break
            raise InfeasibleError(_told(table, found))
        if found is None:
            raise InputError("the time limit passed before a first pattern was found: allow more seconds")
        found, intervals = _in_whole_numbers(problem, found, attackers, _patience(deadline))
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


def _in_whole_numbers(
    problem: Problem,
    found: Suppression,
    attackers: Sequence[Ints],
    end: Deadline,
    *,
    moves: Sequence[tuple[Ints, Ints]] = (),
    audited: Deadline | None = None,
) -> tuple[Suppression, Intervals]:
    """The pattern and its audit; with more cells hidden where levels are reached by fractions only."""
    intervals = protects(problem, found.hidden, known=attackers, moves=moves, deadline=audited)
    for _ in range(_AGAIN):
        missing = _missing(intervals)
        more = whole_moves(problem, found.hidden, missing, end) if missing else None
        if not more:
            break
        moves = [*moves, *more]
        hidden = found.hidden.copy()
        hidden[np.concatenate([cells for cells, _ in more])] = True
        if (hidden != found.hidden).any():
            cost = int(problem.cells.cost[hidden & (problem.cells.status != PRIMARY)].sum())
            status = "time limit" if cost > found.lower_bound else found.status
            found = found._replace(hidden=hidden, cost=cost, status=status, certificate=None)
        intervals = protects(problem, found.hidden, known=attackers, moves=moves, deadline=audited)
    return found, intervals


def _patience(deadline: Deadline) -> Deadline:
    """The time for completing a pattern: without a time limit no clock decides what comes out."""
    return Deadline(None if deadline.limit is None else _PATIENCE)


def _missing(intervals: Intervals) -> list[Missing]:
    """What the audit could not show of levels above and below; nothing where a width is missing, too."""
    asked = [(np.zeros(0, np.int64), each) for each in intervals.shortfalls]
    asked += [(attack.known, each) for attack in intervals.attacks for each in attack.shortfalls]
    if any(each.kind not in _ENDS for _, each in asked):
        return []
    return [Missing(each.cell, _ENDS[each.kind], each.needed, known) for known, each in asked]


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
