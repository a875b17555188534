"""What a custodian sees of a dataset: every margin's standing, the cells at risk, the ledger, a plan."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from discreet.release import engine
from discreet.release.decision import sensitive_cells
from discreet.release.frontier import axes_of, mask_of
from discreet.release.open_dataset import OpenDataset
from discreet.release.service import Service
from discreet.release.web.views.asking import ANSWERS
from discreet.work import Deadline

SHOWN_CELLS = 50
SHOWN_ENTRIES = 50
SHOWN_MARGINS = 640
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


def lattice_view(opened: OpenDataset) -> dict[str, Any]:
    """All margins, size by size, each with its standing; for custodians only."""
    frontier, k = opened.state.frontier, len(opened.table.names)
    levels, shown = [], 0
    for size in range(1, k + 1):
        chips: list[dict[str, Any]] = []
        for mask in _of_size(k, size):
            if shown + len(chips) >= SHOWN_MARGINS:
                break
            chips.append({"names": list(opened.names(mask)), "status": frontier.status(mask)})
        if not chips:
            break
        shown += len(chips)
        tally = {s: sum(c["status"] == s for c in chips) for s in ("released", "refused", "possible")}
        levels.append({"size": size, "chips": chips, "tally": tally})
    # One letter per variable would be ambiguous: short names only where they are short already.
    return {
        "levels": levels,
        "hidden": max(0, 2**k - 1 - shown),
        "policy": opened.stored.policy.sentences(),
        "refused": [list(opened.names(mask)) for mask in frontier.refused],
        "released": [list(opened.names(mask)) for mask in frontier.released],
    }


def cells_view(opened: OpenDataset) -> dict[str, Any]:
    """The sensitive cells with the narrowest bounds; for custodians only."""
    table, policy = opened.table, opened.stored.policy
    counts = table.dense().reshape(-1)
    cells = sensitive_cells(counts, policy.c)
    released = [axes_of(mask) for mask in opened.state.frontier.released]
    found = engine.bound_cells(table, released, cells, opened.state.carried, Deadline(LOOK_SECONDS))
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
        "nothing": not released,
    }


def ledger_view(service: Service, name: str, before: int) -> dict[str, Any]:
    entries = service.ledger(name, latest=True, limit=SHOWN_ENTRIES + 1, before=before or None)
    rows = []
    for entry in entries[:SHOWN_ENTRIES]:
        content = entry.content
        symbol, word = ANSWERS.get(content.get("answer", ""), ("•", "Opened"))
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


def plan_view(opened: OpenDataset) -> dict[str, Any]:
    from discreet.release.plan import plan

    made = plan(opened.table, opened.stored.policy, released=opened.state.frontier.released, time_limit=PLAN_SECONDS)
    return {
        "plan": made,
        "margins": [(list(step.variables), step.cells, step.gain) for step in made.steps],
    }


def _of_size(k: int, size: int) -> Iterator[int]:
    return (mask_of(axes) for axes in combinations(range(k), size))
