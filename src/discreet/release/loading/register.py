"""A table under a policy becomes a dataset: checked, stored, and entered into the ledger."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError

from discreet.errors import Faults, InputError
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, mask_of
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.store import StoredState
from discreet.release.policy import Policy

MAX_CELLS = 1 << 22
MAX_VARIABLES = 62


def add_dataset(database: Database, who: str, name: str, table: Table, policy: Policy) -> None:
    """Load a table under a policy."""
    masks = check_dataset(name, table, policy)
    frontier = Frontier()
    for mask in masks:
        frontier = frontier.release(mask)
    state = StoredState(0, 0, frontier, {})
    try:
        with database.writing() as connection:
            store.add_dataset(connection, name, table, policy, state)
            opening = store.append(
                connection,
                store.chain_of(name),
                {
                    "what": "opened",
                    "who": who,
                    "policy": policy.to_dict(),
                    "variables": list(table.names),
                    "table": store.table_digest(table),
                },
            )
            content = {"what": "dataset added", "who": who, "name": name, "entry": opening.hash}
            store.append(connection, SERVER, content)
    except IntegrityError:
        raise InputError(f"there is already a dataset named {name!r}: choose another name") from None


def check_dataset(name: str, table: Table, policy: Policy) -> list[int]:
    """Whether a table can be served; the masks of the margins that are public already."""
    faults = Faults()
    faults.check(store.is_name(name), "a dataset's " + store.NAME_RULE)
    faults.check(len(table.names) <= MAX_VARIABLES, f"a table may have at most {MAX_VARIABLES} variables")
    faults.check(
        table.size <= MAX_CELLS,
        f"the table has {table.size} cells and at most {MAX_CELLS} can be served: join categories or drop variables",
    )
    faults.check("count" not in table.names, "a variable cannot be named count: rename it")
    faults.check(table.total > 0, "the table is empty: every count is 0")
    masks = []
    for margin in policy.published:
        try:
            masks.append(mask_of(table.axes(margin)))
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    return masks
