"""What a custodian sees of a dataset: the cells at risk, the ledger, a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.release import engine
from discreet.release.decision import sensitive_cells
from discreet.release.open_dataset import OpenDataset
from discreet.release.people.actor import Actor
from discreet.release.queue.tasks import look, propose
from discreet.release.queue.ticket import Ticket
from discreet.release.service import Service
from discreet.release.web.views.history import ANSWERS

if TYPE_CHECKING:
    from discreet.release.engine import CellBounds
    from discreet.release.plan import ReleasePlan

SHOWN_CELLS = 50
SHOWN_ENTRIES = 50
LOOK_SECONDS = 5.0
PLAN_SECONDS = 30.0

GROUNDS = {
    "contained": "contained in a released margin",
    "frontier": "contains a refused margin",
    "safe": "proven safe",
    "danger": "a sensitive cell would be too narrow",
    "few tables": "too few tables would remain",
    "unresolved": "not settled within the time limit",
}


def look_at_cells(service: Service, actor: Actor, opened: OpenDataset) -> Ticket:
    """Have the bounds of the sensitive cells worked out."""
    cells = sensitive_cells(opened.table.dense().reshape(-1), opened.policy.c)
    given = (opened.table, opened.state.frontier, cells, opened.state.carried)
    return service.compute(actor, look, *given, seconds=LOOK_SECONDS)


def cells_view(opened: OpenDataset, found: CellBounds) -> dict[str, Any]:
    """The sensitive cells with the narrowest bounds; for custodians only."""
    table, policy = opened.table, opened.policy
    counts = table.dense().reshape(-1)
    cells = sensitive_cells(counts, policy.c)
    order = sorted(range(cells.size), key=lambda i: (found.upper[i] - found.lower[i], int(cells[i])))
    rows = [
        {
            "categories": [str(c) for c in engine.categories_of(table, int(cells[i]))],
            "count": int(counts[cells[i]]),
            "lower": int(found.lower[i]),
            "upper": int(found.upper[i]),
            "width": int(found.upper[i] - found.lower[i]),
            "sharp": bool(found.sharp[i]),
        }
        for i in order[:SHOWN_CELLS]
    ]
    return {
        "variables": list(table.names),
        "cells": rows,
        "sensitive": int(cells.size),
        "hidden": max(0, int(cells.size) - SHOWN_CELLS),
        "total": table.total,
        "size": table.size,
        "c": policy.c,
        "w": policy.w,
        "nothing": opened.state.frontier.public == ((), ()),
    }


def ledger_view(service: Service, name: str, before: int) -> dict[str, Any]:
    entries = service.ledger(name, latest=True, limit=SHOWN_ENTRIES + 1, before=before or None)
    rows = []
    for entry in entries[:SHOWN_ENTRIES]:
        content = entry.content
        symbol, word = ANSWERS.get(content.get("answer", ""), ("•", str(content["what"]).capitalize()))
        rows.append(
            {
                "sequence": entry.sequence,
                "at": content["at"][:19].replace("T", " "),
                "who": content.get("who", ""),
                "variables": content.get("variables", []),
                "answer": content.get("answer", "opened"),
                "symbol": symbol,
                "word": word,
                "ground": GROUNDS.get(content.get("ground", ""), ""),
                "hash": entry.hash,
            }
        )
    more = rows[-1]["sequence"] if len(entries) > SHOWN_ENTRIES else 0
    return {"entries": rows, "more": more}


def make_plan(service: Service, actor: Actor, opened: OpenDataset) -> Ticket:
    """Have a plan worked out."""
    given = (opened.table, opened.policy, opened.state.frontier.released)
    return service.compute(actor, propose, *given, seconds=PLAN_SECONDS)


def plan_view(opened: OpenDataset, made: ReleasePlan) -> dict[str, Any]:
    return {
        "plan": made,
        "margins": [
            {"mask": opened.mask(step.variables), "names": list(step.variables), "cells": step.cells, "gain": step.gain}
            for step in made.steps
        ],
    }
