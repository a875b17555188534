"""What a custodian says of a new table beside its counts: checked against what is here before it is stored.

A table that looks like one that is here is refused, unless the custodian says what it is: the same data (`same-as`:
one history), about the same people (`population`, `predecessor`: decisions look at both), or another table that looks
like it by chance (`distinct`: entered in the ledger under the custodian's name).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from discreet.errors import Faults, InputError
from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.history import store
from discreet.release.history.chain import canonical
from discreet.release.history.store import Origin, StoredDataset
from discreet.release.loading.sameness import Match
from discreet.release.policy import Policy
from discreet.release.units.coarsening import find_mapping, find_view
from discreet.release.units.relatives import Relative
from discreet.release.units.together import check_relatives


def check_origin(origin: Origin, *, distinct: bool) -> None:
    """Whether what is said goes together."""
    faults = Faults()
    if origin.unit is not None:
        faults.check(not distinct, "a table is the same as another or distinct from it: not both")
        faults.check(
            origin.population is None and origin.predecessor is None,
            "a view has the population and the predecessor of its table: leave them out",
        )
    faults.check(
        origin.population is None or store.is_name(origin.population),
        "a population's " + store.NAME_RULE,
    )
    faults.raise_if_any()


def resolve_origin(connection: Connection, origin: Origin) -> Origin:
    """With the predecessor's table where a view was named; an error where there is none of the name."""
    if origin.predecessor is None:
        return origin
    return replace(origin, predecessor=_existing(connection, origin.predecessor).name)


def settle_origin(
    connection: Connection,
    table: Table,
    policy: Policy,
    origin: Origin,
    matches: Sequence[Match],
    relatives: Sequence[Relative],
    *,
    distinct: bool,
) -> Origin:
    """The origin with a view's table and its maps; an error where the table is here already and nothing is said."""
    if origin.unit is not None:
        return _as_view(connection, table, policy, origin)
    related = {relative.name for relative in relatives}
    unsaid = [match for match in matches if (match.unit or match.name) not in related]
    if unsaid and not distinct:
        first = unsaid[0].unit or unsaid[0].name
        raise InputError(
            f"this may be a table that is here already: {unsaid[0].sentence()}. If it is the same data, say so "
            f"(same-as {first}): both then have one history. If it is about the same people, give both a population, "
            "or this one a predecessor. If it is neither, say that it is distinct: the ledger will have it"
        )
    return origin


def check_opening(
    connection: Connection,
    table: Table,
    policy: Policy,
    relatives: Sequence[Relative],
    frontier: Frontier,
) -> list[str]:
    """Whether decisions can look at all tables about the same people; sentences for the custodian."""
    if not relatives:
        return []
    if policy.support == "released":
        raise InputError('support = "released" would publish before any decision: declare categories in a codebook')
    notes = check_relatives(table, policy, [(r, _existing(connection, r.name)) for r in relatives])
    if frontier.released:
        notes.append("What is published of this table counts in the decisions on the others.")
        store.move_on(connection, [r.id for r in relatives])
    return notes


def origin_content(origin: Origin) -> dict[str, Any]:
    """What the opening entry says of it; codebooks and maps by their digests."""
    content: dict[str, Any] = {
        key: value
        for key, value in (
            ("same as", origin.unit),
            ("population", origin.population),
            ("predecessor", origin.predecessor),
        )
        if value is not None
    }
    for key, mapping in (("codebook", origin.labels), ("mapping", origin.mapping)):
        if mapping:
            text = canonical(dict(mapping))
            content[key] = hashlib.sha256(text.encode()).hexdigest()
    return content


def _as_view(connection: Connection, table: Table, policy: Policy, origin: Origin) -> Origin:
    base = _existing(connection, str(origin.unit))
    if policy not in (Policy(), base.policy):
        raise InputError("a view is decided by the rule of its table: give no policy")
    mapping = find_view(table, base.table)
    if mapping is not None:
        return replace(origin, unit=base.name, mapping=mapping)
    if find_mapping(base.table, table) is not None:
        raise InputError(
            f"the table is finer than {base.name}, whose history cannot be carried over to it: retire {base.name}, "
            "load this one as distinct with what was released as published, and the coarser one as the same as this"
        )
    raise InputError(
        f"the table is no view of {base.name}: no choice of its variables, with categories merged, has these counts"
    )


def _existing(connection: Connection, name: str) -> StoredDataset:
    """The dataset of this name with its present rule; of a view, its table."""
    found = store.load_dataset(connection, name) if store.is_name(name) else None
    if found is not None and found.origin.unit is not None:
        found = store.load_dataset(connection, found.origin.unit)
    if found is None:
        raise InputError(f"there is no dataset named {name[:64]!r}")
    return replace(found, policy=store.load_state(connection, found.id).policy or found.policy)
