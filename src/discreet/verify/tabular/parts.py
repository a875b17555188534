"""Who knows what by a long table, as the checker reads it: each holding must be among the attackers that were asked.

The columns `largest_by`, `second_by` and `others_by` say whose contributions are. Whoever contributes s to a hidden
cell knows that it is s at least where no amount is negative, and all of it where nobody else contributes. `unasked`
compares that with the attackers and holders that somebody else made of the same file. What a holding knows of a total
because it knows its parts is left to the relations.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

from discreet.errors import InputError
from discreet.verify.tabular.long import Labels, parents_of, read_long, relations_of, rows_of

Boxes = Mapping[int, tuple[Fraction, Fraction]]


class Part(NamedTuple):
    """What a holding contributes to a cell, and whether nobody else does."""

    amount: Fraction
    alone: bool


def read_parts(path: str | os.PathLike[str], variables: Sequence[str]) -> dict[str, dict[Labels, Part]]:
    """The parts of each holding, by its number; nothing where a file names none, or has negative amounts."""
    head, *rows = rows_of(path)
    number = "value" if "value" in head else "count"
    told = [dict(zip(head, row)) for row in rows]
    if "largest_by" not in head or any(row[number].strip().startswith("-") for row in told):
        return {}
    found: dict[str, dict[Labels, Part]] = {}
    for row in told:
        cell = tuple(row[name] for name in variables)
        alone = _exact(row.get("contributors") or row.get("count") or "0", path) == 1
        named = [(row.get(f"{name}_by", ""), row.get(name, "")) for name in ("largest", "second")]
        named += [(who, amount) for who, _, amount in (one.partition(":") for one in row.get("others_by", "").split())]
        for who, amount in named:
            if who.strip("0"):
                found.setdefault(who, {})[cell] = Part(_exact(amount, path), alone)
    return found


def _exact(text: str, path: str | os.PathLike[str]) -> Fraction:
    try:
        return Fraction(Decimal(text))
    except (InvalidOperation, ValueError, OverflowError):
        raise InputError(f"{path}: a contribution is no number") from None


class Told(NamedTuple):
    """What somebody else made of the file: cells by labels, limits known to all, what is hidden, and who knows."""

    number: Mapping[Labels, int]
    lower: Sequence[Fraction]
    hidden: Collection[int]
    attackers: Sequence[Collection[int]]
    holders: Sequence[Boxes]


def unasked(
    path: str | os.PathLike[str],
    variables: Sequence[str],
    hierarchies: Mapping[str, str | os.PathLike[str]] | None,
    asked: Told,
) -> int:
    """How many holdings of the file know something of hidden cells as which no attacker was asked."""
    parts = read_parts(path, variables)
    if not parts:
        return 0
    names, values, _ = read_long(path)
    order = [names.index(name) for name in variables]
    cells = {tuple(cell[at] for at in order): 0 for cell in values}
    given = hierarchies or {}
    parents = [parents_of(given.get(name), {cell[v] for cell in cells}) for v, name in enumerate(variables)]
    sums = relations_of(cells, parents)
    above: dict[Labels, list[tuple[int, Labels]]] = {}
    for total, parted in sums.items():
        for cell in parted:
            above.setdefault(cell, []).append(total)
    totals = {total for _, total in sums}
    sets = [frozenset(own) for own in asked.attackers]
    by_cell: dict[int, list[Boxes]] = {}
    for holder in asked.holders:
        for number in holder:
            by_cell.setdefault(number, []).append(holder)
    missing, taken = 0, set[int]()
    for own in sorted(parts.values(), key=len, reverse=True):
        follows = _sums(own, totals, above)
        tells = {
            asked.number[cell]: part
            for cell, part in own.items()
            if asked.number.get(cell) in asked.hidden
            and (part.alone or max(follows.get(cell, 0), asked.lower[asked.number[cell]]) < part.amount)
        }
        if not tells:
            continue
        inner = {asked.number[cell] for cell in own if cell in asked.number and cell not in totals}
        few: Sequence[Boxes] = min((by_cell.get(cell, []) for cell in tells), key=len)
        able = [each for each in few if id(each) not in taken]
        found = next((each for each in sorted(able, key=len) if _covers(each, tells, inner)), None)
        if found is not None:
            taken.add(id(found))
            continue
        missing += not (all(part.alone for part in tells.values()) and any(set(tells) <= known for known in sets))
    return missing


def _sums(
    own: Mapping[Labels, Part], totals: Collection[Labels], above: Mapping[Labels, Sequence[tuple[int, Labels]]]
) -> dict[Labels, Fraction]:
    """What the parts of innermost cells sum to in each total."""
    best: dict[Labels, Fraction] = {}
    sums: dict[tuple[int, Labels], Fraction] = {}
    waiting = [(cell, part.amount) for cell, part in own.items() if cell not in totals]
    while waiting:
        cell, more = waiting.pop()
        for total in above.get(cell, ()):
            sums[total] = sums.get(total, Fraction(0)) + more
            gain = sums[total] - best.get(total[1], Fraction(0))
            if gain > 0:
                best[total[1]] = sums[total]
                waiting.append((total[1], gain))
    return best


def _covers(holder: Boxes, tells: Mapping[int, Part], inner: Collection[int]) -> bool:
    """Whether a holder knows all of this, and of innermost cells no more: who knows more is asked for less."""
    return all(
        cell in holder
        and holder[cell][0] >= part.amount
        and (cell not in inner or holder[cell][0] == part.amount)
        and (not part.alone or holder[cell][0] == holder[cell][1])
        for cell, part in tells.items()
    )
