"""Release, refuse, simulate or tell in part: a pure function of what has been decided, the policy and the request.

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

With otherwise = "suppress" or "round" a part of a refused margin may be told (`offers/offer.py`), by the same rule. R
is then more than margins: parts that were told are boxes around counts, and every later decision has them as public.
In mode "exact" the audit of tables with totals judges in that case (`additive.py`), which knows boxes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Final, Literal

import numpy as np

from discreet.release import engine
from discreet.release.additive import Public, keeps_rule
from discreet.release.engine import Carried, Ints, Table
from discreet.release.frontier import Frontier, axes_of
from discreet.release.lookalikes import agreeing, groups_of, margins_of, some_unsafe
from discreet.release.offers.offer import enough_tables, find_offer
from discreet.release.offers.partial import KINDS, Partial
from discreet.release.policy import Policy
from discreet.release.unresolved import Attempt, Unresolved, next_limit, still_open, tried, waits
from discreet.work import Deadline, ProgressCallback, WorkLimit

Reply = Literal["release", "refuse", "simulate", "suppress", "round"]
RELEASE: Final = "release"
REFUSE: Final = "refuse"
SIMULATE: Final = "simulate"
SUPPRESS: Final = "suppress"
ROUND: Final = "round"

# For the custodian's eyes: in mode "exact" grounds depend on the data.
Ground = Literal["contained", "frontier", "safe", "danger", "few tables", "unresolved"]
CONTAINED: Final = "contained"
FRONTIER: Final = "frontier"
SAFE: Final = "safe"
DANGER: Final = "danger"
FEW_TABLES: Final = "few tables"
UNRESOLVED: Final = "unresolved"
# Not decided here: it was told before a restore (`running/hold.py`).
TOLD_BEFORE: Final = "told before"


@dataclass(frozen=True)
class Situation:
    """The secret table, what is settled about its margins, bounds carried from earlier decisions, and open questions.

    `moment` is when it is asked. A custodian may name the `limit` of a decision, in seconds; it is then made at once.
    `beside` are parts of its margins that are known because other editions told the same of theirs.
    """

    table: Table
    frontier: Frontier = field(default_factory=Frontier)
    carried: Carried = field(default_factory=dict)
    unresolved: Unresolved = field(default_factory=dict)
    moment: float = field(default_factory=time.time)
    limit: float | None = None
    beside: tuple[Partial, ...] = ()

    @cached_property
    def counts(self) -> Ints:
        return self.table.dense().reshape(-1)

    @property
    def partials(self) -> tuple[Partial, ...]:
        """Every part of a margin that is known."""
        return self.frontier.partials + self.beside

    def public(self, released: Sequence[int]) -> Public:
        """The table with these margins public, and all parts that are known."""
        return Public(self.counts, self.table.shape, released, self.partials)

    def seconds(self, policy: Policy, margin: int) -> float:
        """What this decision may take: in mode "simulatable" nominally, since work is counted there."""
        return next_limit(self.unresolved, margin, policy.time_limit) if self.limit is None else self.limit


@dataclass(frozen=True)
class Decision:
    """An answer, its ground, and the state after it. `evidence` holds figures for the ledger.

    `attempt` is what an unresolved decision leaves; it is missing where an earlier one is repeated. `partial` is what
    is told of a refused margin; it is `new` where that, or that there is nothing to tell, was settled now.
    """

    answer: Reply
    ground: Ground
    frontier: Frontier
    carried: Carried | None = None
    evidence: Mapping[str, int | float | str] = field(default_factory=dict)
    total_released: bool = False
    unresolved: Unresolved = field(default_factory=dict)
    attempt: Attempt | None = None
    partial: Partial | None = None
    new: bool = False

    @property
    def changes(self) -> bool:
        settled = self.ground in (SAFE, DANGER, FEW_TABLES)
        return settled or self.new or self.total_released or self.attempt is not None


def sensitive_cells(counts: Ints, c: int) -> Ints:
    """Flat positions of the cells with a count of 1 … c."""
    return np.flatnonzero((counts >= 1) & (counts <= c))


def decide(state: Situation, policy: Policy, margin: int, progress: ProgressCallback | None = None) -> Decision:
    """Answer the request for `margin` (a bit mask of variables)."""
    frontier = state.frontier
    if frontier.covers(margin):
        return Decision(RELEASE, CONTAINED, frontier, unresolved=state.unresolved)
    if frontier.forbids(margin):
        refusal = Decision(REFUSE, FRONTIER, frontier, unresolved=state.unresolved)
        known = frontier.part(margin)
        if known is not None:  # told before: there is nothing to decide
            return replace(refusal, answer=known.kind, ground=CONTAINED, partial=known)
        return _instead(state, policy, margin, refusal)
    if state.limit is None and waits(state.unresolved, margin, state.moment):
        refusal = Decision(REFUSE, UNRESOLVED, frontier, unresolved=state.unresolved)
        return _instead(state, policy, margin, refusal)
    judged = _judge(state, policy, margin, progress)
    if judged.answer == RELEASE:
        return judged
    return _instead(state, policy, margin, judged)


def review(state: Situation, policy: Policy) -> Ground:
    """Whether the true table keeps the rule by what is public already; nothing is asked."""
    return _exactly(state, policy, None, Deadline(policy.time_limit), None)[0]


def leave_open(state: Situation, policy: Policy, margin: int, evidence: Mapping[str, int | float | str]) -> Decision:
    """One more try in vain."""
    return _refuse(state, policy, margin, UNRESOLVED, evidence)


def cut_off(state: Situation, policy: Policy, margin: int) -> Decision | None:
    """The decision where `decide` was ended from outside at its time limit; None where that must not be told.

    In mode "simulatable" an answer must not depend on how busy a machine is: nothing is written down, and whoever
    asked has to come back.
    """
    if policy.mode == "simulatable":
        return None
    made = _refuse(state, policy, margin, UNRESOLVED, {"method": "cut off"})
    return made if not state.frontier.released else _instead(state, policy, margin, made)


def _judge(state: Situation, policy: Policy, margin: int, progress: ProgressCallback | None) -> Decision:
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
    state: Situation, policy: Policy, margin: int, ground: Ground, evidence: Mapping[str, int | float | str]
) -> Decision:
    if ground == UNRESOLVED:
        left = tried(state.unresolved, margin, state.moment, state.seconds(policy, margin))
        return Decision(REFUSE, ground, state.frontier, None, evidence, unresolved=left, attempt=left[margin])
    after = state.frontier.refuse(margin)
    return Decision(REFUSE, ground, after, None, evidence, unresolved=still_open(state.unresolved, after))


def _instead(state: Situation, policy: Policy, margin: int, refusal: Decision) -> Decision:
    """What follows a refusal: nothing more, a part of the margin, or a synthetic answer."""
    known = refusal.frontier.part(margin)
    if known is not None:  # refused again, after refusals were forgotten
        return replace(refusal, answer=known.kind, partial=known)
    if policy.otherwise in KINDS and refusal.ground != UNRESOLVED and margin not in refusal.frontier.bare:
        return _in_part(state, policy, margin, refusal)
    return _synthetic(state, policy, refusal) if policy.otherwise == SIMULATE else refusal


def _in_part(state: Situation, policy: Policy, margin: int, refusal: Decision) -> Decision:
    """The part that may be told, if there is one."""
    partial, settled = find_offer(state.public(refusal.frontier.released), policy, margin, policy.time_limit)
    if partial is None:
        return replace(refusal, frontier=refusal.frontier.leave_bare(margin), new=True) if settled else refusal
    forget = policy.mode == "simulatable"
    after = refusal.frontier.tell(partial, forget_refusals=forget)
    left = {} if forget else refusal.unresolved
    return replace(refusal, answer=partial.kind, frontier=after, unresolved=left, partial=partial, new=True)


def _synthetic(state: Situation, policy: Policy, refusal: Decision) -> Decision:
    """A synthetic table must have a total.

    Where nothing is public yet, the total itself goes through the rule first, and is released along with the synthetic
    answer; if it may not be released, neither is the answer.
    """
    if refusal.frontier.released:
        return replace(refusal, answer=SIMULATE)
    total = _judge(replace(state, frontier=refusal.frontier, carried={}, unresolved={}), policy, 0, None)
    if total.answer != RELEASE:
        return refusal
    after = replace(total.frontier, refused=refusal.frontier.refused, bare=refusal.frontier.bare)
    return replace(refusal, answer=SIMULATE, frontier=after, carried=total.carried, total_released=True)


def _exactly(
    state: Situation, policy: Policy, margin: int | None, deadline: Deadline, progress: ProgressCallback | None
) -> tuple[Ground, dict[str, int | float | str], Carried | None]:
    if state.partials:
        return _beside_parts(state, policy, margin, deadline)
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


def _beside_parts(
    state: Situation, policy: Policy, margin: int | None, deadline: Deadline
) -> tuple[Ground, dict[str, int | float | str], Carried | None]:
    """The same where parts of margins are public; bounds and witnesses carried on are of whole margins, and lapse."""
    public = state.public(state.frontier.with_request(margin))
    evidence: dict[str, int | float | str] = {
        "sensitive": int(sensitive_cells(state.counts, policy.c).size),
        "method": "audit with parts of margins",
    }
    kept = keeps_rule(public, policy.c, policy.w, deadline)
    if not kept:
        return (UNRESOLVED if kept is None else DANGER), evidence, None
    if policy.min_tables > 1:
        enough = enough_tables(public, policy.min_tables, deadline)
        if enough is not True:
            return (FEW_TABLES if enough is False else UNRESOLVED), evidence, None
    return SAFE, evidence, {}


def _whatever_the_table(
    state: Situation, policy: Policy, margin: int, deadline: Deadline
) -> tuple[Ground, dict[str, int | float | str]]:
    """Whether the request is safe for every table with the released margins. Looks at nothing else of the table."""
    shape, released = state.table.shape, state.frontier.released
    covered = margin
    for mask in (*released, *(partial.mask for partial in state.partials)):
        covered |= mask
    loose = any(size > 1 and not covered >> axis & 1 for axis, size in enumerate(shape))
    if policy.min_tables == 1 and (policy.c == 0 or (policy.w == 1 and loose)):
        return SAFE, {"method": "form"}
    if not released:
        return DANGER, {"method": "form"}
    public = state.table.margins([[state.table.names[a] for a in axes_of(mask)] for mask in released])
    tables = engine.tables_with(public)
    if tables is not None:
        tables = agreeing(tables, state.public(released), state.partials)
        unsafe = some_unsafe(tables, groups_of(margins_of(tables, shape, margin)), policy)
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
