"""Levels against attackers who know cells of their own, many of them in a large table.

A move that everybody must think possible, and that leaves alone what an attacker knows, is one he must think possible
too. So only sensitive cells that are moved together with a known cell are looked at again: where other moves show
their levels, nothing is left to ask. Else the whole question is put anew for this attacker (levels.py). A cell that is
exposed to everybody is exposed to him.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from discreet.verify.tabular.levels import Level, check_levels
from discreet.verify.tabular.moves import Hidden
from discreet.verify.tabular.problem import Table


class Against(NamedTuple):
    """How many levels were asked, and those of cells that are not shown to be protected or were asked anew."""

    asked: int
    levels: list[Level]


def check_attackers(
    table: Table,
    hidden: Sequence[int],
    witnesses: Iterable[Mapping[int, int]],
    plain: Sequence[Level],
    attackers: Sequence[Collection[int]],
    end: float | None = None,
) -> Against:
    """The levels against each attacker, where `plain` are those against who knows no hidden cell."""
    if not attackers:
        return Against(0, [])
    view = Hidden(table, hidden)
    moves = [move for move in witnesses if view.possible(move)]
    through: dict[int, list[int]] = {}
    for number, move in enumerate(moves):
        for cell, change in move.items():
            if change:
                through.setdefault(cell, []).append(number)
    needs: dict[int, dict[int, Level]] = {}
    for level in plain:
        needs.setdefault(level.cell, {})[level.kind] = level
    # Levels that the checker's own search showed, by moves that are not kept, or that nobody showed.
    open_cells = {cell for cell, levels in needs.items() if not _shown(cell, levels, moves, through, ())}
    exposed = [level for level in plain if level.outcome == "exposed"]
    asked, found = 0, list[Level]()
    for known in attackers:
        asked += 3 * (len(needs) - sum(cell in needs for cell in set(known)))
        gone = {number for cell in known for number in through.get(cell, ())}
        touched = {cell for number in gone for cell in moves[number] if cell in needs} | open_cells
        if all(_shown(cell, needs[cell], moves, through, gone) for cell in touched.difference(known)):
            others = tuple(sorted(known))
            found += [level._replace(known=others) for level in exposed if level.cell not in known]
        else:
            found += check_levels(table, hidden, moves, known, end)
    return Against(asked, found)


def _shown(
    cell: int,
    levels: Mapping[int, Level],
    moves: Sequence[Mapping[int, int]],
    through: Mapping[int, Sequence[int]],
    gone: Collection[int],
) -> bool:
    """Whether moves that are not `gone` show all levels of a cell, or it is exposed to everybody."""
    if any(level.outcome == "exposed" for level in levels.values()):
        return True
    left = [moves[number][cell] for number in through.get(cell, ()) if number not in gone]
    up, down = max([0, *left]), min([0, *left])
    return up >= levels[1].needed and -down >= levels[-1].needed and up - down >= levels[0].needed
