"""Draft, open, closed, retired: who is served, and with what.

    draft     custodians alone see it and may ask
    open      whoever has access asks, decisions are made
    closed    what is released can still be had; nothing is decided any more
    retired   custodians alone see what was released; final

A dataset is opened from draft or closed, closed when open, and retired whenever. Each change is an entry of its chain
and of the server's. It moves the revision on, so that no decision that was begun before is written down after it. A
view is served no further than its table is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from discreet.errors import InputError
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.store import StoredState

if TYPE_CHECKING:
    from discreet.release.people.actor import Actor

Stage = Literal["draft", "open", "closed", "retired"]
DRAFT: Final = "draft"
OPEN: Final = "open"
CLOSED: Final = "closed"
RETIRED: Final = "retired"

# To which stage from which.
STEPS: dict[str, tuple[str, ...]] = {OPEN: (DRAFT, CLOSED), CLOSED: (OPEN,), RETIRED: (DRAFT, OPEN, CLOSED)}


class UnknownDataset(InputError):
    """There is no dataset of this name, for the one who asks."""


class ClosedDataset(InputError):
    """Nothing is decided on this dataset any more."""


def stricter(one: str, other: str) -> str:
    """The stage of a view whose table has a stage of its own: whichever serves fewer."""
    return max(one, other, key=(OPEN, CLOSED, DRAFT, RETIRED).index)


def is_visible(name: str, stage: str, actor: Actor | None) -> bool:
    """Whether the dataset exists for this person; nobody stands for the command line."""
    return stage in (OPEN, CLOSED) or actor is None or actor.role_for(name) == "custodian"


def check_visible(name: str, stage: str, actor: Actor | None) -> None:
    if not is_visible(name, stage, actor):
        raise UnknownDataset("there is no dataset of this name")


def check_asking(name: str, state: StoredState, actor: Actor, covered: bool) -> None:
    """Whether this person may ask now; `covered` says that the margin follows from released ones."""
    check_visible(name, state.stage, actor)
    if state.stage in (CLOSED, RETIRED) and not covered:
        raise ClosedDataset(
            f"the dataset {name} is {state.stage}: what was released can still be had, nothing new is decided"
        )


def change_stage(database: Database, who: str, name: str, stage: str) -> None:
    """Move a dataset on; an error where the step does not exist."""
    with database.writing() as connection:
        stored = store.load_dataset(connection, name) if store.is_name(name) else None
        if stored is None:
            raise UnknownDataset("there is no dataset of this name")
        store.lock_states(connection, [stored.id])
        own = store.lock_chain(connection, stored.chain)
        state = store.load_state(connection, stored.id)
        if state.stage not in STEPS.get(stage, ()):
            raise InputError(f"the dataset {name} is {state.stage}: {_ways(state.stage)}")
        content = {"what": "stage changed", "who": who, "from": state.stage, "stage": stage}
        entry = store.append(connection, stored.chain, content, own)
        after = replace(state, revision=state.revision + 1, stage=stage)
        store.save_state(connection, stored.id, after, carried=False)
        store.append(connection, SERVER, {**content, "name": name, "entry": entry.hash})


def possible(stage: str) -> list[str]:
    """Where a dataset can go from here."""
    return [after for after, before in STEPS.items() if stage in before]


def _ways(stage: str) -> str:
    ways: Iterable[str] = possible(stage)
    return "it can become " + " or ".join(ways) if ways else "that is for good"
