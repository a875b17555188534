"""What a person has asked before and was told, from her own entries of the ledger alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.release.history.own import OwnAnswer, read_own
from discreet.release.history.store import chain_of
from discreet.release.open_dataset import OpenDataset
from discreet.release.people.actor import Actor
from discreet.release.service import Service

SHOWN = 50
SHOWN_SHORT = 8
MOST_REFUSED = 1000

ANSWERS = {
    "release": ("✓", "Released"),
    "refuse": ("✕", "Refused"),
    "simulate": ("≈", "Synthetic"),
    "suppress": ("◐", "In part"),
    "round": ("○", "Rounded"),
}


def history_view(service: Service, actor: Actor, names: Sequence[str], before: int) -> dict[str, Any]:
    """Her answers on these datasets, the latest first, and where the next page begins."""
    chains = [chain_of(name) for name in names]
    with service.database.reading() as connection:
        found = read_own(connection, chains, actor.name, limit=SHOWN + 1, before=before or None)
    more = found[SHOWN - 1].number if len(found) > SHOWN else 0
    return {"asked": [_line(answer) for answer in found[:SHOWN]], "more": more}


def recent_view(service: Service, actor: Actor, opened: OpenDataset) -> list[dict[str, Any]]:
    """Her last few answers on this dataset."""
    with service.database.reading() as connection:
        found = read_own(connection, [opened.stored.chain], actor.name, limit=SHOWN_SHORT)
    return [_line(answer) for answer in found]


def own_refusals(service: Service, actor: Actor, opened: OpenDataset) -> list[int]:
    """The margins that were refused to her and would be again.

    In mode "exact" a refusal stands. In mode "simulatable" it stands until something is released, which is known to
    everybody. What was asked of a view was refused by its table.
    """
    table = opened.base or opened
    with service.database.reading() as connection:
        found = read_own(connection, [table.stored.chain], actor.name, limit=MOST_REFUSED, refused=True)
    mode, version = opened.policy.mode, opened.state.version
    stand = [answer.variables for answer in found if mode == "exact" or answer.version == version]
    mapping = opened.stored.origin.mapping if opened.base is not None else {n: (n,) for n in opened.table.names}
    own = {of[0]: name for name, of in mapping.items()}
    return [opened.mask(own[name] for name in names) for names in stand if all(name in own for name in names)]


def _line(answer: OwnAnswer) -> dict[str, Any]:
    symbol, word = ANSWERS[answer.answer]
    return {
        "dataset": answer.chain.partition("/")[2],
        "at": answer.at[:16].replace("T", " "),
        "variables": list(answer.variables),
        "answer": answer.answer,
        "symbol": symbol,
        "word": word,
        "entry": answer.entry,
    }
