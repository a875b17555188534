"""After a restore that may have forgotten answers, nothing new is decided until a custodian says what was told.

What was released after a backup was made is out there, and the restored server does not know of it: deciding as if it
had not been told could give people away. So decisions are held. What is known to be released is still answered. A
custodian ends the hold by `resume`, naming the margins that were told meanwhile (analysts hold receipts of them): these
count as released from then on, and everything is in the ledger.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from discreet.errors import Faults, InputError
from discreet.release.frontier import axes_of
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Setting
from discreet.release.history.store import StoredState
from discreet.release.open_dataset import OpenDataset

NAME = "decisions held"
TOLD_BEFORE = "told before"


class Held(Exception):
    """Decisions wait for a custodian."""


def hold(connection: Connection, why: dict[str, Any]) -> None:
    connection.execute(delete(Setting).where(Setting.name == NAME))
    connection.execute(insert(Setting).values(name=NAME, value=json.dumps(why)))


def is_held(connection: Connection) -> bool:
    return connection.execute(select(Setting.name).where(Setting.name == NAME)).first() is not None


def check_hold(database: Database) -> None:
    with database.reading() as connection:
        if is_held(connection):
            raise Held


def resume(database: Database, who: str, told: Sequence[tuple[str, tuple[str, ...]]]) -> None:
    """End the hold; each of `told`, a dataset and variables, counts as released from now on."""
    with database.writing() as connection:
        if not is_held(connection):
            raise InputError("decisions are not held: there is nothing to resume")
        faults = Faults()
        known: list[tuple[str, OpenDataset, int]] = []
        for name, variables in told:
            stored = store.load_dataset(connection, name)
            if stored is None:
                faults.add(f"there is no dataset named {name[:64]!r}")
                continue
            opened = OpenDataset(stored, store.load_state(connection, stored.id))
            try:
                known.append((name, opened, opened.mask(variables)))
            except InputError as error:
                faults.extend(error)
        faults.raise_if_any()
        for _, opened, mask in known:
            _release(connection, who, opened, mask)
        content = {
            "what": "decisions resumed",
            "who": who,
            "released": [[name, list(opened.names(mask))] for name, opened, mask in known],
        }
        store.append(connection, SERVER, content)
        connection.execute(delete(Setting).where(Setting.name == NAME))


def _release(connection: Connection, who: str, opened: OpenDataset, mask: int) -> None:
    """Enter a margin that was told before as released. Bounds carried so far do not know of it and are dropped."""
    stored = opened.stored
    tip = store.lock_chain(connection, stored.chain)
    state = store.load_state(connection, stored.id)
    forget = stored.policy.mode == "simulatable"
    after = StoredState(state.revision + 1, state.version + 1, state.frontier.release(mask, forget_refusals=forget), {})
    content = {
        "what": "answer",
        "who": who,
        "variables": [stored.table.names[a] for a in axes_of(mask)],
        "answer": "release",
        "ground": TOLD_BEFORE,
        "version": after.version,
        "margin": opened.margin(mask)[2],
    }
    store.append(connection, stored.chain, content, tip)
    store.save_state(connection, stored.id, after, carried=True)
