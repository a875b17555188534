"""Whole files, with all roles, against an intruder who tries every assignment of people and of households.

Files of up to ten rows are published honestly (`households.py`) or forged. `verify` confirms every honest one, with the
custodian's file and without; it never confirms one in which brute force finds no k disjoint perfect matchings of
persons, or of households of their size; and where boxes alone were tampered with, it says "safe" exactly where brute
force does. Nor does it confirm ids that are not fresh, left values that were changed, means of other sets (with the
custodian's file), or a custodian's file that was changed.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

from attack import households, intruder
from attack.households import Made, Roles, Rows
from discreet.errors import InputError
from discreet.verify import File, verify


def run(seconds: float, seed: int) -> str:
    tried: Counter[str] = Counter()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        one(seed * 1_000_003 + tried["files"], tried)
        tried["files"] += 1
    return ", ".join(f"{count} {what}" for what, count in tried.items())


def one(instance: int, tried: Counter[str]) -> None:
    chance = random.Random(instance)
    roles = drawn_roles(chance)
    table = households.survey(chance, chance.randint(max(2, roles.k), 10), roles)
    before = [{name: record[name] for name in columns(roles)} for record in table]
    made = households.publish(chance, table, roles)
    if made is None:
        tried["too rare"] += 1
        return
    told = f"instance {instance}: {roles.claim()}"
    assert brute(before, made.rows, roles), f"{told}: brute force refuses an honest release"
    for secret in (None, made.secret(roles.guarantee)):
        verdict = judged(before, made.rows, roles, secret)
        assert verdict == "safe", (
            f"{told}: refused though honest, secret {secret is not None}: {said(before, made, roles, secret)}"
        )
    tried["honest"] += 1
    for _ in range(3):
        how, rows, secret = forge(chance, before, made, roles)
        verdict = judged(before, rows, roles, secret)
        holds = brute(before, rows, roles)
        assert (verdict == "safe") <= holds, f"{told}: {how}: confirmed, and brute force finds fewer than k"
        assert verdict != "safe" or how not in REFUSED, f"{told}: {how}: confirmed"
        if how in EXACT and not roles.means and not spelled_twice(before, rows, roles):
            assert (verdict == "safe") == holds, f"{told}: {how}: {verdict}, and brute force says {holds}"
        tried["forged"] += 1


def drawn_roles(chance: random.Random) -> Roles:
    unit = chance.choice(["h", "h", "h", None])
    numeric = chance.choice([(), (), ("x",)])
    return Roles(
        k=chance.randint(2, 4),
        guarantee=chance.choice(["matchings", "matchings", "classes"]),
        keys=chance.choice([("q0",), ("q1",), ("q0", "q1"), ("q0",) if not numeric else ()]),
        numeric=numeric,
        weight=chance.choice([None, "w"]) if chance.random() < 0.5 else None,
        unit=unit,
        kind=chance.choice(["household", "household", "person"]),
        rare=chance.choice(["error", "merge", "suppress", "unlink"]) if unit else "error",
    )


def columns(roles: Roles) -> list[str]:
    return ["name", *([] if roles.unit is None else [roles.unit]), *roles.keys, *roles.means, "s"]


def as_file(rows: Rows) -> File:
    """A table as the bytes of a CSV file."""

    def field(text: str) -> str:
        return f'"{text}"' if "," in text else text

    names = list(rows[0])
    lines = [",".join(names), *(",".join(field(record[name]) for name in names) for record in rows)]
    return File(data=("\n".join(lines) + "\n").encode(), format="csv")


def judged(before: Rows, rows: Rows, roles: Roles, secret: str | None) -> str:
    """The outcome of the check, or "error"."""
    if not rows:
        return "error"
    try:
        claim: dict[str, Any] = roles.claim()
        return verify(as_file(before), as_file(rows), **claim, secret=secret).outcome
    except InputError:
        return "error"


def said(before: Rows, made: Made, roles: Roles, secret: str | None) -> str:
    claim: dict[str, Any] = roles.claim()
    return verify(as_file(before), as_file(made.rows), **claim, secret=secret).summary()


def brute(before: Rows, rows: Rows, roles: Roles) -> bool:
    """Whether everybody, or every household, is in k disjoint perfect matchings; every assignment is tried."""
    fits = [[True] * len(rows) for _ in before]
    for name in roles.keys:
        column = intruder.original([_entry(record[name]) for record in before], categorical=False)
        for row, record in enumerate(rows):
            entry = _entry(record[name])
            for person in range(len(before)):
                fits[person][row] &= intruder.fits(column, person, entry, wildcard=False)
    units, loose = households.groups(before, roles.unit)
    shown, bare = households.groups(rows, roles.unit)
    rare = households.rare_sizes(units, roles.k)
    if rare and roles.rare == "error":
        return False
    if roles.rare == "unlink":
        loose = [*loose, *(row for unit in units if len(unit) in rare for row in unit)]
    if roles.rare in ("unlink", "suppress"):
        units = [unit for unit in units if len(unit) not in rare]
    if len(units) != len(shown) or len(loose) != len(bare):
        return False
    merging = rare if roles.rare == "merge" else set()
    graph = [[len(v) == len(u) or (len(u) in merging and len(v) < len(u)) for v in shown] for u in units]
    for i, unit in enumerate(units):
        for j, members in enumerate(shown):
            graph[i][j] = graph[i][j] and any(
                all(fits[person][row] for person, row in zip(some, members))
                for some in permutations(unit, len(members))
            )
    single = [[fits[person][row] for row in bare] for person in loose]
    if roles.guarantee == "classes" and not alike(rows, shown, bare, roles):
        return False
    return intruder.matchable(graph, roles.k) and intruder.matchable(single, roles.k)


def alike(rows: Rows, units: list[list[int]], bare: list[int], roles: Roles) -> bool:
    """Whether what a unit shows is shown by k units, and what a row without one shows by k rows."""
    names = (*roles.keys, *roles.means)

    def look(some: list[int]) -> tuple[tuple[str, ...], ...]:
        return tuple(sorted(tuple(rows[row][name] for name in names) for row in some))

    for group in (units, [[row] for row in bare]):
        counts = Counter(map(look, group))
        if any(count < roles.k for count in counts.values()):
            return False
    return True


def spelled_twice(before: Rows, rows: Rows, roles: Roles) -> bool:
    for name in roles.keys:
        column = intruder.original([_entry(record[name]) for record in before], categorical=False)
        if intruder.spelled_twice(column, [_entry(record[name]) for record in rows]):
            return True
    return False


def _entry(text: str) -> intruder.Entry:
    return intruder.Entry(text, text or None, text or None)


EXACT = ("an original key put back", "a key of another row", "everything widened")
REFUSED = (
    "ids of the original",
    "a strange id",
    "an id spelled otherwise",
    "a row without its id",
    "a row doubled",
    "a left value changed",
    "an identifier published",
    "a column added",
    "means of another set",
    "numbers that are none",
    "the secret's origin changed",
    "the secret's set changed",
)


def forge(chance: random.Random, before: Rows, made: Made, roles: Roles) -> tuple[str, Rows, str | None]:
    """A forged release: how, its rows, and the custodian's file where the forgery can only be seen with it."""
    rows = [dict(record) for record in made.rows]
    row, other = chance.randrange(len(rows)), chance.randrange(len(rows))
    ways: dict[str, Callable[[], Any]] = {
        "a row lost": lambda: rows.pop(row),
        "a row doubled": lambda: rows.append(dict(rows[row])),
        "a left value changed": lambda: rows[row].__setitem__("s", "changed"),
        "an identifier published": lambda: [
            record.__setitem__("name", before[at]["name"]) for record, at in zip(rows, made.origin)
        ],
        "a column added": lambda: [record.__setitem__("more", str(at)) for at, record in enumerate(rows)],
        "nothing but the order": lambda: rows.reverse(),
    }
    if roles.keys:
        key = chance.choice(roles.keys)
        ways |= {
            "an original key put back": lambda: rows[row].__setitem__(key, chance.choice(before)[key]),
            "a key of another row": lambda: rows[row].__setitem__(key, rows[other][key]),
            "everything widened": lambda: [record.__setitem__(key, "*") for record in rows],
        }
    secret = None
    unit = roles.unit
    if unit is not None and any(record[unit] for record in rows):
        ways |= {
            "ids of the original": lambda: [
                record.__setitem__(unit, record[unit] and before[at][unit]) for record, at in zip(rows, made.origin)
            ],
            "a row to another unit": lambda: rows[row].__setitem__(unit, rows[other][unit]),
        }
        if rows[row][unit]:
            ways |= {
                "a strange id": lambda: rows[row].__setitem__(unit, "no 1"),
                "an id spelled otherwise": lambda: rows[row].__setitem__(unit, rows[row][unit] + ".0"),
                "a row without its id": lambda: rows[row].__setitem__(unit, ""),
            }
    if roles.means:
        name = chance.choice(roles.means)
        ways |= {
            "means of another set": lambda: rows[row].__setitem__(name, str(float(rows[row][name] or "3") + 1)),
            "numbers that are none": lambda: rows[row].__setitem__(name, chance.choice(["inf", "1e999", "x"])),
        }
    ways |= {"the secret's origin changed": lambda: None, "the secret's set changed": lambda: None}
    how = chance.choice(list(ways))
    ways[how]()
    if how in ("means of another set", "the secret's origin changed", "the secret's set changed"):
        secret = made.secret(roles.guarantee)
    if how.startswith("the secret"):
        secret = changed(chance, secret or "", how, roles)
    return how, rows, secret


def changed(chance: random.Random, secret: str, how: str, roles: Roles) -> str:
    """A custodian's file with one number changed so that it cannot be right."""
    head, *lines = secret.splitlines()
    at = chance.randrange(len(lines))
    fields = lines[at].split(",")
    place = 1 if how.endswith("origin changed") else len(fields) - 1
    if place == 1:
        fields[place] = lines[at - 1].split(",")[place]  # two rows carry one record
    elif place == 2 and roles.guarantee == "classes":
        fields[place] = "999"  # a class of its own
    else:
        fields[place] = str((int(fields[place]) + 1) % 10)
    lines[at] = ",".join(fields)
    return "\n".join([head, *lines, ""])
