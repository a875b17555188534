"""Publishing the margins of a plan: one after the other, each through the same decision as any request.

What has been asked and what is left travels with the form, so nothing needs to be remembered here: whoever leaves, has
stopped. Each step asks for margins until its time is over, at least for one. What stands in the list afterwards comes
from the state and the ledger.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from discreet.errors import InputError
from discreet.release.history.own import read_own
from discreet.release.open_dataset import OpenDataset
from discreet.release.people.actor import Actor
from discreet.release.queue.ticket import Busy
from discreet.release.service import Service
from discreet.release.web.views.history import ANSWERS

STEP_SECONDS = 1.5
MOST_MARGINS = 500


@dataclass(frozen=True)
class Round:
    """Margins to publish (bit masks), and how many of them have been asked."""

    masks: tuple[int, ...]
    asked: int = 0


def check_round(opened: OpenDataset, round: Round) -> None:
    whole = 1 << len(opened.table.names)
    if not 0 < len(round.masks) <= MOST_MARGINS or not all(0 <= mask < whole for mask in round.masks):
        raise InputError("these are no margins of this dataset: work out a plan again")
    if len(set(round.masks)) < len(round.masks) or not 0 <= round.asked <= len(round.masks):
        raise InputError("the form has been changed: work out a plan again")


def publish_some(service: Service, actor: Actor, name: str, round: Round) -> tuple[Round, list[str]]:
    """Ask for the next margins until the time of a step is over; what went wrong, in words, stops the round."""
    opened = service.open(name)
    begun, asked = time.monotonic(), round.asked
    faults: list[str] = []
    while asked < len(round.masks) and (asked == round.asked or time.monotonic() - begun < STEP_SECONDS):
        try:
            service.ask(actor, name, opened.names(round.masks[asked]))
        except Busy:
            faults = ["The server is busy. Go on in a little while."]
            break
        except InputError as error:
            faults = list(error.faults)
            break
        asked += 1
    return Round(round.masks, asked), faults


def publishing_view(service: Service, actor: Actor, opened: OpenDataset, round: Round) -> dict[str, Any]:
    """The margins of the round: what each was answered, or that it waits."""
    with service.database.reading() as connection:
        own = read_own(connection, [opened.stored.chain], actor.name, limit=2 * MOST_MARGINS)
    latest = {opened.mask(answer.variables): answer for answer in reversed(own)}
    lines = []
    for place, mask in enumerate(round.masks):
        answer = latest.get(mask) if place < round.asked else None
        symbol, word = ANSWERS[answer.answer] if answer else ("·", "Waits")
        lines.append(
            {
                "names": list(opened.names(mask)),
                "answer": answer.answer if answer else "waits",
                "symbol": symbol,
                "word": word,
                "entry": answer.entry if answer else "",
            }
        )
    told = sum(line["answer"] == "release" for line in lines)
    return {"round": round, "lines": lines, "told": told, "left": len(round.masks) - round.asked}
