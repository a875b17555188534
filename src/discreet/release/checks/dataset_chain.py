"""Follow a dataset's entries and compare where they lead with what is stored.

The counts, variables and policy are those it was opened with. Each answer fits what had been settled before it: what
was contained in a release is released, what contains a refused margin is not, and the version of a decision is the
number of releases before it. A part of a margin that was told is judged again, beside all that was public then. Every
margin that was told is the one whose digest the entry fixed. The frontiers and the open questions at the end are those
that are stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

from sqlalchemy import Connection, select

from discreet.release.answer import part_of
from discreet.release.checks.carried import carried_faults
from discreet.release.decision import CONTAINED, FRONTIER, RELEASE, SAFE, SIMULATE, TOLD_BEFORE, UNRESOLVED, Reply
from discreet.release.frontier import POSSIBLE
from discreet.release.history import store
from discreet.release.history.chain import Entry
from discreet.release.history.models import DatasetState
from discreet.release.history.store import StoredDataset, StoredState
from discreet.release.life.replay import EVENTS, Course, view_faults
from discreet.release.loading.sameness import digest_faults
from discreet.release.offers.offer import find_offer, keeps_with, public_of
from discreet.release.offers.partial import KINDS
from discreet.release.open_dataset import OpenDataset
from discreet.release.unresolved import PATIENCE, Attempt, pause_after, waits
from discreet.work import Deadline


def dataset_faults(connection: Connection, name: str, entries: list[Entry]) -> list[str]:
    stored = store.load_dataset(connection, name)
    if stored is None:
        return []
    opening = entries[0].content
    faults = []
    if store.table_digest(stored.table) != opening["table"] or stored.digest != opening["table"]:
        faults.append(f"dataset {name}: its counts are not those it was opened with")
    else:
        faults += digest_faults(connection, stored, "digests" in opening)
    course = Course(stored, entries[0])
    if faults or course.faults:
        return [*faults, *course.faults]
    state = store.load_state(connection, stored.id)
    if stored.origin.unit is not None:
        there = list(store.read_entries(connection, store.chain_of(stored.origin.unit)))
        base = store.load_dataset(connection, stored.origin.unit)
        assert base is not None
        table = OpenDataset(base, store.load_state(connection, base.id))
        return view_faults(OpenDataset(stored, state), course, entries[1:], table, there)
    return [*Replay(connection, stored, state, course).run(entries[1:]), *carried_faults(stored, state)]


class Replay:
    """The state of a dataset, entry by entry."""

    def __init__(self, connection: Connection, stored: StoredDataset, state: StoredState, course: Course) -> None:
        self.connection, self.stored, self.state, self.course = connection, stored, state, course
        self.frontier = course.opening
        self.version = 0
        self.open: dict[int, Any] = {}
        self.faults: list[str] = []
        self.opened = OpenDataset(stored, replace(state, frontier=self.frontier))

    def run(self, entries: Iterable[Entry]) -> list[str]:
        for entry in entries:
            content = entry.content
            if content["what"] == "answer":
                self.course.check_answer(entry)
                self._answer(entry.sequence, content)
            elif content["what"] in EVENTS:
                before = self.frontier.public
                self.frontier = self.course.follow(entry, self.frontier)
                self.version += int(self.frontier.public != before)
                if content["what"] == "policy changed":
                    self.open = {}  # what was not settled was so under another rule
        name = self.stored.name
        if self.frontier != self.state.frontier:
            self.faults.append(f"dataset {name}: what is stored as released or refused does not follow from its ledger")
        elif self.version != self.state.version:
            self.faults.append(f"dataset {name}: the number of its releases does not follow from its ledger")
        if self._still_open(self._stored_questions()) != self._still_open(self.open):
            self.faults.append(f"dataset {name}: what is stored as unresolved does not follow from its ledger")
        return [*self.faults, *self.course.check_end(self.state)]

    def _answer(self, sequence: int, content: Mapping[str, Any]) -> None:
        where = f"dataset {self.stored.name}, entry {sequence}"
        mask = self.opened.mask(content["variables"])
        self.faults += [f"{where}: {fault}" for fault in self._standing_faults(mask, content)]
        self._advance(mask, content)
        # What is contained in a release is told without a look at whether there have been more since.
        earliest = 0 if content["ground"] == CONTAINED else self.version
        if not earliest <= content["version"] <= self.version:
            self.faults.append(f"{where}: bears the number of another release")
        if not self._told(mask, content):
            self.faults.append(f"{where}: the counts told are not those stored")

    def _standing_faults(self, mask: int, content: Mapping[str, Any]) -> list[str]:
        """Whether the answer fits what had been settled before."""
        answer, ground = content["answer"], content["ground"]
        if answer not in get_args(Reply):
            return ["an answer of this kind is never given"]
        covered, forbidden = self.frontier.covers(mask), self.frontier.forbids(mask)
        faults = []
        if ground == CONTAINED and not (covered if answer == RELEASE else self.frontier.has_told(mask)):
            faults.append("was not contained in a release")
        if answer != RELEASE and covered:
            faults.append("refuses what had been released")
        if ground == FRONTIER and not forbidden:
            faults.append("contains no refused margin")
        if answer == RELEASE and ground != CONTAINED and forbidden:
            faults.append("releases what had been refused")
        if content.get("total released") and self.frontier.forbids(0):
            faults.append("releases the total, which had been refused")
        if content.get("part") is not None or answer in KINDS:
            faults += self._part_faults(mask, content)
        if "attempt" in content:
            faults += self._attempt_faults(mask, content)
        elif "waiting" in content and (ground != UNRESOLVED or mask not in self.open):
            faults.append("no earlier try left it unresolved")
        return faults

    def _part_faults(self, mask: int, content: Mapping[str, Any]) -> list[str]:
        """Whether a part that is told is the one told before, or one that the rule allows."""
        answer, said = content["answer"], content.get("part")
        if said is None:
            known = self.frontier.part(mask)
            return [] if known is not None and known.kind == answer else ["tells a part that was never decided on"]
        if answer not in KINDS or self.frontier.part(mask) is not None or content["ground"] in (SAFE, CONTAINED):
            return ["tells a part where there was none to tell"]
        policy, partial = self.course.policy, part_of(mask, answer, said)
        if policy.otherwise != answer or partial.base != policy.base:
            return ["tells a part in a way that is not the policy's"]
        public = public_of(self.stored.table, *self.frontier.public)
        found_here = content["ground"] != TOLD_BEFORE  # else a custodian says so, in whatever order
        if policy.mode == "simulatable" and found_here and find_offer(public, policy, mask, 0.0).partial != partial:
            return ["tells another part than follows from what was public"]
        if keeps_with(public, policy, partial, Deadline(PATIENCE * policy.time_limit)) is False:
            return ["tells more than the rule allows"]
        return []

    def _attempt_faults(self, mask: int, content: Mapping[str, Any]) -> list[str]:
        """Whether a try is the one after the last, made when it was allowed."""
        attempt, tried = Attempt(**content["attempt"]), {m: Attempt(**kept) for m, kept in self.open.items()}
        faults = []
        before = tried[mask].tries if mask in tried else 0
        if content["ground"] != UNRESOLVED or attempt.tries != before + 1:
            faults.append("is not the try that comes next")
        # When it was asked, to the millisecond; the entry's own time is that of the answer.
        if "limit" not in content and waits(tried, mask, attempt.until - pause_after(attempt.tries) + 0.001):
            faults.append("was tried again too early")
        return faults

    def _advance(self, mask: int, content: Mapping[str, Any]) -> None:
        simulatable = self.course.policy.mode == "simulatable"
        before, ground = self.frontier.public, content["ground"]
        if content["answer"] == RELEASE:
            self.frontier = self.frontier.release(mask, forget_refusals=simulatable)
        elif "attempt" in content:
            self.open[mask] = content["attempt"]
        elif ground not in (FRONTIER, CONTAINED) and not (ground == UNRESOLVED and "waiting" in content):
            # Earlier versions closed what they had not settled: such an entry has no attempt.
            self.frontier = self.frontier.refuse(mask)
        if content.get("total released"):
            self.frontier = self.frontier.release(0)
        if content.get("part") is not None:
            told = part_of(mask, content["answer"], content["part"])
            self.frontier = self.frontier.tell(told, forget_refusals=simulatable)
        elif "part" in content:
            self.frontier = self.frontier.leave_bare(mask)
        grown = self.frontier.public != before
        self.version += int(grown)
        if grown and simulatable and content["answer"] != SIMULATE:
            self.open = {}

    def _told(self, mask: int, content: Mapping[str, Any]) -> bool:
        """Whether the counts that the answer told are those that are stored now."""
        if content["answer"] == RELEASE:
            return bool(content["margin"] == self.opened.margin(mask).digest)
        if content["answer"] in KINDS:
            known = self.frontier.part(mask)
            return known is not None and bool(content["margin"] == self.opened.part(known).digest)
        if content["answer"] != SIMULATE:
            return True
        counts = store.load_synthetic(self.connection, self.stored.id, content["version"])
        if counts is None or content.get("synthetic") not in (None, store.counts_digest(counts)):
            return False
        return bool(content["margin"] == self.opened.margin(mask, counts).digest)

    def _stored_questions(self) -> dict[int, Any]:
        query = select(DatasetState.unresolved).where(DatasetState.dataset_id == self.stored.id)
        return {int(mask): kept for mask, kept in json.loads(self.connection.execute(query).scalar_one()).items()}

    def _still_open(self, questions: Mapping[int, Any]) -> dict[int, Any]:
        return {mask: kept for mask, kept in questions.items() if self.frontier.status(mask) == POSSIBLE}
