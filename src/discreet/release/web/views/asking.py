"""What an analyst sees: the variables, what is public, an answer. Nothing here but what is released."""

from __future__ import annotations

from typing import Any

from discreet.release.frontier import axes_of
from discreet.release.open_dataset import OpenDataset
from discreet.release.service import Answer

SHOWN_ROWS = 200
ANSWERS = {
    "release": ("✓", "Released"),
    "refuse": ("✕", "Refused"),
    "simulate": ("≈", "Synthetic"),
}


def ask_view(opened: OpenDataset) -> dict[str, Any]:
    """The variables to choose from and what is public: the same for everybody."""
    table = opened.table
    released = sorted(opened.state.frontier.released, key=lambda m: (m.bit_count(), axes_of(m)))
    return {
        "variables": [
            {"name": name, "categories": [str(c) for c in levels]}
            for name, levels in zip(table.names, table.categories)
        ],
        "released": [list(opened.names(mask)) for mask in released],
        "mode": opened.stored.policy.mode,
    }


def answer_view(answer: Answer) -> dict[str, Any]:
    symbol, word = ANSWERS[answer.answer]
    rows = [] if answer.margin is None else answer.margin.rows()
    return {
        "answer": answer,
        "symbol": symbol,
        "word": word,
        "columns": [*answer.variables, "count"],
        "rows": rows[:SHOWN_ROWS],
        "hidden": max(0, len(rows) - SHOWN_ROWS),
    }
