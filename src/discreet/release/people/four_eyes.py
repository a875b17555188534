"""Where the second pair of eyes is asked for, and loading a table with it.

Asked for by a policy (`four_eyes = true`), or for everything by a setting of the database that only the command
changes. A table that waits is kept whole in its proposal; nothing of it is a dataset before it is confirmed.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, insert, select

from discreet.errors import DiscreetError, InputError
from discreet.release.engine import Table
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.models import Dataset, Setting
from discreet.release.life.rule import change_policy, policy_now
from discreet.release.loading.register import add_dataset, check_dataset
from discreet.release.people.proposals import LOAD, POLICY, Carrier, Pending, propose
from discreet.release.people.record import FOUR_EYES
from discreet.release.policy import Policy

SETTING = "four_eyes"


class Waits(DiscreetError):
    """No fault of anybody: the change was proposed, and waits for another custodian."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(f"proposal {number} waits for another custodian to confirm it; nothing has changed so far")


def needs_second(database: Database, *policies: Policy) -> bool:
    """Whether a change under these policies (the old one and the new one) needs another custodian."""
    return any(policy.four_eyes for policy in policies) or asked_everywhere(database)


def loading_needs_second(database: Database, policy: Policy, unit: str | None) -> bool:
    """Whether loading a table does; a view of `unit` joins the history of a table whose rule may ask for it."""
    with database.reading() as connection:
        table = store.load_dataset(connection, unit) if unit is not None and store.is_name(unit) else None
        if table is not None and table.origin.unit is not None:
            table = store.load_dataset(connection, table.origin.unit)
    rules = [policy] if table is None else [policy, policy_now(database, table.name)]
    return needs_second(database, *rules)


def asked_everywhere(database: Database) -> bool:
    with database.reading() as connection:
        return connection.execute(select(Setting.value).where(Setting.name == SETTING)).scalar_one_or_none() == "true"


def ask_everywhere(database: Database, wanted: bool, *, who: str) -> None:
    """Ask for two custodians for every load and every change of a policy, or only where a policy does."""
    with database.writing() as connection:
        store.lock_chain(connection, SERVER)
        connection.execute(delete(Setting).where(Setting.name == SETTING))
        if wanted:
            connection.execute(insert(Setting).values(name=SETTING, value="true"))
        what = next(words for words, asked in FOUR_EYES.items() if asked == wanted)
        store.append(connection, SERVER, {"what": what, "who": who})


def propose_load(
    database: Database, who: str, name: str, table: Table, policy: Policy, options: Mapping[str, Any] | None = None
) -> int:
    """Let a table wait, checked as if it were loaded; `options` go to `add_dataset` by name."""
    check_dataset(name, table, policy)
    with database.reading() as connection:
        if connection.execute(select(Dataset.id).where(Dataset.name == name)).first() is not None:
            raise InputError(f"there is already a dataset named {name!r}: choose another name")
    content = {
        "variables": list(table.names),
        "categories": [list(c) for c in table.categories],
        "counts": base64.b64encode(store.pack({"counts": table.dense()})).decode(),
        "table": store.table_digest(table),
        "policy": policy.to_dict(),
        "options": dict(options or {}),
    }
    return propose(database, who, LOAD, name, content)


def table_of(proposal: Pending) -> Table:
    """The table that a proposal would load."""
    content = proposal.content
    counts = store.unpack(base64.b64decode(content["counts"]))["counts"]
    table = Table(tuple(content["variables"]), tuple(tuple(c) for c in content["categories"]), counts)
    if store.table_digest(table) != content["table"]:
        raise InputError("the proposal is not what was proposed: reject it, and load the table again")
    return table


def _load(database: Database, proposal: Pending) -> None:
    policy = Policy.from_mapping(proposal.content["policy"])
    add_dataset(database, proposal.who, proposal.subject, table_of(proposal), policy, **proposal.content["options"])


def change_rule(database: Database, who: str, name: str, policy: Policy, *, confirm: bool = False) -> list[str]:
    """Change the rule of a dataset, or propose to where two custodians are needed; sentences for the custodian."""
    if needs_second(database, policy_now(database, name), policy):
        content = {"policy": policy.to_dict(), "confirm": confirm}
        raise Waits(propose(database, who, POLICY, name, content))
    return change_policy(database, who, name, policy, confirm=confirm)


def _change(database: Database, proposal: Pending) -> None:
    policy = Policy.from_mapping(proposal.content["policy"])
    change_policy(database, proposal.who, proposal.subject, policy, confirm=proposal.content["confirm"])


CARRIERS: dict[str, Carrier] = {LOAD: _load, POLICY: _change}
"""How each kind of proposal is carried out."""
