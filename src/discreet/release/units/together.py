"""Decisions on tables about the same people: what one has released counts in the others.

Let the tables T_1 … T_n be about the same people, T_i over the variables V_i, and let R_i be released of T_i. All are
margins of one table over all variables, which nobody has. Let W_i be the variables that the *others* have released
anything about. A decision on T_i takes as public, beside R_i, the margin of T_i over V_i ∩ W_i.

That is safe: let t be any table over V_i with the margins R_i and that one. It agrees on V_i ∩ W_i with the true table
over W_i, and two tables that agree where their variables meet are margins of a third (cell by cell of the shared
variables, a transportation problem, which whole numbers solve). In that one everything released of the others is true.
So whoever knows all R_1 … R_n cannot exclude t, and the bounds of the cells of T_i are at least as wide as those
that the decision looks at. With R_i alone it would not be safe, and neither with the margins over V_i ∩ r for r of R_j:
[BC] and [CD] of one table may fix [BD] of another.

A release of T_i makes W_j larger for the others: it is made only if every T_j, too, stays safe by its own rule.

The people need not be the same to the last: who belongs to T_j is one more variable of the others. The cells of each
table stay protected, but not those of the difference of two tables, which is a table of its own (and which a variable
that says who belongs to it would make one).

Editions are tables over the same variables about mostly the same people at another time. Whoever takes nothing to have
changed reads one edition's margins as those of the others; so a decision takes as public, beside R_i, the margins over
the same variables as R_j, and the parts of margins that were told of T_j as parts of its own. What changed between two
editions, and for whom, is not judged.

A part of a margin of T_i counts in the decisions on other tables as if the margin were released: whoever has a part
knows no more than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import Connection

from discreet.errors import Faults
from discreet.release.decision import (
    DANGER,
    REFUSE,
    RELEASE,
    SAFE,
    SIMULATE,
    UNRESOLVED,
    Decision,
    Situation,
    leave_open,
)
from discreet.release.engine import Ints, Table
from discreet.release.frontier import Frontier, axes_of, mask_of
from discreet.release.history import store
from discreet.release.history.store import StoredDataset, StoredState
from discreet.release.judging import Judge
from discreet.release.offers.partial import KINDS, Partial
from discreet.release.open_dataset import OpenDataset
from discreet.release.policy import Policy
from discreet.release.units.relatives import Relative, find_relatives
from discreet.release.unresolved import still_open, waits

if TYPE_CHECKING:
    from discreet.release.service import Service

CANNOT_SIMULATE = (
    'mode "simulatable" looks at what this table has released alone, and cannot take other tables about the same '
    'people into account: use mode "exact", or give no population and no predecessor'
)


@dataclass(frozen=True)
class Known:
    """A table as a decision sees it: its variables, and what is released of it, whole and in part."""

    table: Table
    frontier: Frontier
    edition: bool

    def margins(self) -> list[frozenset[str]]:
        """Variables of what is told. Parts of an edition's margins are known as parts (`parts_beside`)."""
        parts = () if self.edition else tuple(partial.mask for partial in self.frontier.partials)
        masks = (*self.frontier.released, *parts)
        return [frozenset(self.table.names[a] for a in axes_of(mask)) for mask in masks]


@dataclass(frozen=True)
class _Harmed:
    """A table that a release would make unsafe; or that it may, where that is not `settled`."""

    table: str
    settled: bool


def learned(names: Sequence[str], others: Iterable[Known]) -> list[int]:
    """The margins of a table over `names` that count as public because of what others have released."""
    axis = {name: a for a, name in enumerate(names)}
    told: set[str] = set()
    found = []
    for other in others:
        margins = other.margins()
        if other.edition:
            found += [mask_of(axis[n] for n in margin if n in axis) for margin in margins]
        else:
            told |= {name for margin in margins for name in margin}
            if margins:
                found.append(0)  # they know how many there are
    shared = mask_of(axis[name] for name in told if name in axis)
    return [*found, *([shared] if shared else [])]


