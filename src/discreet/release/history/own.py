"""What one person has asked, out of the ledger: her own entries, and of these what she was told.

Grounds and evidence stay out: in mode "exact" they depend on the data.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, or_, select

from discreet.release.history.models import LedgerEntry

# What a dataset told; a view passes on what its table did.
WHAT = ("answer", "passed on")


@dataclass(frozen=True)
class OwnAnswer:
    """A request of hers and its answer.

    `number` orders the entries of all chains, `version` counts releases; a view has none of its own.
    """

    number: int
    chain: str
    at: str
    variables: tuple[str, ...]
    answer: str
    version: int
    entry: str


def read_own(
    connection: Connection,
    chains: Sequence[str],
    who: str,
    *,
    limit: int,
    before: int | None = None,
    refused: bool = False,
) -> list[OwnAnswer]:
    """Her answers in these chains, the latest first; with `refused` those alone that were not releases."""
    said = LedgerEntry.body
    # Both say the same within a chain; the index of one chain then ends the search as soon as enough are found.
    order = LedgerEntry.sequence if len(chains) == 1 else LedgerEntry.id
    query = (
        select(LedgerEntry.id, LedgerEntry.chain, LedgerEntry.body, LedgerEntry.hash)
        .where(LedgerEntry.chain.in_(list(chains)))
        .where(
            said.contains(_part("who", who), autoescape=True),
            or_(*(said.contains(_part("what", what)) for what in WHAT)),
        )
        .order_by(order.desc())
        .limit(limit)
    )
    if before is not None:
        query = query.where(LedgerEntry.id < before)
    if refused:
        query = query.where(
            or_(*(said.contains(_part("answer", word)) for word in ("refuse", "simulate", "suppress", "round")))
        )
    found = []
    for row in connection.execute(query):
        content = json.loads(row.body)
        if content.get("who") == who and content.get("what") in WHAT:  # the search goes by parts of the text
            found.append(
                OwnAnswer(
                    row.id,
                    row.chain,
                    content["at"],
                    tuple(content["variables"]),
                    content["answer"],
                    content.get("version", 0),
                    row.hash,
                )
            )
    return found


def _part(key: str, value: str) -> str:
    return f'"{key}":{json.dumps(value, ensure_ascii=False)}'
