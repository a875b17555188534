"""A dataset's stages, rules and views, followed through its ledger: for `audit`."""

from __future__ import annotations

from collections.abc import Iterable

from discreet.errors import InputError
from discreet.release.answer import part_of
from discreet.release.decision import CONTAINED, REFUSE, RELEASE, ROUND, SIMULATE, SUPPRESS, TOLD_BEFORE
from discreet.release.frontier import Frontier, mask_of
from discreet.release.history.chain import Entry
from discreet.release.history.store import StoredDataset, StoredState
from discreet.release.life.rule import frontier_after
from discreet.release.life.stages import CLOSED, OPEN, RETIRED, STEPS
from discreet.release.offers.partial import KINDS
from discreet.release.open_dataset import OpenDataset
from discreet.release.policy import Policy
from discreet.release.support import opening_frontier
from discreet.release.units.origin import origin_content
from discreet.release.units.views import project

# Entries of a dataset's chain that are no answers.
EVENTS = ("stage changed", "policy changed")


class Course:
    """Where a dataset stands after some entries; begins with the opening one."""

    def __init__(self, stored: StoredDataset, opening: Entry) -> None:
        content = opening.content
        self.stored = stored
        self.policy = stored.policy
        self.stage: str = content.get("stage", OPEN)
        masks = [mask_of(stored.table.axes(margin)) for margin in stored.policy.published]
        declared = set(stored.origin.labels)
        view = stored.origin.unit is not None
        self.opening = Frontier() if view else opening_frontier(stored.table, stored.policy, masks, declared)
        self.faults: list[str] = []
        if Policy.from_mapping(content["policy"]) != stored.policy:
            self.faults.append(f"dataset {stored.name}: its policy is not the one it was opened with")
        said = origin_content(stored.origin)
        if any(content.get(key) != said.get(key) for key in (*said, *_ORIGIN)):
            self.faults.append(f"dataset {stored.name}: its codebook or what it belongs to is not as the ledger says")

    def follow(self, entry: Entry, frontier: Frontier) -> Frontier:
        """The frontier after an event; the stage and the rule move on."""
        content, where = entry.content, f"dataset {self.stored.name}, entry {entry.sequence}"
        if content["what"] == "stage changed":
            if content["from"] != self.stage or self.stage not in STEPS.get(content["stage"], ()):
                self.faults.append(f"{where}: a stage does not follow from the one before")
            self.stage = content["stage"]
            return frontier
        try:
            policy = Policy.from_mapping(content["policy"])
        except InputError:
            self.faults.append(f"{where}: its policy cannot be read")
            return frontier
        after = frontier_after(self.stored.table, frontier, self.policy, policy, self.stored.origin.labels)
        self.policy = policy
        return after

    def check_answer(self, entry: Entry) -> None:
        """Nothing is decided on a dataset that is closed."""
        if self.stage in (CLOSED, RETIRED) and entry.content["ground"] not in (CONTAINED, TOLD_BEFORE):
            self.faults.append(f"dataset {self.stored.name}, entry {entry.sequence}: decided while {self.stage}")

    def check_end(self, state: StoredState) -> list[str]:
        """All that was found, and whether the stored stage and rule are those of the last entry."""
        if state.stage != self.stage:
            self.faults.append(f"dataset {self.stored.name}: its stage is not the one the ledger says")
        if (state.policy or self.stored.policy) != self.policy:
            self.faults.append(f"dataset {self.stored.name}: its policy is not the one the ledger says")
        return self.faults


def view_faults(
    opened: OpenDataset, course: Course, entries: Iterable[Entry], base: OpenDataset, told_there: Iterable[Entry]
) -> list[str]:
    """Whether what a view told is what its table told, in the view's categories."""
    stored = opened.stored
    answers = {entry.hash: entry.content for entry in told_there}
    parts = {tuple(c["variables"]): c["part"] for c in answers.values() if c.get("part") is not None}
    mapping = stored.origin.mapping
    for entry in entries:
        content, where = entry.content, f"dataset {stored.name}, entry {entry.sequence}"
        if content["what"] in EVENTS:
            course.follow(entry, Frontier())
            continue
        told = answers.get(content.get("entry", ""))
        asked = {mapping[name][0] for name in content["variables"] if name in mapping}
        answers_so = told is not None and (told.get("answer"), content["answer"]) in _PASSED_ON
        if told is None or not answers_so or set(told.get("variables", ())) != asked:
            course.faults.append(f"{where}: its table did not answer so")
        elif (
            content["answer"] == "release" and opened.margin(opened.mask(content["variables"]))[2] != content["margin"]
        ):
            course.faults.append(f"{where}: the counts told are not those stored")
        elif content["answer"] in KINDS:
            said = parts[tuple(told["variables"])]
            there = base.part(part_of(base.mask(told["variables"]), content["answer"], said))
            if project(opened, there.margin, content["variables"]).digest != content["margin"]:
                course.faults.append(f"{where}: the counts told are not those stored")
    return course.check_end(opened.state)


# What a view answers where its table answers so: what is no release may be withheld.
_PASSED_ON = {(word, word) for word in (RELEASE, REFUSE, SIMULATE, SUPPRESS, ROUND)} | {
    (word, REFUSE) for word in (SIMULATE, SUPPRESS, ROUND)
}
_ORIGIN = ("same as", "population", "predecessor", "codebook", "mapping")