def parts_beside(table: Table, others: Iterable[Known]) -> tuple[Partial, ...]:
    """The parts of a table's margins that are known because other editions have told the same of theirs."""
    return tuple(
        _as_part_of(table, other.table, partial)
        for other in others
        if other.edition
        for partial in other.frontier.partials
    )


def _as_part_of(table: Table, other: Table, partial: Partial) -> Partial:
    """The same part, in the places of a table with the same variables and categories in another order."""
    theirs = [other.names[a] for a in axes_of(partial.mask)]
    mask = mask_of(table.axes(theirs))
    own = [table.names[a] for a in axes_of(mask)]
    shape = [len(_levels(other, name)) for name in theirs]
    hidden = partial.flags(int(np.prod(shape, dtype=np.int64))).reshape(shape)
    hidden = hidden.transpose([theirs.index(name) for name in own])
    for axis, name in enumerate(own):
        place = {str(level): i for i, level in enumerate(other.categories[other.names.index(name)])}
        levels = table.categories[table.names.index(name)]
        hidden = hidden.take([place[str(level)] for level in levels], axis=axis)
    return replace(partial, mask=mask, hidden=tuple(np.flatnonzero(hidden).tolist()))


def public_frontier(frontier: Frontier, extra: Iterable[int]) -> Frontier:
    for mask in extra:
        frontier = frontier.release(mask)
    return frontier


def decide_together(
    service: Service, opened: OpenDataset, state: StoredState, asked: Situation, mask: int, judge: Judge
) -> Decision:
    """The decision on one table, in the light of all tables about the same people."""
    policy = opened.policy_of(state)
    relatives = _relatives(service, opened.stored)
    if not relatives or state.frontier.covers(mask):
        return judge.decide(asked, policy, mask)
    # Never a synthetic answer from here: along with one the total would be released unseen by others.
    rule = policy if policy.otherwise in KINDS else policy.refusing()
    early = asked.limit is None and waits(asked.unresolved, mask, asked.moment)
    known = _known(service, relatives)
    extra = learned(opened.table.names, known)
    told = public_frontier(state.frontier, extra)
    seen = replace(asked, frontier=told, beside=parts_beside(opened.table, known))
    settled = early or state.frontier.forbids(mask)
    judged = judge.decide(asked if settled and rule.otherwise == REFUSE else seen, rule, mask)
    if settled and judged.answer == RELEASE:  # others have told it, but here it was refused, and stays so
        judged = judge.decide(asked, policy.refusing(), mask)
    if judged.answer == RELEASE:
        harmed = _harmed(service, opened, state.frontier, state.frontier.release(mask), relatives, judge)
        if harmed is None:
            ground = judged.ground if judged.changes else SAFE
            return _kept_open(asked, replace(judged, ground=ground, frontier=state.frontier.release(mask)))
        evidence = {"method": "another table about the same people", "table": harmed.table}
        if harmed.settled:
            judged = Decision(REFUSE, DANGER, state.frontier.refuse(mask), None, evidence)
        else:
            judged = leave_open(asked, policy, mask, evidence)
    if judged.new and judged.partial is not None:
        after = state.frontier.refuse(mask).tell(judged.partial)
        if _harmed(service, opened, state.frontier, after, relatives, judge) is None:
            return _kept_open(asked, replace(judged, frontier=after))
        judged = replace(judged, answer=REFUSE, partial=None, new=False)
    own = replace(state.frontier, refused=judged.frontier.refused)
    refusal = _kept_open(asked, replace(judged, frontier=own.leave_bare(mask) if judged.new else own))
    if policy.otherwise == "simulate" and state.frontier.released:
        return replace(refusal, answer=SIMULATE)
    return refusal


def _kept_open(asked: Situation, decision: Decision) -> Decision:
    """What others have released of a margin does not settle the open question about it here."""
    questions = {**asked.unresolved, **decision.unresolved}
    return replace(decision, unresolved=still_open(questions, decision.frontier))


