"""Release, refuse or simulate: a pure function of what has been decided, the policy and the request.

Let R be the released margins, q the request and S the cells with a true count of 1 … c.

Mode "exact". q may be released if, given R ∪ {q}, the sharp bounds of every cell of S are at least w apart and at least
`min_tables` tables remain. Three things settle that, cheapest first. Two *witness* tables with the released margins
whose counts in a cell differ by w prove that the cell is safe. *Outer* bounds closer than w prove that it is not. What
neither settles gets exact work. What is still unsettled at the time limit is not released: never on a guess. But it is
"unresolved", not refused for good: it closes no other margin and may be tried again (`unresolved.py`).
Refusals are monotone, since what is public only grows; so the refused frontier stands.

Mode "simulatable". q may be released if it could be released, by the same rule, for *every* table that has the
margins R: the answer is a function of R and the policy, which are public. With nothing released any table whatever is
possible, and the answer is a matter of form: the table that is 1 in one cell keeps that cell within [0, 1], so w ≥ 2
refuses everything. With w = 1 everything is safe that leaves some variable out of all margins: a person can always be
moved along it. Otherwise the tables with the margins R are enumerated where they are few. Where they are many, q is
safe if no cell can be sensitive at all, unsafe if some table has a sensitive person alone in a requested count, and
else unresolved. Limits are counted in work here, not in seconds, so that tables that look alike get the same outcome
whatever the machine is busy with. A later release may turn a refusal into a release, so refusals are forgotten when R
grows.

A contained request is answered from R at once, one that contains a refused margin is refused at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Final, Literal

import numpy as np

from discreet.release import engine
from discreet.release.engine import Carried, Ints, Table
from discreet.release.frontier import Frontier, axes_of
from discreet.release.policy import Policy
from discreet.release.unresolved import Attempt, Unresolved, next_limit, still_open, tried, waits
from discreet.work import Deadline, ProgressCallback, WorkLimit

Reply = Literal["release", "refuse", "simulate"]
RELEASE: Final = "release"
REFUSE: Final = "refuse"
SIMULATE: Final = "simulate"

# For the custodian's eyes: in mode "exact" grounds depend on the data.
Ground = Literal["contained", "frontier", "safe", "danger", "few tables", "unresolved"]
CONTAINED: Final = "contained"
FRONTIER: Final = "frontier"
SAFE: Final = "safe"
DANGER: Final = "danger"
FEW_TABLES: Final = "few tables"
UNRESOLVED: Final = "unresolved"


@dataclass(frozen=True)
class State:
    """The secret table, what is settled about its margins, bounds carried from earlier decisions, and open questions.

    `moment` is when it is asked. A custodian may name the `limit` of a decision, in seconds; it is then made at once.
    """

    table: Table
    frontier: Frontier = field(default_factory=Frontier)
    carried: Carried = field(default_factory=dict)
    unresolved: Unresolved = field(default_factory=dict)
    moment: float = field(default_factory=time.time)
    limit: float | None = None

    @cached_property
    def counts(self) -> Ints:
        return self.table.dense().reshape(-1)

    def seconds(self, policy: Policy, margin: int) -> float:
        """What this decision may take: in mode "simulatable" nominally, since work is counted there."""
        return next_limit(self.unresolved, margin, policy.time_limit) if self.limit is None else self.limit


@dataclass(frozen=True)
class Decision:
    """An answer, its ground, and the state after it. `evidence` holds figures for the ledger.

    `attempt` is what an unresolved decision leaves; it is missing where an earlier one is repeated.
    """

    answer: Reply
    ground: Ground
    frontier: Frontier
    carried: Carried | None = None
    evidence: Mapping[str, int | float | str] = field(default_factory=dict)
    total_released: bool = False
    unresolved: Unresolved = field(default_factory=dict)
    attempt: Attempt | None = None

    @property
    def changes(self) -> bool:
        return self.total_released or self.attempt is not None or self.ground in (SAFE, DANGER, FEW_TABLES)


def sensitive_cells(counts: Ints, c: int) -> Ints:
    """Flat positions of the cells with a count of 1 … c."""
    return np.flatnonzero((counts >= 1) & (counts <= c))


def decide(state: State, policy: Policy, margin: int, progress: ProgressCallback | None = None) -> Decision:
    """Answer the request for `margin` (a bit mask of variables)."""
    frontier = state.frontier
    if frontier.covers(margin):
        return Decision(RELEASE, CONTAINED, frontier, unresolved=state.unresolved)
    if frontier.forbids(margin):
        return _instead(state, policy, Decision(REFUSE, FRONTIER, frontier, unresolved=state.unresolved))
    if state.limit is None and waits(state.unresolved, margin, state.moment):
        return _instead(state, policy, Decision(REFUSE, UNRESOLVED, frontier, unresolved=state.unresolved))
    judged = _judge(state, policy, margin, progress)
    if judged.answer == RELEASE:
        return judged
    return _instead(state, policy, judged)


def leave_open(state: State, policy: Policy, margin: int, evidence: Mapping[str, int | float | str]) -> Decision:
    """One more try in vain."""
    return _refuse(state, policy, margin, UNRESOLVED, evidence)


def cut_off(state: State, policy: Policy, margin: int) -> Decision | None:
    """The decision where `decide` was ended from outside at its time limit; None where that must not be told.

    In mode "simulatable" an answer must not depend on how busy a machine is: nothing is written down, and whoever
    asked has to come back.
    """
    if policy.mode == "simulatable":
        return None
    made = _refuse(state, policy, margin, UNRESOLVED, {"method": "cut off"})
    return made if not state.frontier.released else _instead(state, policy, made)


def _judge(state: State, policy: Policy, margin: int, progress: ProgressCallback | None) -> Decision:
    carried: Carried | None = None
    seconds = state.seconds(policy, margin)
    if policy.mode == "exact":
        ground, evidence, carried = _exactly(state, policy, margin, Deadline(seconds), progress)
    else:
        ground, evidence = _whatever_the_table(state, policy, margin, WorkLimit(seconds))
    if ground != SAFE:
        return _refuse(state, policy, margin, ground, evidence)
    forget = policy.mode == "simulatable"
    after = state.frontier.release(margin, forget_refusals=forget)
    left = {} if forget else still_open(state.unresolved, after)
    return Decision(RELEASE, SAFE, after, carried, evidence, unresolved=left)


def _refuse(
    state: State, policy: Policy, margin: int, ground: Ground, evidence: Mapping[str, int | float | str]
) -> Decision:
    if ground == UNRESOLVED:
        left = tried(state.unresolved, margin, state.moment, state.seconds(policy, margin))
        return Decision(REFUSE, ground, state.frontier, None, evidence, unresolved=left, attempt=left[margin])
    after = state.frontier.refuse(margin)
    return Decision(REFUSE, ground, after, None, evidence, unresolved=still_open(state.unresolved, after))


def _instead(state: State, policy: Policy, refusal: Decision) -> Decision:
    """What follows a refusal: nothing more, or a synthetic answer.

    A synthetic table must have a total. Where nothing is public yet, the total itself goes through the rule first, and
    is released along with the synthetic answer; if it may not be released, neither is the answer.
    """
    if policy.otherwise != "simulate":
        return refusal
    if refusal.frontier.released:
        return replace(refusal, answer=SIMULATE)
    total = _judge(State(state.table, refusal.frontier), policy, 0, None)
    if total.answer != RELEASE:
        return refusal
    after = Frontier(total.frontier.released, refusal.frontier.refused)
    return replace(refusal, answer=SIMULATE, frontier=after, carried=total.carried, total_released=True)


def _exactly(
    state: State, policy: Policy, margin: int, deadline: Deadline, progress: ProgressCallback | None
) -> tuple[Ground, dict[str, int | float | str], Carried | None]:
    public = [axes_of(mask) for mask in state.frontier.with_request(margin)]
    cells = sensitive_cells(state.counts, policy.c)
    evidence: dict[str, int | float | str] = {"sensitive": int(cells.size)}
    verdicts = engine.judge_widths(state.table, public, cells, policy.w, state.carried, deadline, progress)
    means = verdicts.means if cells.size else "no sensitive cells"
    evidence |= {"method": means, "safe": int(verdicts.wide.sum()), "unsafe": int(verdicts.narrow.sum())}
    if verdicts.narrow.any():
        return DANGER, evidence, None
    if not verdicts.wide.all():
        return UNRESOLVED, evidence, None
    if policy.min_tables > 1:
        enough = engine.at_least(state.table, public, policy.min_tables, deadline)
        if enough is not True:
            return (FEW_TABLES if enough is False else UNRESOLVED), evidence, None
    return SAFE, evidence, verdicts.carried


def _whatever_the_table(
    state: State, policy: Policy, margin: int, deadline: Deadline
) -> tuple[Ground, dict[str, int | float | str]]:
    """Whether the request is safe for every table with the released margins. Looks at nothing else of the table."""
    shape, released = state.table.shape, state.frontier.released
    covered = margin
    for mask in released:
        covered |= mask
    loose = any(size > 1 and not covered >> axis & 1 for axis, size in enumerate(shape))
    if policy.min_tables == 1 and (policy.c == 0 or (policy.w == 1 and loose)):
        return SAFE, {"method": "form"}
    if not released:
        return DANGER, {"method": "form"}
    public = state.table.margins([[state.table.names[a] for a in axes_of(mask)] for mask in released])
    tables = engine.tables_with(public)
    if tables is not None:
        unsafe = _some_table_unsafe(tables, shape, margin, policy)
        return (DANGER if unsafe else SAFE), {"method": "enumeration", "tables": len(tables)}
    lower, upper = engine.outer_bounds(public)
    touchy = np.flatnonzero((upper >= 1) & (lower <= policy.c))
    if policy.min_tables == 1 and not touchy.size:
        return SAFE, {"method": "no cell can be sensitive"}
    if policy.w > 1 and engine.find_table(public, _lonely(shape, margin, policy, touchy), deadline) is not None:
        return DANGER, {"method": "search"}
    return UNRESOLVED, {"method": "search"}


def _lonely(shape: tuple[int, ...], margin: int, policy: Policy, cells: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Boxes of tables that are unsafe at sight: a sensitive cell below w, and nobody else in its requested count."""
    index = np.arange(prod(shape)).reshape(shape)
    for cell in cells:
        place = np.unravel_index(cell, shape)
        peers = index[tuple(i if margin >> a & 1 else slice(None) for a, i in enumerate(place))].reshape(-1)
        low, high = np.zeros(index.size, np.int64), np.full(index.size, np.iinfo(np.int64).max)
        high[peers] = 0
        low[cell], high[cell] = 1, min(policy.c, policy.w - 1)
        yield low, high


def _some_table_unsafe(tables: Ints, shape: tuple[int, ...], margin: int, policy: Policy) -> bool:
    """Whether the request would be unsafe for one of the tables: all that have the released margins, one per row.

    Tables with the same requested margin look alike once it is released, and the spread of a cell among those that
    look alike is its sharp width.
    """
    apart = tuple(axis + 1 for axis in range(len(shape)) if not margin >> axis & 1)
    asked = np.asarray(tables.reshape(-1, *shape).sum(axis=apart)).reshape(len(tables), -1)
    group = np.unique(asked, axis=0, return_inverse=True)[1].reshape(-1)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    if policy.min_tables > 1 and np.diff(starts, append=len(tables)).min() < policy.min_tables:
        return True
    ordered = tables[order]
    width = np.maximum.reduceat(ordered, starts) - np.minimum.reduceat(ordered, starts)
    sensitive = (ordered >= 1) & (ordered <= policy.c)
    return bool((sensitive & (width < policy.w)[group[order]]).any())
