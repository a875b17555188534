"""Levels against contributors who know their own part of several cells: one more question for each, in narrower boxes.

A contributor must think possible what lies between the least and the greatest value that its own part leaves of each of
its cells. Of a cell that it has a part of no level is asked beyond that, and none of a cell that is its own alone.
Moves that keep within its boxes show levels against it too; where they show all, nothing is left to ask. So if moves
show all levels that are met at all, contributors whose boxes no move leaves need not be looked at one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

import numpy as np

from discreet.verify.tabular.attackers import Against
from discreet.verify.tabular.levels import Level, check_levels
from discreet.verify.tabular.moves import Hidden
from discreet.verify.tabular.problem import PRIMARY, SECONDARY, Table

Parts = Mapping[int, tuple[Fraction, Fraction]]


def check_holders(
    table: Table,
    hidden: Sequence[int],
    witnesses: Sequence[Mapping[int, int]],
    plain: Sequence[Level],
    holders: Sequence[Parts],
    end: float | None = None,
) -> Against:
    """The levels against each holder, where `plain` are those against who knows no hidden cell."""
    if not holders:
        return Against(0, [])
    view = Hidden(table, hidden)
    moves = [move for move in witnesses if view.possible(move)]
    through: dict[int, list[int]] = {}
    for number, move in enumerate(moves):
        for cell in move:
            through.setdefault(cell, []).append(number)
    exposed = {(level.cell, level.kind) for level in plain if level.outcome == "exposed"}
    every = np.flatnonzero(table.status == PRIMARY).tolist()
    settled = all(_shown(cell, table, moves, through, set(), exposed) for cell in every)
    ranges = _ranges(table, moves)
    asked, found = 0, list[Level]()
    for parts in holders:
        if settled and not any(_leaves(table, cell, ends, ranges) for cell, ends in parts.items()):
            asked += 3 * len(every)
            continue
        seen = seen_by(table, parts)
        gone = {
            number
            for cell in parts
            for number in through.get(cell, ())
            if not seen.lower[cell] <= int(table.value[cell]) + moves[number][cell] <= seen.upper[cell]
        }
        sensitive = np.flatnonzero(seen.status == PRIMARY).tolist()
        asked += 3 * len(sensitive)
        doubt = [cell for cell in sensitive if not _shown(cell, seen, moves, through, gone, exposed)]
        if not doubt:
            continue
        status = np.where(seen.status == PRIMARY, SECONDARY, seen.status)
        status[doubt] = PRIMARY
        left = [move for number, move in enumerate(moves) if number not in gone]
        levels = check_levels(seen._replace(status=status), hidden, left, (), end)
        mine = tuple(sorted(parts))
        found += [level._replace(known=mine) for level in levels if (level.cell, level.kind) not in exposed]
    return Against(asked, found)


def seen_by(table: Table, parts: Parts) -> Table:
    """The table with a holder's boxes, and with levels no wider than they are."""
    lower, upper, status = table.lower.copy(), table.upper.copy(), table.status.copy()
    below, above, sliding = table.below.copy(), table.above.copy(), table.sliding.copy()
    unit = 10**table.decimals
    for cell, (least, most) in parts.items():
        value = int(table.value[cell])
        low, high = max(int(lower[cell]), ceil(least * unit)), min(int(upper[cell]), floor(most * unit))
        lower[cell], upper[cell] = low, high
        below[cell], above[cell] = min(int(below[cell]), value - low), min(int(above[cell]), high - value)
        sliding[cell] = min(int(sliding[cell]), high - low)
        if low == high and status[cell] == PRIMARY:
            status[cell] = SECONDARY
    return table._replace(lower=lower, upper=upper, status=status, below=below, above=above, sliding=sliding)


def _ranges(table: Table, moves: Sequence[Mapping[int, int]]) -> dict[int, tuple[int, int]]:
    """The least and greatest value that moves give each cell that they move."""
    found: dict[int, tuple[int, int]] = {}
    for move in moves:
        for cell, change in move.items():
            value = int(table.value[cell])
            low, high = found.get(cell, (value, value))
            found[cell] = min(low, value + change), max(high, value + change)
    return found


def _leaves(table: Table, cell: int, ends: tuple[Fraction, Fraction], ranges: Mapping[int, tuple[int, int]]) -> bool:
    """Whether a move leaves these ends of a cell, or they make a sensitive cell one that is known."""
    value, unit = int(table.value[cell]), 10**table.decimals
    low, high = ranges.get(cell, (value, value))
    alone = ends[0] == ends[1] and table.status[cell] == PRIMARY
    return bool(alone or low < ends[0] * unit or high > ends[1] * unit)


def _shown(
    cell: int,
    seen: Table,
    moves: Sequence[Mapping[int, int]],
    through: Mapping[int, Sequence[int]],
    gone: set[int],
    exposed: set[tuple[int, int]],
) -> bool:
    """Whether moves that are not `gone` show all levels of a cell but those that are `exposed` to everybody."""
    left = [moves[number][cell] for number in through.get(cell, ()) if number not in gone]
    up, down = max([0, *left]), min([0, *left])
    shown = {1: up >= seen.above[cell], -1: -down >= seen.below[cell], 0: up - down >= seen.sliding[cell]}
    return all(met or (cell, kind) in exposed for kind, met in shown.items())