def _harmed(
    service: Service,
    opened: OpenDataset,
    before: Frontier,
    after: Frontier,
    relatives: Sequence[Relative],
    judge: Judge,
) -> _Harmed | None:
    """A table that a release would make unsafe, or one of which that was not settled in time; None for none."""
    open_one = None
    for relative in relatives:
        other = service.current(relative.name)
        rest = _known(service, [r for r in _relatives(service, other.stored) if r.name != opened.stored.name])
        known = [*rest, Known(opened.table, before, relative.edition)]
        public = public_frontier(other.state.frontier, learned(other.table.names, known))
        known = [*rest, Known(opened.table, after, relative.edition)]
        beside = parts_beside(other.table, known)
        rule, carried = other.policy.refusing(), other.state.carried
        for added in learned(other.table.names, known):
            judged = judge.decide(Situation(other.table, public, carried, beside=beside), rule, added)
            if judged.answer != RELEASE and judged.ground != UNRESOLVED:
                return _Harmed(relative.name, settled=True)
            if judged.answer != RELEASE:
                open_one = _Harmed(relative.name, settled=False)
            public = public.release(added)
        if beside:  # parts are known even where no margin is
            ground = judge.review(Situation(other.table, public, beside=beside), rule)
            if ground not in (SAFE, UNRESOLVED):
                return _Harmed(relative.name, settled=True)
            if ground == UNRESOLVED:
                open_one = _Harmed(relative.name, settled=False)
    return open_one


def lock_relatives(connection: Connection, stored: StoredDataset) -> list[int]:
    """Nobody else changes the state of a table about the same people until the transaction ends; their numbers."""
    origin = stored.origin
    found = [r.id for r in find_relatives(connection, stored.name, origin.population, origin.predecessor)]
    if found:
        store.lock_states(connection, [stored.id, *found])
    return found


def check_relatives(table: Table, policy: Policy, others: Sequence[tuple[Relative, StoredDataset]]) -> list[str]:
    """Whether decisions can look at these tables together; sentences about what they cannot see."""
    faults, notes = Faults(), []
    for relative, other in others:
        faults.check(policy.mode == other.policy.mode == "exact", CANNOT_SIMULATE)
        shared = [name for name in table.names if name in other.table.names]
        faults.check(
            not relative.edition or set(table.names) == set(other.table.names),
            f"an edition has the variables of its predecessor, and {other.name} has others: give a population instead",
        )
        unlike = [name for name in shared if _levels(table, name) != _levels(other.table, name)]
        faults.check(
            not unlike,
            f"{', '.join(map(repr, unlike))} has other categories in {other.name}: decisions cannot look at both "
            "tables; declare the same categories in a codebook, or rename the variable",
        )
        if unlike or relative.edition:
            continue
        alike = table.total == other.table.total
        same = alike and bool((_ordered(table, shared) == _ordered(other.table, shared)).all())
        faults.check(
            same or not alike,
            f"the table has as many people as {other.name} and other counts of {', '.join(map(repr, shared))}: "
            "these are not the same people; give no population, or another",
        )
        if not alike:
            notes.append(
                f"{other.name} has other people too: the counts of each table are protected together, and differences "
                "between the tables are not; one table with a variable that says who belongs to it protects these too"
            )
    if any(relative.edition for relative, _ in others):
        notes.append(
            "What was released of the other editions counts as known of this one; what changed between two editions is "
            "not judged."
        )
    faults.raise_if_any()
    return notes


def _relatives(service: Service, stored: StoredDataset) -> list[Relative]:
    with service.database.reading() as connection:
        return find_relatives(connection, stored.name, stored.origin.population, stored.origin.predecessor)


def _known(service: Service, relatives: Iterable[Relative]) -> list[Known]:
    found = [(relative, service.current(relative.name)) for relative in relatives]
    return [Known(other.table, other.state.frontier, relative.edition) for relative, other in found]


def _levels(table: Table, name: str) -> set[str]:
    return {str(level) for level in table.categories[table.names.index(name)]}


def _ordered(table: Table, names: Sequence[str]) -> Ints:
    """The margin over the names, in their order and with categories sorted."""
    margin = table.margin(names)
    counts = margin.dense().transpose([margin.names.index(name) for name in names])
    for axis, name in enumerate(names):
        levels = [str(level) for level in margin.categories[margin.names.index(name)]]
        counts = counts.take(np.argsort(levels, kind="stable"), axis=axis)
    return counts
