"""Small honest releases with households, means and weights, made here by hand: sets in a ring, or in classes.

Units of a size stand in a ring; the set of unit i is it and the k − 1 after it, member for member. The t-th matching
shifts by t; one t is drawn for each ring. In classes, units of a size are cut into pieces of k or more.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import floor

Rows = list[dict[str, str]]
LETTERS = "abc"


@dataclass(frozen=True)
class Roles:
    """What is claimed: k, guarantee, keys, and the columns that have other roles."""

    k: int
    guarantee: str
    keys: tuple[str, ...]
    numeric: tuple[str, ...] = ()
    weight: str | None = None
    unit: str | None = None
    kind: str = "household"
    rare: str = "error"

    @property
    def means(self) -> tuple[str, ...]:
        return (*self.numeric, *(() if self.weight is None else (self.weight,)))

    def claim(self) -> dict[str, object]:
        """Arguments of `verify`."""
        said: dict[str, object] = {"k": self.k, "guarantee": self.guarantee, "quasi_identifiers": list(self.keys)}
        said |= {"numeric": list(self.numeric), "weight": self.weight, "identifiers": ["name"]}
        return said if self.unit is None else {**said, self.kind: self.unit, "rare": self.rare}


@dataclass(frozen=True)
class Made:
    """A release: its rows, and for the custodian per row its origin, the matching drawn and its set (the class)."""

    rows: Rows
    origin: list[int]
    drawn: list[int]
    sets: list[list[int]] = field(repr=False)

    def secret(self, guarantee: str) -> str:
        if guarantee == "classes":
            known: dict[tuple[int, ...], int] = {}
            lines = [
                f"{row},{origin},{known.setdefault(tuple(sorted(within)), len(known))}"
                for row, (origin, within) in enumerate(zip(self.origin, self.sets))
            ]
            return "\n".join(["published_row,origin,class", *lines, ""])
        head = ["published_row", "origin", "drawn", *(f"match_{t + 1}" for t in range(len(self.sets[0])))]
        lines = [
            ",".join(map(str, [row, origin, t + 1, *within]))
            for row, (origin, t, within) in enumerate(zip(self.origin, self.drawn, self.sets))
        ]
        return "\n".join([",".join(head), *lines, ""])


def survey(chance: random.Random, n: int, roles: Roles) -> Rows:
    """A random file with ties and gaps: household h, keys q0 (numbers) and q1 (letters), x, w, what is left: s."""
    homes: list[int] = []
    while len(homes) < n:
        homes += [len(set(homes))] * chance.choice([1, 1, 2, 2, 3])
    homes = homes[:n]
    gaps = chance.random() < 0.3
    out = []
    for i, home in enumerate(homes):
        out.append(
            {
                "name": f"n{i}",
                "h": f"H{home * 7 % 101}",
                "q0": "" if gaps and chance.random() < 0.2 else str(chance.randrange(6)),
                "q1": chance.choice(LETTERS),
                "x": "" if gaps and chance.random() < 0.2 else str(chance.randrange(60) / 2 + chance.randrange(3)),
                "w": str(chance.randrange(1, 9)),
                "s": chance.choice("uvw"),
            }
        )
    if chance.random() < 0.5:
        chance.shuffle(out)
    return out


def groups(table: Rows, name: str | None) -> tuple[list[list[int]], list[int]]:
    """The rows of each unit, and the rows without one."""
    if name is None:
        return [], list(range(len(table)))
    found: dict[str, list[int]] = {}
    for row, record in enumerate(table):
        found.setdefault(record[name], []).append(row)
    loose = found.pop("", [])
    return list(found.values()), loose


def rare_sizes(units: list[list[int]], k: int) -> set[int]:
    sizes = [len(unit) for unit in units]
    return {size for size in sizes if sizes.count(size) < k}


def publish(chance: random.Random, table: Rows, roles: Roles) -> Made | None:
    """A release that holds what it claims; None where sizes are too rare for it."""
    units, loose = groups(table, roles.unit)
    rare = rare_sizes(units, roles.k)
    if rare and roles.rare == "error":
        return None
    by_size: dict[int, list[list[int]]] = {}
    for unit in units:
        if len(unit) not in rare:
            by_size.setdefault(len(unit), []).append(chance.sample(unit, len(unit)))
        elif roles.rare == "unlink":
            loose = [*loose, *unit]
    if roles.rare == "merge" and rare:
        waiting: list[list[int]] = []
        for size in sorted({*rare, *by_size}, reverse=True):
            here = [unit for unit in units if len(unit) == size and size in rare] + waiting
            together = by_size.get(size, []) + [chance.sample(unit, len(unit))[:size] for unit in here]
            waiting = [] if len(together) >= roles.k else here
            if len(together) >= roles.k:
                by_size[size] = together
        if waiting:
            return None
    if loose and len(loose) < roles.k:
        return None
    blocks = [(True, by_size[size]) for size in sorted(by_size)] + (
        [(False, [[row] for row in loose])] if loose else []
    )
    return _drawn(chance, table, roles, blocks) if blocks else None


def _drawn(chance: random.Random, table: Rows, roles: Roles, blocks: list[tuple[bool, list[list[int]]]]) -> Made | None:
    shown: list[tuple[int, list[tuple[int, int, list[int]]]]] = []
    for linked, block in blocks:
        chance.shuffle(block)
        if roles.guarantee == "classes":
            ends = [*range(0, len(block) - roles.k + 1, roles.k), len(block)]
            pieces = [block[a:b] for a, b in pairwise(ends)] if len(ends) > 1 else []
            if not pieces:
                return None
            for piece in pieces:
                for unit in piece:
                    lines = [(unit[j], 0, [other[j] for other in piece]) for j in range(len(unit))]
                    shown.append((linked, lines))
            continue
        t = chance.randrange(roles.k)
        m = len(block)
        for i in range(m):
            sets = [[block[(i + u) % m][j] for u in range(roles.k)] for j in range(len(block[i]))]
            shown.append((linked, [(within[t], t, within) for within in sets]))
    chance.shuffle(shown)
    lines = []
    for number, (linked, members) in enumerate(shown):
        for origin, t, within in chance.sample(members, len(members)):
            lines.append((number if linked else None, origin, t, within))
    numbers = {number: str(at + 1) for at, number in enumerate(dict.fromkeys(a for a, *_ in lines if a is not None))}
    rows = []
    for number, origin, _, within in lines:
        record = {key: box([table[row][key] for row in within]) for key in roles.keys}
        if roles.unit is not None:
            record[roles.unit] = "" if number is None else numbers[number]
        rows.append({**record, "s": table[origin]["s"]})
    for name in roles.means:
        for record, text in zip(rows, averages(table, [line[3] for line in lines], name, roles.guarantee)):
            record[name] = text
    return Made(rows, [line[1] for line in lines], [line[2] for line in lines], [line[3] for line in lines])


def box(values: list[str]) -> str:
    """The least box: a value, a range of numbers, a set of letters; `*` where some are missing."""
    if len(set(values)) == 1:
        return values[0]
    if "" in values:
        return "*"
    if values[0] in LETTERS:
        return "{" + ", ".join(sorted(set(values))) + "}"
    numbers = sorted(map(int, values))
    return f"[{numbers[0]}, {numbers[-1]}]"


def averages(table: Rows, sets: list[list[int]], name: str, guarantee: str) -> list[str]:
    """Means with three decimals that add up to the total, by largest remainders; rounded down in classes."""
    exact: list[Fraction | None] = []
    for within in sets:
        known = [Fraction(table[row][name]) for row in within if table[row][name] != ""]
        enough = len(known) >= 2 and 2 * len(known) >= len(within)
        exact.append(1000 * sum(known, Fraction(0)) / len(known) if enough else None)
    rounded = [None if value is None else floor(value) for value in exact]
    shown = [row for row, value in enumerate(exact) if value is not None]
    short = round(sum((exact[row] - rounded[row] for row in shown), Fraction(0)))  # type: ignore[operator, misc]
    for row in sorted(shown, key=lambda row: rounded[row] - exact[row])[: 0 if guarantee == "classes" else short]:  # type: ignore[operator]
        rounded[row] += 1  # type: ignore[operator]
    return ["" if value is None else f"{value // 1000}.{value % 1000:03d}" for value in rounded]
