"""One history per dataset: ask, decide, write down, answer. In that order.

A decision is made outside any transaction, on a state with a known revision. It is then written down in one short
transaction that holds the lock of the dataset's chain: if the revision has moved on meanwhile (another thread, another
process, another machine), nothing is written and the decision is made again on the new state. So the answers are
those of the decision function applied in the order of the ledger, whoever runs it, and no database lock is held while
it works. The answer leaves after the commit. A request contained in a released margin needs no decision: what was
released stays released.

Threads of one process take turns per dataset, which spares them decisions in vain.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from discreet.errors import InputError
from discreet.release import engine
from discreet.release.decision import CONTAINED, REFUSE, RELEASE, SIMULATE, Decision, Ground, Reply, State, decide
from discreet.release.engine import Ints, Table
from discreet.release.frontier import Frontier, axes_of
from discreet.release.history import store
from discreet.release.history.chain import Entry
from discreet.release.history.database import Database
from discreet.release.history.scribe import Scribe
from discreet.release.history.store import StoredState
from discreet.release.loading.register import add_dataset
from discreet.release.open_dataset import Margin, OpenDataset
from discreet.release.policy import Policy
from discreet.release.tokens import Actor
from discreet.work import Deadline, ProgressCallback

MAX_MARGIN = 1 << 18
PATIENCE = 300.0  # seconds that a request waits for its turn

REASONS = {
    RELEASE: "The margin is safe to publish together with everything released before.",
    REFUSE: "The margin cannot be published: with what has been released, it could reveal too much about some people.",
    SIMULATE: "The margin cannot be published. These counts come from a synthetic table that agrees with every "
    "released margin and with nothing else of the data. Counts that the released margins fix are the true ones; any "
    "other may be by chance.",
}


class UnknownDataset(InputError):
    """There is no dataset of this name."""


class _MovedOn(Exception):
    """The state is no longer the one that was decided on."""


@dataclass(frozen=True)
class Answer:
    answer: Reply
    reason: str
    variables: tuple[str, ...]
    margin: Margin | None
    json: str
    entry: str
    ground: Ground

    @property
    def synthetic(self) -> bool:
        return self.margin is not None and self.margin.synthetic


class Service:
    """What the HTTP interface and the pages do; knows people by `Actor`, says nothing confidential in errors."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.patience = PATIENCE
        self.scribe = Scribe(database)
        self._opened: dict[str, OpenDataset] = {}
        self._guard = threading.Lock()

    def add(self, who: str, name: str, table: Table, policy: Policy) -> None:
        """Load a table under a policy."""
        add_dataset(self.database, who, name, table, policy)

    def datasets(self) -> list[dict[str, Any]]:
        with self.database.reading() as connection:
            found = store.list_datasets(connection)
        return [
            {
                "name": name,
                "variables": [v["name"] for v in variables],
                "categories": {v["name"]: v["categories"] for v in variables},
            }
            for name, variables in found
        ]

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
            opened = OpenDataset(stored, store.load_state(connection, stored.id))
        with self._guard:
            return self._opened.setdefault(name, opened)

    def current(self, name: str) -> OpenDataset:
        """The dataset with its latest state."""
        opened = self.open(name)
        self._refresh(opened)
        return opened

    def ask(
        self, actor: Actor, name: str, variables: Sequence[str], progress: ProgressCallback | None = None
    ) -> Answer:
        opened = self.open(name)
        mask = opened.mask(variables)
        cells = prod(opened.table.shape[a] for a in axes_of(mask))
        if cells > MAX_MARGIN:
            raise InputError(
                f"this margin has {cells} cells and at most {MAX_MARGIN} can be sent: ask for fewer variables"
            )
        state = opened.state
        if state.frontier.covers(mask):
            return self._repeat(opened, state, actor, mask)
        with opened.in_turn(self.patience):
            while True:
                state = self._refresh(opened)
                if state.frontier.covers(mask):
                    return self._repeat(opened, state, actor, mask)
                decision = decide(
                    State(opened.table, state.frontier, state.carried), opened.stored.policy, mask, progress
                )
                answer = self._commit(opened, state, actor, mask, decision)
                if answer is not None:
                    return answer

    def released(self, name: str) -> list[dict[str, Any]]:
        """What anyone may see: the released frontier with its counts."""
        opened = self.current(name)
        found = []
        for mask in sorted(opened.state.frontier.released, key=lambda m: (m.bit_count(), axes_of(m))):
            margin, _, _ = opened.margin(mask)
            found.append({"variables": list(opened.names(mask)), "synthetic": False, "margin": margin.rows()})
        return found

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
        return state

    def _repeat(self, opened: OpenDataset, state: StoredState, actor: Actor, mask: int) -> Answer:
        """Tell what follows from a released margin. No decision, but an entry all the same."""
        margin, text, digest = opened.margin(mask)
        names = opened.names(mask)
        content = {
            "what": "answer",
            "who": actor.name,
            "variables": list(names),
            "answer": RELEASE,
            "ground": CONTAINED,
            "version": state.version,
            "margin": digest,
        }
        entry = self.scribe.write(opened.stored.chain, content)
        return Answer(RELEASE, REASONS[RELEASE], names, margin, text, entry.hash, CONTAINED)

    def _commit(
        self, opened: OpenDataset, state: StoredState, actor: Actor, mask: int, decision: Decision
    ) -> Answer | None:
        """Write the decision down and give the answer; None where the state has moved on and it must be made again."""
        stored = opened.stored
        grown = decision.frontier.released != state.frontier.released
        after = StoredState(
            state.revision + 1,
            state.version + int(grown),
            decision.frontier,
            state.carried if decision.carried is None else decision.carried,
        )
        version = after.version if decision.changes else state.version
        synthetic = self._synthetic(opened, version, decision) if decision.answer == SIMULATE else None
        if decision.answer == SIMULATE and synthetic is None:
            refused = Frontier(state.frontier.released, decision.frontier.refused)
            return self._commit(
                opened, state, actor, mask, Decision(REFUSE, decision.ground, refused, None, decision.evidence)
            )
        content: dict[str, Any] = {
            "what": "answer",
            "who": actor.name,
            "variables": list(opened.names(mask)),
            "answer": decision.answer,
            "ground": decision.ground,
            "version": version,
        }
        if decision.evidence:
            content["evidence"] = dict(decision.evidence)
        if decision.total_released:
            content["total released"] = True
        margin, text = None, "null"
        if decision.answer == RELEASE:
            margin, text, content["margin"] = opened.margin(mask)
        elif synthetic is not None:
            margin, text, content["margin"] = opened.margin(mask, synthetic[0], version)
        try:
            with self.database.writing() as connection:
                tip = store.lock_chain(connection, stored.chain)
                if store.load_revision(connection, stored.id) != state.revision:
                    raise _MovedOn
                entry = store.append(connection, stored.chain, content, tip)
                if synthetic is not None and synthetic[1]:
                    store.save_synthetic(connection, stored.id, version, synthetic[0])
                if decision.changes:
                    store.save_state(connection, stored.id, after, carried=decision.carried is not None)
        except _MovedOn:
            return None
        if decision.changes:
            opened.state = after
        return Answer(
            decision.answer,
            REASONS[decision.answer],
            opened.names(mask),
            margin,
            text,
            entry.hash,
            decision.ground,
        )

    def _synthetic(self, opened: OpenDataset, version: int, decision: Decision) -> tuple[Ints, bool] | None:
        """The synthetic table of this release state, and whether it is new; None where there is none to give.

        None was found in time, or the released margins fix every count or a sensitive one: then it would be the truth.
        """
        with self.database.reading() as connection:
            kept = store.load_synthetic(connection, opened.stored.id, version)
        if kept is not None:
            return kept, False
        public = opened.table.margins([opened.names(mask) for mask in decision.frontier.released])
        policy = opened.stored.policy
        made = engine.synthesize(public, secrets.randbelow(1 << 62), Deadline(policy.time_limit), policy.c)
        return None if made is None else (made, True)
