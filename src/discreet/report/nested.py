"""A table with totals laid out as people know it: the variable with the fewest labels across, the others down.

Each column is a node of the variable's tree, the group's own total before its members; a header row for every level, in
which a label spans all columns below it. Down the side the other variables are nested, and a label is printed where it
changes, indented by its level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from discreet.results import Heading, Line, Nested

MOST_ROWS = 400
MOST_COLUMNS = 60


class Axis(NamedTuple):
    """A variable: its labels depth first with the total first, and the depth of each."""

    name: str
    labels: Sequence[str]
    depths: Sequence[int]


def layout(
    axes: Sequence[Axis],
    cells: Mapping[tuple[int, ...], tuple[str, str]],
    absent: tuple[str, str],
    *,
    whole: bool = False,
) -> Nested:
    """The table of cells by the places of their labels; `absent` is shown for those that are not listed.

    Not `whole`, a very large one is cut, and says so.
    """
    across = min(range(len(axes)), key=lambda v: (len(axes[v].labels), -v)) if len(axes) > 1 else None
    down = [v for v in range(len(axes)) if v != across]
    columns = range(len(axes[across].labels)) if across is not None else range(1)
    notes = []
    if not whole and len(columns) > MOST_COLUMNS:
        notes.append(f"the first {MOST_COLUMNS} of {len(columns)} columns")
        columns = columns[:MOST_COLUMNS]
    rows = sorted({tuple(key[v] for v in down) for key in cells})
    if not whole and len(rows) > MOST_ROWS:
        notes.append(f"the first {MOST_ROWS} of {len(rows)} rows")
        rows = rows[:MOST_ROWS]
    lines = []
    before: tuple[int, ...] | None = None
    for row in rows:
        entries = []
        for column in columns:
            key = [0] * len(axes)
            for v, place in zip(down, row):
                key[v] = place
            if across is not None:
                key[across] = column
            entries.append(cells.get(tuple(key), absent))
        changed = next((at for at, place in enumerate(row) if before is None or before[at] != place), len(row))
        labels = [None if at < changed else axes[v].labels[place] for at, (v, place) in enumerate(zip(down, row))]
        lines.append(Line(labels, [axes[v].depths[place] for v, place in zip(down, row)], entries))
        before = row
    head = [[Heading("")]] if across is None else _head(axes[across], len(columns))
    return Nested([axes[v].name for v in down], head, lines, ("Shown: " + ", ".join(notes) + ".") if notes else "")


def _head(axis: Axis, shown: int) -> list[list[Heading]]:
    """The rows of headings: the variable's name, then a row for every level of its tree."""
    labels, depths = axis.labels[:shown], axis.depths[:shown]
    height = max(depths, default=0)
    rows: list[list[Heading]] = [[] for _ in range(height + 1)]
    for node, (label, depth) in enumerate(zip(labels, depths)):
        end = next((later for later in range(node + 1, len(labels)) if depths[later] <= depth), len(labels))
        if end == node + 1:
            rows[depth].append(Heading(label, 1, height - depth + 1))
        else:  # a group: its label above all of it, and its own total before its members
            rows[depth].append(Heading(label, end - node))
            rows[depth + 1].append(Heading("", 1, height - depth))
    return [[Heading(axis.name, len(labels))], *rows]
