"""A new table among those that are here: compared, related, and with what is public of it from the start.

All in the transaction that stores it, one table after the other, so that no two are loaded past each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from discreet.errors import InputError
from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.history import store
from discreet.release.history.store import Origin
from discreet.release.loading.sameness import digest_margins, find_same, load_key, save_digests
from discreet.release.policy import Policy
from discreet.release.support import check_support, opening_frontier
from discreet.release.units.origin import check_opening, check_origin, origin_content, resolve_origin, settle_origin
from discreet.release.units.relatives import find_relatives


@dataclass(frozen=True)
class Entering:
    """What is settled about a table before it is stored: `notes` are sentences for the custodian and the ledger."""

    origin: Origin
    frontier: Frontier
    notes: Sequence[str]
    digests: dict[tuple[int, ...], str]
    distinct: bool

    def content(self) -> dict[str, Any]:
        """What the opening entry says of it."""
        said = {**origin_content(self.origin), "digests": len(self.digests)}
        if self.distinct:
            said["distinct"] = True
        if self.notes:
            said["said"] = list(self.notes)
        return said


def prepare(
    connection: Connection,
    name: str,
    table: Table,
    policy: Policy,
    masks: Sequence[int],
    origin: Origin,
    *,
    distinct: bool = False,
) -> Entering:
    """Compare a table with those that are here and relate it to them; `masks` are the margins published elsewhere."""
    check_origin(origin, distinct=distinct)
    key = load_key(connection)
    digests = digest_margins(table, key)
    if store.dataset_id(connection, name) is not None:
        raise InputError(f"there is already a dataset named {name!r}: choose another name")
    origin = resolve_origin(connection, origin)
    relatives = find_relatives(connection, name, origin.population, origin.predecessor)
    matches = find_same(connection, digests, key)
    settled = settle_origin(connection, table, policy, origin, matches, relatives, distinct=distinct)
    if settled.unit is not None:
        return Entering(settled, Frontier(), (), digests, distinct)
    declared = set(origin.labels)
    check_support(table, policy, masks, declared)
    frontier = opening_frontier(table, policy, masks, declared)
    notes = check_opening(connection, table, policy, relatives, frontier)
    return Entering(settled, frontier, notes, digests, distinct)


def remember(connection: Connection, number: int, table: Table, entering: Entering) -> None:
    """Keep the digests of the table that was stored under this number."""
    save_digests(connection, number, table, entering.digests)
