"""Whether every sensitive cell is protected: each level shown by tables of whole numbers, or shown to be out of reach.

Moves that somebody offers are evidence, believed only after every relation and box was checked; what they leave open
the checker looks for by itself. Each attacker who knows cells of his own (a single respondent, a holding) is one more
question about all other sensitive cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from discreet.verify.tabular.moves import Hidden
from discreet.verify.tabular.problem import PRIMARY, Table
from discreet.verify.tabular.search import Search

WORDS = {1: "above", -1: "below", 0: "sliding"}


class Level(NamedTuple):
    """What one sensitive cell needs of one kind, what a table shows, and what no table exceeds (None: not known)."""

    cell: int
    kind: int
    needed: int
    shown: int
    possible: int | None
    known: tuple[int, ...] = ()

    @property
    def outcome(self) -> str:
        if self.shown >= self.needed:
            return "protected"
        return "exposed" if self.possible is not None and self.possible < self.needed else "undecided"


def check_levels(
    table: Table,
    hidden: Iterable[int],
    witnesses: Iterable[Mapping[int, int]] = (),
    known: Collection[int] = (),
    end: float | None = None,
    among: Mapping[int, Sequence[int]] | None = None,
) -> list[Level]:
    """Every level of every sensitive cell that this attacker does not know.

    `among` are the moves that a cell can make, where these are not all within its box.
    """
    view = Hidden(table, hidden, known, among)
    reach: dict[int, list[int]] = {cell: [0, 0] for cell in view.cells}
    for move in witnesses:
        if view.possible(move):
            _count(reach, move)
    theirs = set(known)
    sensitive = [c for c in np.flatnonzero(table.status == PRIMARY).tolist() if c not in theirs]
    search: Search | None = None
    boxes: tuple[dict[int, int], dict[int, int]] | None = None
    found = []
    for cell in sensitive:
        needs = {1: int(table.above[cell]), -1: int(table.below[cell])}
        ends: dict[int, int | None] = {1: None, -1: None}
        slide = int(table.sliding[cell])
        own = reach.get(cell)
        if own is None:  # published, and known to all
            own, ends = [0, 0], {1: 0, -1: 0}
            needs = {side: max(need, 1) for side, need in needs.items()}
        for side, need in needs.items():
            if side * own[side < 0] >= need or cell not in reach:
                continue
            if boxes is None or search is None:
                boxes = view.narrowed()
                search = Search(view, boxes, end)
            ends[side] = _end(search, boxes, reach, cell, side, need)
        if slide > own[0] - own[1] and cell in reach:
            if boxes is None or search is None:
                boxes = view.narrowed()
                search = Search(view, boxes, end)
            for side in (1, -1):
                if slide > own[0] - own[1]:
                    rest = slide + own[1] if side > 0 else slide - own[0]
                    ends[side] = _furthest(search, boxes, reach, cell, side, rest)
        apart = None if ends[1] is None or ends[-1] is None else ends[1] - ends[-1]
        below = None if ends[-1] is None else -ends[-1]
        others = tuple(sorted(known))
        found.append(Level(cell, 1, needs[1], own[0], ends[1], others))
        found.append(Level(cell, -1, needs[-1], -own[1], below, others))
        found.append(Level(cell, 0, slide, own[0] - own[1], apart, others))
    return found


def _count(reach: dict[int, list[int]], move: Mapping[int, int]) -> None:
    for cell, change in move.items():
        own = reach[cell]
        own[0], own[1] = max(own[0], change), min(own[1], change)


def _end(
    search: Search,
    boxes: tuple[dict[int, int], dict[int, int]],
    reach: dict[int, list[int]],
    cell: int,
    side: int,
    need: int,
) -> int:
    """How far the cell can go at most, as far as was proven; a move that reaches `need` is counted."""
    end = boxes[side > 0][cell]
    if side * end < need:
        return end
    move, bound = search.extreme(cell, side, need)
    if move is not None:
        _count(reach, move)
    return end if bound is None or side * (bound - end) >= 0 else bound


def _furthest(
    search: Search,
    boxes: tuple[dict[int, int], dict[int, int]],
    reach: dict[int, list[int]],
    cell: int,
    side: int,
    rest: int,
) -> int:
    """As `_end`, towards `rest`; where that is out of reach, as far as the bound that was proven."""
    end = _end(search, boxes, reach, cell, side, max(rest, 1))
    short = side * end
    if side * reach[cell][side < 0] < min(rest, short) and short > 0:
        _end(search, boxes, reach, cell, side, min(rest, short))
    return end
