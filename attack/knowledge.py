"""Attacks the verdicts on tables with totals by whatever an attacker may know at once, through the public functions.

    run(seconds, seed)      tries until the time is over; raises AssertionError with what it takes to see the hole again

Tables are small: flat, with a hierarchy, or two of them linked; counts or amounts, some of them negative. Files state
some limits and levels and leave others to rules. On top of the pattern come earlier releases, rounded values,
percentages, attackers who know cells, single respondents, and holdings that know their parts of all their cells, in all
combinations. What an attacker must think possible is asked of an
outside integer program that is put together here from the labels alone: no end of an interval may cut off a table, no
pattern be called safe or unsafe, by the audit, its check or a suppression, that is not.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import discreet as dc
from attack.integer_programs import IntegerPrograms
from discreet.errors import InfeasibleError, InputError, UnsafeReleaseError

Labels = tuple[str, ...]
HOLDINGS = ("largest", "second", "largest_by", "second_by", "contributors", "others_by")
LIMITS = ("lower", "upper", "below", "above", "sliding")
TREES = ({"a": "T", "b": "T"}, {"a": "T", "b": "T", "c": "T"}, {"p": "T", "q": "T", "a": "p", "b": "p", "c": "q"})


@dataclass
class Case:
    """A table as it was made, and what was asked of it."""

    variables: tuple[str, ...]
    above: list[dict[str, str]]
    tables: list[tuple[int, ...]]
    """The variables of each linked table."""
    value: dict[Labels, int]
    cells: list[Labels]
    relations: list[list[tuple[Labels, int]]]
    counts: bool
    status: dict[Labels, str] = field(default_factory=dict)
    stated: dict[str, dict[Labels, int]] = field(default_factory=dict)
    rules: dict[str, int] = field(default_factory=dict)
    parts: dict[int, dict[Labels, int]] | None = None
    """What each holding contributes to each cell, where the files say so."""

    @cached_property
    def least(self) -> list[dict[Labels, int]]:
        """Zeros are told: a hidden cell is none, and a total no less than its parts, by each file for itself."""
        found = []
        for table in self.tables:
            own = {cell: min(self.value[cell], 1) for cell in self.cells if _within(cell, table)}
            inside = [row for row in self.relations if all(cell in own for cell, _ in row)]
            for _ in range(sum(map(len, self.above))):  # as many steps as there can be levels
                for (total, _), *parts in inside:
                    own[total] = max(own[total], sum(own[part] for part, _ in parts))
            found.append(own)
        return found

    def number(self, cell: Labels) -> int:
        """How many contribute."""
        if self.parts is None:
            return self.value[cell]
        return sum(cell in own for own in self.parts.values())

    def limits(self, cell: Labels) -> dict[str, int]:
        """What is known of a cell and asked for it: the definitions of the manual, written again."""
        value, size = self.value[cell], abs(self.value[cell])
        sensitive = self.status[cell] == "u"
        level = max(1, -(-size * self.rules.get("range", 15) // 100)) if sensitive else 0
        wide = -(-size * self.rules.get("knowledge", 100) // 100)
        positive = all(self.value[each] >= 0 for each in self.cells)
        least = [own[cell] for own in self.least if cell in own]
        found = {
            "lower": max(*least, value - wide) if positive else value - wide,
            "upper": value + wide,
            "below": min(level, value - min(least)) if positive else level,
            "above": level,
            "sliding": -(-size * self.rules.get("sliding", 0) // 100) if sensitive else 0,
        }
        for name, column in self.stated.items():
            own = column[cell]
            if self.rules:
                own = (min if name == "upper" else max)(own, found[name])
            found[name] = own
        return found


def _within(cell: Labels, table: tuple[int, ...]) -> bool:
    """Whether the cell is one of the table by these variables."""
    return all(label == "T" for v, label in enumerate(cell) if v not in table)


def table_of(rng: np.random.Generator) -> Case:
    """Random innermost cells, and every total."""
    ways = int(rng.choice([2, 2, 3]))
    above = [TREES[int(rng.integers(2 if ways == 3 else 3))] for _ in range(ways)]
    leaves = [[label for label in tree if label not in tree.values()] for tree in above]
    counts = bool(rng.random() < 0.7)
    most, least = int(rng.choice([3, 6, 20])), 0 if counts or rng.random() < 0.5 else -5
    value: Counter[Labels] = Counter()
    holdings = int(rng.integers(2, 7)) if least == 0 and rng.random() < 0.5 else 0
    whose: dict[int, dict[Labels, int]] = {}
    for leaf in itertools.product(*leaves):
        own = int(rng.integers(least, most + 1))
        shares = np.bincount(rng.integers(1, holdings + 1, own), minlength=0) if holdings else ()
        for firm, cell in itertools.product(range(len(shares)), _cells(leaf, above)):
            if shares[firm]:
                whose.setdefault(firm, {}).setdefault(cell, 0)
                whose[firm][cell] += int(shares[firm])
        for cell in _cells(leaf, above):
            value[cell] += own
    every = tuple(range(ways))
    tables = [(0, 1), (1, 2)] if ways == 3 and rng.random() < 0.7 else [every]
    cells = [cell for cell in value if any(all(cell[v] == "T" for v in every if v not in own) for own in tables)]
    relations = []
    for own in tables:
        inside = [cell for cell in cells if all(cell[v] == "T" for v in every if v not in own)]
        for v, cell in itertools.product(own, inside):
            parts = [(*cell[:v], child, *cell[v + 1 :]) for child, parent in above[v].items() if parent == cell[v]]
            if parts:
                relations.append([(cell, -1), *((part, 1) for part in parts)])
    found = Case(tuple("xyz"[:ways]), above, tables, dict(value), cells, relations, counts)
    return replace(found, parts=whose if holdings else None)


def _cells(leaf: Labels, above: list[dict[str, str]]) -> Iterator[Labels]:
    """The cells that a leaf is part of."""
    return itertools.product(*(_up(label, tree) for label, tree in zip(leaf, above)))


def _up(label: str, tree: dict[str, str]) -> list[str]:
    return [label, *(_up(tree[label], tree) if label in tree else [])]


def ask(case: Case, rng: np.random.Generator) -> None:
    """Statuses, what files state, rules."""
    if (case.counts or case.parts is not None) and rng.random() < 0.5:
        case.rules = {"frequency": int(rng.integers(2, 4))}
        if rng.random() < 0.5:
            case.rules["range"] = int(rng.choice([5, 40, 100]))
        if rng.random() < 0.4:
            case.rules["knowledge"] = int(rng.choice([50, 200]))
        if rng.random() < 0.3:
            case.rules["sliding"] = int(rng.choice([10, 150]))
    share = float(rng.choice([0.3, 0.6, 0.9]))
    for cell in case.cells:
        value = case.value[cell]
        few = value > 0 and 0 < case.number(cell) < case.rules.get("frequency", 0)
        free = "z" if value == 0 else "s"
        chosen = "u" if rng.random() < 0.25 and value else "m" if value else free
        case.status[cell] = "u" if few else chosen if rng.random() < share else free
    for name in LIMITS:
        if rng.random() < 0.3:
            case.stated[name] = {cell: _stated(name, case.value[cell], rng) for cell in case.cells}


def _stated(name: str, value: int, rng: np.random.Generator) -> int:
    some = int(rng.integers(0, 4))
    return {"lower": value - 2 * some, "upper": value + 2 * some}.get(name, some // 2)


def write(case: Case, folder: Path, name: str, statuses: dict[Labels, str] | None) -> list[str]:
    """The files of the tables; without `statuses` no such column, and no limits."""
    paths = []
    for number, own in enumerate(case.tables):
        path = folder / f"{name}{number}.csv"
        more = list(case.stated) if statuses is case.status else []
        number_is = "count" if case.counts else "value"
        holdings = HOLDINGS if case.parts is not None and statuses is case.status else ()
        head = [case.variables[v] for v in own] + [number_is] + (["status"] if statuses else []) + more + [*holdings]
        rows = [head]
        for cell in case.cells:
            if all(label == "T" for v, label in enumerate(cell) if v not in own):
                labels = ["Total" if cell[v] == "T" else cell[v] for v in own]
                told = [statuses[cell]] if statuses else []
                stated = [str(case.stated[each][cell]) for each in more]
                rows.append(
                    [*labels, str(case.value[cell]), *told, *stated, *(_held(case, cell, own) if holdings else [])]
                )
        path.write_text("\n".join(",".join(row) for row in rows) + "\n")
        paths.append(str(path))
    for variable, tree in zip(case.variables, case.above):
        text = "".join(f"{child},{'Total' if parent == 'T' else parent}\n" for child, parent in tree.items())
        (folder / f"{variable}.csv").write_text(text)
    return paths


def _held(case: Case, cell: Labels, table: tuple[int, ...]) -> list[str]:
    """What a file says of who contributes: the two largest, how many, and in innermost cells all others."""
    assert case.parts is not None
    shares = sorted(((own[cell], firm) for firm, own in case.parts.items() if cell in own), reverse=True)
    first, second = [*shares, (0, 0), (0, 0)][:2]
    innermost = all(cell[v] not in case.above[v].values() for v in table)
    others = " ".join(f"{firm}:{much}" for much, firm in shares[2:]) if innermost else ""
    return [str(first[0]), str(second[0]), str(first[1]), str(second[1]), str(len(shares)), others]


@dataclass
class View:
    """What an attacker sees: boxes of the cells, those that are not boxed being known."""

    low: dict[Labels, int]
    high: dict[Labels, int]


def ends(case: Case, view: View, known: set[Labels], asked: list[Labels], programs: Any) -> list[tuple[int, int]]:
    """The least and greatest value of each cell that is possible, by the outside integer program."""
    moving = [cell for cell in view.low if cell not in known]
    place = {cell: at for at, cell in enumerate(moving)}
    rows = [[[place[cell], sign] for cell, sign in row if cell in place] for row in case.relations]
    question = {
        "low": [view.low[cell] - case.value[cell] for cell in moving],
        "high": [view.high[cell] - case.value[cell] for cell in moving],
        "rows": [row for row in rows if row],
        "ask": [place[cell] for cell in asked],
    }
    (found,) = programs.ends([question])
    return [(case.value[cell] + low, case.value[cell] + high) for cell, (low, high) in zip(asked, found)]


def short(case: Case, view: View, known: set[Labels], programs: Any) -> set[tuple[Labels, str]]:
    """The levels that do not hold."""
    asked = [cell for cell in case.cells if case.status[cell] == "u" and cell not in known]
    boxed = [cell for cell in asked if cell in view.low]
    found = dict.fromkeys(asked, (0, 0)) | {cell: (case.value[cell],) * 2 for cell in asked}
    found |= dict(zip(boxed, ends(case, view, known, boxed, programs))) if boxed else {}
    wrong = set()
    for cell, (low, high) in found.items():
        limits, value = case.limits(cell), case.value[cell]
        told = cell not in view.low  # what is published is not protected, whatever its levels
        wrong |= {(cell, "above")} if told or high < value + limits["above"] else set()
        wrong |= {(cell, "below")} if low > value - limits["below"] else set()
        wrong |= {(cell, "sliding")} if high - low < limits["sliding"] else set()
    return wrong


def view_of(case: Case, hidden: set[Labels], boxes: dict[Labels, tuple[int, int]]) -> View:
    """The boxes of what is hidden, and of what was told rounded or as a percentage."""
    low, high = {}, {}
    for cell in case.cells:
        if cell in hidden or cell in boxes:
            limits = case.limits(cell)
            a, b = boxes.get(cell, (limits["lower"], limits["upper"]))
            low[cell], high[cell] = max(a, limits["lower"]), min(b, limits["upper"])
    return View(low, high)


def against(case: Case, view: View, own: set[Labels], programs: Any) -> set[tuple[Labels, str]]:
    """The levels that do not hold against a single respondent, though they would if nothing were published."""
    wrong = short(case, view, own, programs)
    return wrong - short(case, view_of(case, set(case.cells), {}), own, programs) if wrong else wrong


def held(case: Case, view: View, firm: int, programs: Any, *, direct: bool) -> set[tuple[Labels, str]]:
    """The levels that do not hold against a holding, as far as it does not know better before anything is published.

    `direct`: all that its own part of a cell leaves of its level is asked, whatever it knows of other cells.
    """
    assert case.parts is not None
    own = case.parts[firm]
    single = {cell for cell in own if case.number(cell) == 1}

    def narrowed(seen: View) -> View:
        low = {c: case.value[c] if c in single else max(at, own.get(c, at)) for c, at in seen.low.items()}
        return View(low, {c: case.value[c] if c in single else at for c, at in seen.high.items()})

    asked = [cell for cell in case.cells if case.status[cell] == "u" and cell not in single]
    everything = narrowed(view_of(case, set(case.cells), {}))
    if direct:
        before = [(everything.low[cell], everything.high[cell]) for cell in asked]
    else:
        before = ends(case, everything, set(), asked, programs) if asked else []
    seen = narrowed(view)
    boxed = [cell for cell in asked if cell in seen.low]
    after = {cell: (case.value[cell],) * 2 for cell in asked}
    after |= dict(zip(boxed, ends(case, seen, set(), boxed, programs))) if boxed else {}
    wrong = set()
    for cell, (least, most) in zip(asked, before):
        limits, value, (low, high) = case.limits(cell), case.value[cell], after[cell]
        wrong |= {(cell, "above")} if high < value + min(limits["above"], most - value) else set()
        wrong |= {(cell, "below")} if low > value - min(limits["below"], value - least) else set()
        wrong |= {(cell, "sliding")} if high - low < min(limits["sliding"], most - least) else set()
    return wrong


def alone(case: Case, view: View) -> list[set[Labels]]:
    """The cells that single respondents know: of a total and a part with one contributor each it is the same one."""
    if not case.counts or case.parts is not None:
        return []
    groups = [{cell} for cell in case.cells if case.value[cell] == 1]
    for row in case.relations:
        (total, _), *parts = row
        for part, _ in parts:
            if case.value[total] == case.value[part] == 1:
                joint = [group for group in groups if group & {total, part}]
                groups = [group for group in groups if group not in joint] + [set().union(*joint)]
    return [own for group in groups if (own := {cell for cell in group if cell in view.low})]


def compare(seed: int, programs: Any, folder: Path) -> Counter[str]:
    """One random table and what was asked of it; what was compared, by name."""
    rng = np.random.default_rng(seed)
    case = table_of(rng)
    ask(case, rng)
    if any(not _sound(case, cell) for cell in case.cells):
        return Counter(skipped=1)
    paths = write(case, folder, "t", case.status)
    options: dict[str, Any] = {"hierarchies": {name: str(folder / f"{name}.csv") for name in case.variables}}
    if case.rules:
        options["rules"] = [f"{name}={value}" for name, value in case.rules.items()]
    seen = Counter(tables=1)
    seen += compare_audit(case, paths, options, seed, rng, programs, folder)
    if rng.random() < 0.3:
        seen += compare_suppression(case, paths, options, seed, programs)
    return seen


def _sound(case: Case, cell: Labels) -> bool:
    limits = case.limits(cell)
    return limits["lower"] <= case.value[cell] <= limits["upper"]


def given(case: Case, paths: list[str]) -> Any:
    return paths if len(paths) > 1 else paths[0]


def compare_audit(
    case: Case,
    paths: list[str],
    options: dict[str, Any],
    seed: int,
    rng: np.random.Generator,
    programs: Any,
    folder: Path,
) -> Counter[str]:
    hidden = {cell for cell in case.cells if case.status[cell] in "um"}
    asked: dict[str, Any] = dict(options)
    if rng.random() < 0.35:
        before = {cell: "s" if rng.random() < 0.3 else each for cell, each in case.status.items()}
        told = None if rng.random() < 0.2 else before
        asked["earlier"] = [given(case, write(case, folder, "e", told))]
        hidden &= {cell for cell in case.cells if told is not None and told[cell] in "um"}
    boxes: dict[Labels, tuple[int, int]] = {}
    if rng.random() < 0.35:
        base = int(rng.integers(2, 6))
        asked["rounding"], boxes = base, rounded(case, hidden, base)
    if rng.random() < 0.4:
        asked["percentages"] = {}
        for cell, total, digits, box in percentages(case, hidden | set(boxes), rng):
            asked["percentages"][_names(cell)] = (_names(total), digits)
            low, high = boxes.get(cell, box)
            boxes[cell] = max(low, box[0]), min(high, box[1])
    numbers = list(case.cells)
    if rng.random() < 0.2:
        asked["attackers"] = [
            [_names(numbers[int(at)]) for at in rng.choice(len(numbers), 2, replace=False)] for _ in range(2)
        ]
    view = view_of(case, hidden, boxes)
    sets = [
        {tuple("T" if each == "Total" else each for each in cell) for cell in own} for own in asked.get("attackers", [])
    ]
    single: list[set[Labels]] = []
    firms: list[int] = []
    if rng.random() < 0.3:
        asked["singletons"] = False
    else:
        single, firms = alone(case, view), sorted(case.parts or ())
    try:
        found = dc.audit(given(case, paths), **asked)
    except InputError:
        return Counter(refused=1)
    wrong = short(case, view, set(), programs)
    for known in sets:
        wrong |= short(case, view, known, programs)
    for known in single:
        wrong |= against(case, view, known, programs)
    # Of what a respondent infers from stated limits alone the audit takes off what sums tell, and may ask for the rest.
    broad = wrong.union(*(short(case, view, known, programs) for known in single))
    for firm in firms:
        wrong |= held(case, view, firm, programs, direct=False)
        broad |= held(case, view, firm, programs, direct=True)
    seen = Counter({"audits": 1, "unsafe": bool(wrong), "attackers": len(sets) + len(single), "holdings": len(firms)})
    seen["percentages"] = len(asked.get("percentages", ()))
    where = f"seed {seed}: {options.get('rules')}, {sorted(case.stated)}, {sorted(set(asked) - set(options))}"
    table = found.table
    labels = [
        tuple("T" if each == "Total" else each for each in table.labels(cell)) for cell in found.intervals.cell.tolist()
    ]
    order = [case.variables.index(name) for name in table.variables]
    labels = [tuple(own[order.index(v)] for v in range(len(order))) for own in labels]
    assert set(labels) == set(view.low), f"other cells are hidden ({where})"
    for at, (low, high) in enumerate(ends(case, view, set(), labels, programs)):
        own = found.intervals
        assert own.lower[at] <= low and high <= own.upper[at], f"an end cuts off a table: {labels[at]} ({where})"
        assert not own.sharp[at] or (own.lower[at], own.upper[at]) == (low, high), f"not sharp: {labels[at]} ({where})"
        seen["ends"] += 2
    for outcome in (found.outcome, found.verify().outcome):
        assert not (outcome == "safe" and wrong), f"an unsafe table is called safe: {sorted(wrong)} ({where})"
        assert not (outcome == "unsafe" and not broad), f"a safe table is called unsafe ({where})"
        seen["cannot tell"] += outcome == "cannot tell"
    return seen


def percentages(
    case: Case, hidden: set[Labels], rng: np.random.Generator
) -> list[tuple[Labels, Labels, int, tuple[int, int]]]:
    """Some cells whose percentage of a published one is told, and the whole numbers that have the same percentage."""
    totals = [cell for cell in case.cells if cell not in hidden and case.value[cell]]
    found = []
    for cell in sorted(hidden):
        if not totals or rng.random() < 0.6:
            continue
        total, digits = totals[int(rng.integers(len(totals)))], int(rng.integers(0, 3))
        scale = Fraction(100 * 10**digits, case.value[total])
        exact = case.value[cell] * scale
        if exact.denominator == 2:
            continue  # it depends on the publisher which way this went: named as not covered
        told = round(exact)
        wide = abs(case.value[cell]) + abs(int(1 / scale)) + 2
        same = [y for y in range(-2 * wide, 2 * wide + 1) if abs(y * scale - told) <= Fraction(1, 2)]
        found.append((cell, total, digits, (same[0], same[-1])))
    return found


def _names(cell: Labels) -> Labels:
    return tuple("Total" if label == "T" else label for label in cell)


def rounded(case: Case, hidden: set[Labels], base: int) -> dict[Labels, tuple[int, int]]:
    """What the nearest multiple tells of the cells that are published and not fixed; ties may go either way."""
    found = {}
    for cell in case.cells:
        if cell not in hidden and case.status[cell] != "z":
            value = case.value[cell]
            nearest = (2 * value + base) // (2 * base) * base
            near = [y for y in range(nearest - base, nearest + base + 1) if 2 * abs(y - nearest) <= base]
            found[cell] = near[0], near[-1]
    return found


def compare_suppression(
    case: Case, paths: list[str], options: dict[str, Any], seed: int, programs: Any
) -> Counter[str]:
    """A pattern that is given out protects, against single respondents too."""
    try:
        found = dc.suppress(given(case, paths), cost="unit", time_limit=5.0, random_state=seed, **options)
    except (InputError, InfeasibleError, UnsafeReleaseError):
        return Counter({"not suppressed": 1})
    order = [case.variables.index(name) for name in found.table.variables]
    hidden = set()
    for cell in np.flatnonzero(found.table.problem.cells.hidden).tolist():
        own = [("T" if label == "Total" else label) for label in found.table.labels(cell)]
        hidden.add(tuple(own[order.index(v)] for v in range(len(order))))
    view = view_of(case, hidden, {})
    wrong = short(case, view, set(), programs)
    for known in alone(case, view):
        wrong |= against(case, view, known, programs)
    for firm in sorted(case.parts or ()):
        wrong |= held(case, view, firm, programs, direct=False)
    assert not wrong, (
        f"a pattern that was given out does not protect {sorted(wrong)} (seed {seed}, {options.get('rules')})"
    )
    assert found.verify().outcome != "unsafe", f"the check refuses a pattern that was given out (seed {seed})"
    return Counter(suppressions=1)


def run(seconds: float, seed: int) -> str:
    total: Counter[str] = Counter()
    end = time.monotonic() + seconds
    with IntegerPrograms() as programs, TemporaryDirectory() as folder:
        while time.monotonic() < end:
            total += compare(seed, programs, Path(folder))
            seed += 1
    words = (
        "tables",
        "audits",
        "unsafe",
        "attackers",
        "holdings",
        "percentages",
        "ends",
        "cannot tell",
        "suppressions",
        "refused",
        "skipped",
    )
    return ", ".join(f"{total[name]} {name}" for name in words)
