"""What one who asks is told: the answer, its reason in words, the counts, a receipt; what the ledger says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet.release.decision import (
    REFUSE,
    RELEASE,
    ROUND,
    SIMULATE,
    SUPPRESS,
    UNRESOLVED,
    Decision,
    Ground,
    Reply,
)
from discreet.release.offers.partial import Partial
from discreet.release.open_dataset import Margin, Told
from discreet.release.people.actor import Actor

REASONS = {
    RELEASE: "The margin is safe to publish together with everything released before.",
    REFUSE: "The margin cannot be published: with what has been released, it could reveal too much about some people.",
    SIMULATE: "The margin cannot be published. These counts come from a synthetic table that agrees with every "
    "released margin and with nothing else of the data. Counts that the released margins fix are the true ones; any "
    "other may be by chance.",
    SUPPRESS: "The margin cannot be published whole. Some of its counts are hidden; those that are told are true.",
    ROUND: "The margin cannot be published as it is. Its counts are rounded, one by one, to the nearest multiple of a "
    "base; they need not add up.",
}


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


def answer_of(decision: Decision, names: tuple[str, ...], told: Told | None, entry: str) -> Answer:
    """What a decision comes to: the counts that are told, and the entry's hash as a receipt."""
    margin, text = (None, "null") if told is None else (told.margin, told.text)
    return Answer(decision.answer, REASONS[decision.answer], names, margin, text, entry, decision.ground)


def content_of(
    actor: Actor, names: tuple[str, ...], version: int, decision: Decision, limit: float | None
) -> dict[str, Any]:
    """What the ledger says of a decision."""
    content: dict[str, Any] = {
        "what": "answer",
        "who": actor.name,
        "variables": list(names),
        "answer": decision.answer,
        "ground": decision.ground,
        "version": version,
    }
    if decision.evidence:
        content["evidence"] = dict(decision.evidence)
    if decision.attempt is not None:
        content["attempt"] = decision.attempt.to_dict()
    elif decision.ground == UNRESOLVED:
        content["waiting"] = True
    if limit is not None:
        content["limit"] = limit
    if decision.total_released:
        content["total released"] = True
    if decision.new:  # what is told in part is fixed here; null where no part can be
        content["part"] = None if decision.partial is None else part_content(decision.partial)
    return content


def part_content(partial: Partial) -> dict[str, Any]:
    """What the ledger says of a part that is told: the places of the hidden counts, or the base of rounding."""
    return {"base": partial.base} if partial.kind == ROUND else {"hidden": list(partial.hidden)}


def part_of(mask: int, answer: str, content: Mapping[str, Any]) -> Partial:
    """The part that an entry says."""
    if answer == ROUND:
        return Partial(mask, ROUND, (), content["base"])
    return Partial(mask, SUPPRESS, tuple(content["hidden"]))
