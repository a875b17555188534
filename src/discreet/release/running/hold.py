"""After a restore that may have forgotten answers, nothing new is decided until a custodian says what was told.

What was released after a backup was made is out there, and the restored server does not know of it: deciding as if it
had not been told could give people away. So decisions are held. What is known to be released is still answered. A
custodian ends the hold by `resume`, naming the margins that were told meanwhile (analysts hold receipts of them): these
count as released from then on, or as told in the same part, and everything is in the ledger. To name a margin as
released that was told in part would publish what was hidden: where the rule of a dataset tells parts, more than it
allows is not taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select

from discreet.errors import Faults, InputError
from discreet.release.answer import part_content
from discreet.release.decision import TOLD_BEFORE
from discreet.release.frontier import axes_of
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Setting
from discreet.release.life.rule import judge
from discreet.release.offers.partial import KINDS, Partial
from discreet.release.open_dataset import OpenDataset
from discreet.release.policy import split_margin
from discreet.release.units.together import lock_relatives
from discreet.release.units.views import base_names
from discreet.release.unresolved import still_open

NAME = "decisions held"


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


class Told(NamedTuple):
    """A margin of a dataset that was told: whole, or in part where `rows` of its file are hidden or `base` rounds."""

    dataset: str
    variables: tuple[str, ...]
    rows: tuple[int, ...] = ()
    base: int = 1

    @property
    def whole(self) -> bool:
        return not self.rows and self.base == 1

    def __str__(self) -> str:
        """As `read_told` reads it."""
        part = f"=round{self.base}" if self.base > 1 else "=" + ",".join(map(str, self.rows)) if self.rows else ""
        return f"{self.dataset}={':'.join(self.variables)}{part}"


def read_told(text: str) -> Told:
    """`auto=A:B`, and in part `auto=A:B=1,5` (rows of its file that are hidden) or `auto=A:B=round5`."""
    form = re.fullmatch(r"([^=]+)=(.*?)(?:=(?:round([1-9]\d{0,6})|(\d{1,9}(?:,\d{1,9})*)))?", text, re.DOTALL)
    if form is None:
        raise InputError("--released is written as DATASET=A:B, in part as DATASET=A:B=1,5 or DATASET=A:B=round5")
    name, margin, base, rows = form.groups()
    hidden = tuple(int(row) for row in rows.split(",")) if rows else ()
    return Told(name, split_margin(margin), hidden, int(base or 1))


def resume(database: Database, who: str, told: Sequence[Told]) -> None:
    """End the hold; each of `told` counts as released from now on, or as told in part."""
    with database.writing() as connection:
        if not is_held(connection):
            raise InputError("decisions are not held: there is nothing to resume")
        faults = Faults()
        known: list[tuple[Told, OpenDataset, int]] = []
        for one in told:
            try:
                known.append((one, *_found(connection, one)))
            except InputError as error:
                faults.extend(error)
        faults.raise_if_any()
        for one, opened, mask in known:
            _enter(connection, who, opened, mask, one)
        for name, opened in {opened.stored.name: opened for _, opened, _ in known}.items():
            state = store.load_state(connection, opened.stored.id)
            policy = opened.policy_of(state)
            harmful = policy.otherwise in KINDS and judge(opened.table, state.frontier, policy).harmful
            faults.check(
                not harmful,
                f"what is named of {name} is more than its rule allows. Was some of it told in part? Name "
                f"that with the rows that are hidden in its file, as {name}=A:B=1,5, or the base, as {name}=A:B=round5",
            )
        faults.raise_if_any()
        content = {
            "what": "decisions resumed",
            "who": who,
            "released": [[opened.stored.name, list(opened.names(mask))] for one, opened, mask in known if one.whole],
        }
        store.append(connection, SERVER, content)
        connection.execute(delete(Setting).where(Setting.name == NAME))


def _found(connection: Connection, told: Told) -> tuple[OpenDataset, int]:
    """The dataset with its latest state, and the margin; of a view, those of its table."""
    stored = store.load_dataset(connection, told.dataset)
    if stored is None:
        raise InputError(f"there is no dataset named {told.dataset[:64]!r}")
    opened = OpenDataset(stored, store.load_state(connection, stored.id))
    mask = opened.mask(told.variables)
    if stored.origin.unit is None:
        return opened, mask
    if not told.whole:
        raise InputError(f"{told.dataset} is a view: name what was told in part as a margin of {stored.origin.unit}")
    return _found(connection, Told(stored.origin.unit, tuple(base_names(opened, mask))))


def _enter(connection: Connection, who: str, opened: OpenDataset, mask: int, told: Told) -> None:
    """Enter a margin that was told before. Bounds carried so far do not know of it and are dropped."""
    stored = opened.stored
    relatives = lock_relatives(connection, stored)
    tip = store.lock_chain(connection, stored.chain)
    state = store.load_state(connection, stored.id)
    if state.frontier.covers(mask):
        return
    policy = opened.policy_of(state)
    forget = policy.mode == "simulatable"
    content: dict[str, Any] = {
        "what": "answer",
        "who": who,
        "variables": list(opened.names(mask)),
        "answer": "release",
        "ground": TOLD_BEFORE,
        "version": state.version + 1,
    }
    if told.whole:
        frontier = state.frontier.release(mask, forget_refusals=forget)
        content["margin"] = opened.margin(mask).digest
    else:
        part = _part(opened, mask, told)
        if state.frontier.part(mask) == part:
            return
        if policy.otherwise != part.kind or policy.base != part.base or state.frontier.part(mask) is not None:
            raise InputError(f"the rule of {stored.name} does not tell this margin in such a part")
        frontier = state.frontier.refuse(mask).tell(part, forget_refusals=forget)
        content |= {"answer": part.kind, "part": part_content(part), "margin": opened.part(part).digest}
    store.append(connection, stored.chain, content, tip)
    after = replace(
        state,
        revision=state.revision + 1,
        version=state.version + 1,
        frontier=frontier,
        carried={},
        unresolved={} if forget else still_open(state.unresolved, frontier),
    )
    store.save_state(connection, stored.id, after, carried=True)
    store.move_on(connection, relatives)


def _part(opened: OpenDataset, mask: int, told: Told) -> Partial:
    if told.base > 1:
        return Partial(mask, "round", (), told.base)
    hidden = tuple(sorted({row - 1 for row in told.rows}))
    size = prod(opened.table.shape[a] for a in axes_of(mask))
    if not 0 <= hidden[0] <= hidden[-1] < size:
        raise InputError(f"this margin of {told.dataset} has {size} rows, numbered from 1")
    return Partial(mask, "suppress", hidden)
