"""Loading as a conversation: a file is read apart, shown, changed and confirmed; or, where nothing is in doubt, added.

Either way a table reaches analysts by one door, `register.enter_dataset`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from sqlalchemy.exc import IntegrityError

from discreet.errors import InputError
from discreet.release.history.database import Database
from discreet.release.loading import drafts
from discreet.release.loading.apart import Reader
from discreet.release.loading.drafts import Intent, StoredDraft
from discreet.release.loading.preview import preview_of
from discreet.release.loading.reading import Reading
from discreet.release.loading.register import NewDataset, enter_dataset, taken_name
from discreet.release.people.four_eyes import Waits, loading_needs_second, propose_load
from discreet.release.people.proposals import same_person


class Loader:
    """What the interfaces do with files that are sent."""

    def __init__(self, database: Database, reader: Reader) -> None:
        self.database = database
        self.reader = reader

    def read(self, data: bytes, suffix: str, plan: Intent) -> Reading:
        return self.reader.read(data, suffix, plan.choices, plan.policy)

    def add(self, who: str, name: str, data: bytes, suffix: str, plan: Intent, *, confirmed: bool) -> Reading:
        """Open a file that leaves no doubt, at once. `confirmed`: what the policy declares as published really is."""
        reading = self.read(data, suffix, plan)
        new = _new(name, reading, plan, confirmed)
        if loading_needs_second(self.database, plan.policy, plan.same_as):
            raise Waits(propose_load(self.database, who, name, new.table, new.policy, new.options))
        try:
            with self.database.writing() as connection:
                enter_dataset(connection, who, new)
        except IntegrityError:
            raise taken_name(name) from None
        return reading

    def send(self, who: str, name: str, data: bytes, suffix: str, plan: Intent) -> StoredDraft:
        """Keep a file as a draft, whatever is in doubt; only one that cannot be read at all is refused."""
        reading = self.read(data, suffix, plan)
        drafts.send(self.database, who, name, data, suffix, _explicit(plan, reading), preview_of(reading))
        return drafts.load(self.database, name)

    def change(self, who: str, draft: StoredDraft, plan: Intent) -> StoredDraft:
        """Read a draft under other choices."""
        if plan == draft.plan:
            return draft
        data = drafts.load_data(self.database, draft.name)
        return drafts.change(self.database, who, draft, plan, preview_of(self.read(data, draft.suffix, plan)))

    def confirm(self, who: str, draft: StoredDraft, *, confirmed: bool) -> None:
        """Open a draft to analysts, as it was shown; where two custodians are needed, not by whoever made it so."""
        needed = loading_needs_second(self.database, draft.plan.policy, draft.plan.same_as)
        if needed and same_person(self.database, who, draft.who):
            raise InputError("another custodian must confirm this draft: the policy asks for four eyes")
        data = drafts.load_data(self.database, draft.name)
        reading = self.read(data, draft.suffix, draft.plan)
        drafts.confirm(self.database, who, draft, _new(draft.name, reading, draft.plan, confirmed))


def _explicit(plan: Intent, reading: Reading) -> Intent:
    """The plan with what the file itself tells about its count, so that it is this that is confirmed."""
    taken = reading.taken
    if taken is None or taken.doubt:
        return plan
    return replace(plan, choices=replace(plan.choices, count=taken.count, records=taken.records))


def version_of(draft: StoredDraft) -> str:
    """Which file and choices were seen: confirming others is refused."""
    seen = {"sent": draft.created.isoformat(), "plan": draft.plan.to_dict()}
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:16]


def check_version(draft: StoredDraft, seen: str | None) -> None:
    if seen is not None and seen != version_of(draft):
        raise InputError("the draft is not the one that you saw: look at it again, then confirm")


def _new(name: str, reading: Reading, plan: Intent, confirmed: bool) -> NewDataset:
    return NewDataset(
        name,
        reading.settled(),
        plan.policy,
        reading.figures,
        confirmed,
        plan.codebook,
        plan.same_as,
        plan.distinct,
        plan.population,
        plan.predecessor,
    )
