"""Rows that every protecting pattern satisfies, rebuilt from the multipliers that a certificate names.

For any whole λ and D > 0, with d = D · side · e_p - Aᵀλ every move has D · side · f_p = Σ_i d_i f_i, and a hidden cell
moves by at most its box. So a pattern x (1: hidden) that lets p move by its level satisfies

    Σ_i c_i x_i ≥ D · need,      c_i = d_i (upper - a) where d_i > 0,  -d_i (a - lower) where d_i < 0

For a sliding level the rows of both sides are added. Coefficients are cut at the right side, cells that are hidden
whatever happens move to it, a cover takes the most its cells can give (x ≤ 1), and a divisor rounds as in mixed-integer
rounding. The row of weight 1 is c_i / r with right side 1.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from discreet.verify.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Table

_PLACE = re.compile(r"[0-9]{1,18}\Z")


class Rejected(Exception):
    """The certificate says something that is not so; `args[0]` says what."""


def whole(value: Any, what: str, least: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
        raise Rejected(f"{what} is not a whole number" + (f" of {least} or more" if least is not None else ""))
    return value


def numbers(value: Any, what: str, size: int) -> dict[int, int]:
    """`{"relation": int}` with numbers below `size`."""
    if not isinstance(value, Mapping):
        raise Rejected(f"{what} are not a table of numbers")
    found = {}
    for key, entry in value.items():
        if not _PLACE.match(str(key)) or int(key) >= size:
            raise Rejected(f"{what} name something that is not there")
        found[int(key)] = whole(entry, what)
    if len(found) != len(value):
        raise Rejected(f"{what} name something twice")
    return found


def cells_of(value: Any, what: str, table: Table) -> list[int]:
    if not isinstance(value, list):
        raise Rejected(f"{what} are no list of cells")
    found = [whole(cell, what, 0) for cell in value]
    if len(set(found)) != len(found) or any(cell >= table.n for cell in found):
        raise Rejected(f"{what} name a cell twice or one that is not there")
    return found


def capacity(table: Table, cell: int, side: int, denominator: int, multipliers: Mapping[int, int]) -> dict[int, int]:
    """What each cell can contribute at most: c as above."""
    rest = {cell: denominator * side}
    for relation, multiplier in multipliers.items():
        for other, sign in table.terms(relation):
            rest[other] = rest.get(other, 0) - multiplier * sign
    found = {}
    for other, d in rest.items():
        room = int(table.upper[other] - table.value[other]) if d > 0 else int(table.value[other] - table.lower[other])
        if d and room:
            found[other] = abs(d) * room
    return found


def rebuilt(
    table: Table, cut: Any, attackers: Collection[frozenset[int]] = (), holders: Sequence[Table] = ()
) -> dict[int, Fraction] | None:
    """The row of weight 1 over the cells that may be hidden; None for a row that says nothing.

    `holders` are the table as each holder sees it: a pattern must protect against every one of them.
    """
    if not isinstance(cut, Mapping):
        raise Rejected("a cut is no object")
    if "holder" in cut:
        number = whole(cut["holder"], "the holder of a cut", 0)
        if number >= len(holders) or "known" in cut:
            raise Rejected("a cut is about a holder that was not stated")
        table = holders[number]
    cell = whole(cut.get("cell"), "the cell of a cut", 0)
    side = whole(cut.get("side"), "the side of a cut")
    denominator = whole(cut.get("denominator"), "the denominator of a cut", 1)
    if cell >= table.n or table.status[cell] != PRIMARY or side not in (1, -1, 0):
        raise Rejected("a cut is about a cell that is not sensitive, or about no side")
    known = set(cells_of(cut.get("known", []), "the known cells of a cut", table))
    if known and (frozenset(known) not in set(attackers) or cell in known):
        raise Rejected("a cut is about an attacker that was not stated")
    multipliers = numbers(cut.get("multipliers"), "the multipliers of a cut", table.right.size)
    if side:
        found = capacity(table, cell, side, denominator, multipliers)
        need = int(table.above[cell] if side > 0 else table.below[cell])
    else:
        found = capacity(table, cell, 1, denominator, multipliers)
        other = numbers(cut.get("below"), "the multipliers of a cut", table.right.size)
        for i, c in capacity(table, cell, -1, denominator, other).items():
            found[i] = found.get(i, 0) + c
        need = int(table.sliding[cell])
    return _strengthened(table, found, denominator * need, known, cut)


def _strengthened(
    table: Table, found: dict[int, int], right: int, known: set[int], cut: Mapping[str, Any]
) -> dict[int, Fraction] | None:
    row = {i: min(c, right) for i, c in found.items() if table.status[i] != FIXED and i not in known}
    right -= sum(c for i, c in row.items() if table.status[i] in (PRIMARY, SECONDARY))
    if right <= 0:
        return None
    row = {i: min(c, right) for i, c in row.items() if table.status[i] == FREE}
    cover = cells_of(cut.get("cover", []), "the cover of a cut", table)
    if any(table.status[i] != FREE for i in cover):
        raise Rejected("the cover of a cut has a cell that is not free")
    right -= sum(row.get(i, 0) for i in cover)
    if right <= 0:
        return None
    row = {i: min(c, right) for i, c in row.items() if i not in set(cover)}
    if "divisor" in cut:
        divisor = whole(cut["divisor"], "the divisor of a cut", 1)
        rest = right % divisor
        if not rest:
            raise Rejected("the divisor of a cut divides its right side")
        row = {i: (c // divisor) * rest + min(rest, c % divisor) for i, c in row.items()}
        right = (right // divisor + 1) * rest
    return {i: Fraction(c, right) for i, c in row.items() if c}


def bridge(table: Table, entry: Any) -> dict[int, int]:
    """Σ_{i in relation, i ≠ h} x_i - x_h ≥ 0: a cell that is alone in a relation is hidden for nothing.

    Every pattern that protects contains one that satisfies all such rows and costs no more: a cell that a relation
    gives away can be published. That holds only for relations none of whose cells is hidden whatever happens.
    """
    if not isinstance(entry, list) or len(entry) != 2:
        raise Rejected("a bridge is no pair of a relation and a cell")
    relation, own = (whole(part, "a bridge", 0) for part in entry)
    if relation >= table.right.size:
        raise Rejected("a bridge names a relation that is not there")
    terms = [cell for cell, _ in table.terms(relation)]
    if own not in terms or table.status[own] != FREE:
        raise Rejected("a bridge is not about a free cell of its relation")
    if any(table.status[cell] in (PRIMARY, SECONDARY) for cell in terms):
        raise Rejected("a bridge is about a relation with a cell that is hidden whatever happens")
    return {cell: (-1 if cell == own else 1) for cell in terms if table.status[cell] == FREE}
