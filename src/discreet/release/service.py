"""One history per dataset: ask, decide, write down, answer. In that order.

A decision is made outside any transaction, on a state with a known revision. It is then written down in one short
transaction that holds the lock of the dataset's chain: if the revision has moved on meanwhile (another thread, another
process, another machine), nothing is written and the decision is made again on the new state. So the answers are
those of the decision function applied in the order of the ledger, whoever runs it, and no database lock is held while
it works. The answer leaves after the commit, and nothing that was computed is served or kept before it: where another
process has drawn the synthetic table first, that one is told from. A request contained in a released margin needs no
decision: what was released stays released.

Decisions are made by a `Decider` (`queue/deciders.py`): here, or in processes of their own behind a fair line. One
dataset is decided on once at a time, which spares decisions in vain.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from discreet.errors import InputError
from discreet.release.answer import Answer as Answer  # where those who ask look for it
from discreet.release.answer import answer_of, content_of
from discreet.release.decision import (
    CONTAINED,
    REFUSE,
    RELEASE,
    SIMULATE,
    Decision,
    Situation,
    decide,
)
from discreet.release.description import described, told_margins
from discreet.release.engine import Ints, Table
from discreet.release.frontier import axes_of
from discreet.release.history import store
from discreet.release.history.chain import Entry
from discreet.release.history.database import Database
from discreet.release.history.scribe import Scribe
from discreet.release.history.store import StoredState
from discreet.release.judging import Judge
from discreet.release.life.stages import CLOSED, RETIRED, check_asking, check_visible, is_visible, stricter
from discreet.release.life.stages import UnknownDataset as UnknownDataset
from discreet.release.loading.register import add_dataset
from discreet.release.offers.partial import KINDS
from discreet.release.open_dataset import OpenDataset
from discreet.release.people.actor import Actor
from discreet.release.people.four_eyes import Waits, loading_needs_second, propose_load
from discreet.release.policy import Policy
from discreet.release.queue.deciders import PATIENCE, Decider, Here, wait_for
from discreet.release.queue.tasks import draw
from discreet.release.queue.ticket import Busy, Call, CutOff, Ticket
from discreet.release.running.hold import check_hold
from discreet.release.support import has_hidden_list, plain_refusal, too_large, withhold
from discreet.release.units import views
from discreet.release.units.together import decide_together, lock_relatives
from discreet.release.unresolved import waits
from discreet.work import ProgressCallback

MAX_MARGIN = 1 << 18


class _MovedOn(Exception):
    """The state is no longer the one that was decided on."""


@dataclass(frozen=True)
class _Synthetic:
    """A synthetic table: the one that the database holds, or a `new` one that may still come too late."""

    counts: Ints
    new: bool


class Service:
    """What the HTTP interface and the pages do; knows people by `Actor`, says nothing confidential in errors."""

    def __init__(self, database: Database, decider: Decider | None = None) -> None:
        self.database = database
        self.decider = decider or Here()
        self.scribe = Scribe(database)
        self.warm = threading.Event()  # decisions wait for it: compiling must not eat up their time
        self.warm.set()
        self.patience = PATIENCE  # seconds that they wait for it
        self._opened: dict[str, OpenDataset] = {}
        self._guard = threading.Lock()

    def add(self, who: str, name: str, table: Table, policy: Policy, **options: Any) -> list[str]:
        """Load a table under a policy, or propose to where two custodians are needed; `options` as in `add_dataset`.

        What a custodian should know of it, in sentences.
        """
        if loading_needs_second(self.database, policy, options.get("unit")):
            raise Waits(propose_load(self.database, who, name, table, policy, options))
        return add_dataset(self.database, who, name, table, policy, **options)

    def datasets(self, actor: Actor | None = None) -> list[dict[str, Any]]:
        """What this person may know of all datasets; lists of categories only where they are public."""
        with self.database.reading() as connection:
            found = [{**one, "stage": stricter(*one["stages"])} for one in store.list_descriptions(connection)]
        seen = [one for one in found if actor is None or actor.may_see(one["name"])]
        seen = [one for one in seen if is_visible(one["name"], one["stage"], actor)]
        names = {one["name"] for one in seen}
        return [described(one, names) for one in seen]

    def open(self, name: str) -> OpenDataset:
        """The dataset, from memory or from the database."""
        with self._guard:
            known = self._opened.get(name)
        if known is not None:
            return known
        if not store.is_name(name):
            raise UnknownDataset("there is no dataset of this name")
        with self.database.reading() as connection:
            stored = store.load_dataset(connection, name)
            if stored is None:
                raise UnknownDataset("there is no dataset of this name")
            state = store.load_state(connection, stored.id)
        base = None if stored.origin.unit is None else self.open(stored.origin.unit)
        with self._guard:
            return self._opened.setdefault(name, OpenDataset(stored, state, base))

    def current(self, name: str, actor: Actor | None = None) -> OpenDataset:
        """The dataset with its latest state; unknown to those who may not see it at its stage."""
        opened = self.open(name)
        check_visible(name, self._refresh(opened).stage, actor)
        return opened

    def ask(
        self,
        actor: Actor,
        name: str,
        variables: Sequence[str],
        progress: ProgressCallback | None = None,
        *,
        limit: float | None = None,
        again: bool = False,
    ) -> Answer:
        """The answer; a custodian who names a `limit` (seconds) has an unresolved margin tried again at once.

        `again` asks for what was told before, though a decision made now might tell more.
        """
        answer = self.at_once(actor, name, variables, limit=limit, again=again)
        if answer is not None:
            return answer
        ticket = self.enqueue(actor, name, variables, progress, limit=limit)
        told: Answer = wait_for(self.decider, ticket)
        return told

    def at_once(
        self, actor: Actor, name: str, variables: Sequence[str], *, limit: float | None = None, again: bool = False
    ) -> Answer | None:
        """The answer where nothing must be computed for it; None where it needs a decision or a synthetic table."""
        opened, mask, state = self._asked(actor, name, variables)
        again = again or state.stage in (CLOSED, RETIRED)
        if opened.base is not None:
            names = views.base_names(opened, mask)
            answer = self.at_once(actor, opened.base.stored.name, names, limit=limit, again=again)
            return None if answer is None else views.passed_on(self.scribe, actor, opened, mask, answer)
        known = self._told_before(opened, state, actor, mask, again=again)
        if known is not None:
            return known
        check_hold(self.database)
        asked = Situation(opened.table, state.frontier, unresolved=state.unresolved, limit=limit)
        if not self._settled(opened, state, asked, mask):
            return None
        policy = opened.policy_of(state)
        decision = decide(asked, policy if policy.otherwise == SIMULATE else policy.refusing(), mask)
        return self._commit(opened, state, actor, mask, withhold(decision, opened, state, mask), limit=limit)

    def enqueue(
        self,
        actor: Actor,
        name: str,
        variables: Sequence[str],
        progress: ProgressCallback | None = None,
        *,
        limit: float | None = None,
    ) -> Ticket:
        """Have it decided when its turn comes; the ticket brings the answer. `Busy` where too many wait already."""
        opened, mask, _ = self._asked(actor, name, variables)
        base, of = opened, mask
        if opened.base is not None:
            base, of, _ = self._asked(actor, opened.base.stored.name, views.base_names(opened, mask))

        def job(call: Call) -> Answer:
            if base is opened:
                return self._settle(base, actor, of, progress, limit, call)
            self._asked(actor, name, variables)  # a view may have been closed while its request waited
            answer = self._settle(base, actor, of, progress, limit, call)
            self._asked(actor, name, variables)
            return views.passed_on(self.scribe, actor, opened, mask, answer)

        return self.decider.submit(actor.id, base.stored.chain, job)

    def compute(self, actor: Actor, function: Callable[..., Any], *given: Any, seconds: float) -> Ticket:
        """Have a long function that changes nothing called (a plan, bounds); it waits in line with the decisions.

        It is given `seconds` as its last argument, and may take somewhat longer. The ticket brings what it returns.
        """
        return self.decider.submit(actor.id, None, lambda call: call(function, *given, seconds, seconds=2 * seconds))

    def _asked(self, actor: Actor, name: str, variables: Sequence[str]) -> tuple[OpenDataset, int, StoredState]:
        """The dataset, the margin and the latest state, where this person may ask."""
        opened = self.open(name)
        mask = opened.mask(variables)
        state = self._refresh(opened)
        check_asking(name, state, actor, state.frontier.has_told(mask))
        cells = _cells(opened, mask)
        if cells > MAX_MARGIN and not has_hidden_list(opened, state, mask):
            raise InputError(
                f"this margin has {cells} cells and at most {MAX_MARGIN} can be sent: ask for fewer variables"
            )
        return opened, mask, state

    def _settled(self, opened: OpenDataset, state: StoredState, asked: Situation, mask: int) -> bool:
        """Whether it contains a refused margin or is not to be tried yet, and what is told instead is there."""
        early = asked.limit is None and waits(asked.unresolved, mask, asked.moment)
        if not early and not asked.frontier.forbids(mask):
            return False
        policy, frontier = opened.policy_of(state), state.frontier
        if policy.otherwise == "refuse" or frontier.part(mask) is not None:
            return True
        if policy.otherwise in KINDS:
            return early or mask in frontier.bare or has_hidden_list(opened, state, mask)
        with self.database.reading() as connection:
            kept = store.load_synthetic(connection, opened.stored.id, state.version)
        return bool(state.frontier.released) and kept is not None

    def _settle(
        self,
        opened: OpenDataset,
        actor: Actor,
        mask: int,
        progress: ProgressCallback | None,
        limit: float | None,
        call: Call,
    ) -> Answer:
        """Decide and write down, again where the state has moved on meanwhile."""
        if not self.warm.wait(self.patience):
            raise Busy(10)
        check_hold(self.database)
        judge = Judge(call, progress)
        while True:
            state = self._refresh(opened)
            check_asking(opened.stored.name, state, actor, state.frontier.has_told(mask))
            known = self._told_before(opened, state, actor, mask, again=state.stage in (CLOSED, RETIRED))
            if known is not None:
                return known
            asked = Situation(opened.table, state.frontier, state.carried, state.unresolved, limit=limit)
            if _cells(opened, mask) > MAX_MARGIN:
                decision = too_large(state, mask)
            else:
                decision = decide_together(self, opened, state, asked, mask, judge)
            decision = withhold(decision, opened, state, mask)
            answer = self._commit(opened, state, actor, mask, decision, call, limit=limit)
            if answer is not None:
                return answer

    def released(self, name: str, actor: Actor | None = None) -> list[dict[str, Any]]:
        """What anyone may see: the released frontier with its counts, and what is told in part."""
        return told_margins(self.current(name, actor))

    def ledger(
        self,
        name: str,
        *,
        after: int = 0,
        before: int | None = None,
        limit: int | None = None,
        latest: bool = False,
    ) -> list[Entry]:
        chain = self.open(name).stored.chain
        with self.database.reading() as connection:
            return list(store.read_entries(connection, chain, after=after, before=before, limit=limit, latest=latest))

    def _refresh(self, opened: OpenDataset) -> StoredState:
        """The latest state. Decisions must be made on what this returns: `opened.state` may change meanwhile."""
        state = opened.state
        with self.database.reading() as connection:
            if store.load_revision(connection, opened.stored.id) != state.revision:
                state = opened.state = store.load_state(connection, opened.stored.id)
                opened.stage = state.stage
        if opened.base is not None:
            state = opened.state = views.seen_through(opened, state, opened.base, self._refresh(opened.base))
        return state

    def _told_before(
        self, opened: OpenDataset, state: StoredState, actor: Actor, mask: int, *, again: bool
    ) -> Answer | None:
        """Tell what follows from a released margin, or a part that stands. No decision, but an entry all the same.

        A part whose refusal was forgotten is decided on anew, unless it is asked for `again`: it is not lost for that.
        """
        covered, part = state.frontier.covers(mask), state.frontier.part(mask)
        if not covered and (part is None or not (again or state.frontier.forbids(mask))):
            return None
        told = opened.margin(mask) if part is None else opened.part(part)
        repeat = Decision(RELEASE if part is None else part.kind, CONTAINED, state.frontier)
        content = content_of(actor, opened.names(mask), state.version, repeat, None)
        entry = self.scribe.write(opened.stored.chain, {**content, "margin": told.digest})
        if part is None:
            opened.keep(mask, told)
        return answer_of(repeat, opened.names(mask), told, entry.hash)

    def _commit(
        self,
        opened: OpenDataset,
        state: StoredState,
        actor: Actor,
        mask: int,
        decision: Decision,
        call: Call | None = None,
        *,
        limit: float | None = None,
    ) -> Answer | None:
        """Write the decision down and give the answer; None where it must be made again: the state has moved on.

        None too where a synthetic table is wanted and there is nobody to `call` for one.
        """
        stored = opened.stored
        grown = decision.frontier.public != state.frontier.public
        after = replace(
            state,
            revision=state.revision + 1,
            version=state.version + int(grown),
            frontier=decision.frontier,
            carried=state.carried if decision.carried is None else decision.carried,
            unresolved=decision.unresolved,
        )
        version = after.version if decision.changes else state.version
        synthetic = self._synthetic(opened, version, decision, call) if decision.answer == SIMULATE else None
        if decision.answer == SIMULATE and synthetic is None and call is None:
            return None
        if decision.answer == SIMULATE and synthetic is None:
            refusal = plain_refusal(decision, state)
            return self._commit(opened, state, actor, mask, refusal, call, limit=limit)
        content = content_of(actor, opened.names(mask), version, decision, limit)
        told, drawn = None, None if synthetic is None else synthetic.counts
        if decision.answer != REFUSE:
            told = opened.margin(mask, drawn) if decision.partial is None else opened.part(decision.partial)
            content["margin"] = told.digest
        if synthetic is not None and synthetic.new:  # the whole table is fixed, not only what is told of it now
            content["synthetic"] = store.counts_digest(synthetic.counts)
        try:
            with self.database.writing() as connection:
                relatives = lock_relatives(connection, stored)
                tip = store.lock_chain(connection, stored.chain)
                if store.load_revision(connection, stored.id) != state.revision:
                    raise _MovedOn
                if synthetic is not None and synthetic.new:
                    if store.load_synthetic(connection, stored.id, version) is not None:
                        raise _MovedOn  # another process has drawn this state's table: it is told from
                    store.save_synthetic(connection, stored.id, version, synthetic.counts)
                entry = store.append(connection, stored.chain, content, tip)
                if decision.changes:
                    store.save_state(connection, stored.id, after, carried=decision.carried is not None)
                    if grown and relatives:
                        store.move_on(connection, relatives)
        except _MovedOn:
            return None
        if decision.changes:
            opened.state = after
        if told is not None and decision.partial is None:
            opened.keep(mask, told, drawn)
        return answer_of(decision, opened.names(mask), told, entry.hash)

    def _synthetic(self, opened: OpenDataset, version: int, decision: Decision, call: Call | None) -> _Synthetic | None:
        """The synthetic table of this release state; None where there is none to give, or nobody to call for one.

        None was found in time, or the released margins fix every count or a sensitive one: then it would be the truth.
        """
        with self.database.reading() as connection:
            kept = store.load_synthetic(connection, opened.stored.id, version)
        if kept is not None:
            return _Synthetic(kept, new=False)
        if call is None:
            return None
        public = opened.table.margins([opened.names(mask) for mask in decision.frontier.released])
        policy = opened.policy
        given = (public, secrets.randbelow(1 << 62), policy.c, policy.time_limit)
        try:
            made = call(draw, *given, seconds=policy.time_limit)
        except CutOff:
            return None
        return None if made is None else _Synthetic(made, new=True)


def _cells(opened: OpenDataset, mask: int) -> int:
    return prod(opened.table.shape[a] for a in axes_of(mask))
