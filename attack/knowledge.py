"""Attacks the verdicts on tables with totals by whatever an attacker may know at once, through the public functions.

    run(seconds, seed)      tries until the time is over; raises AssertionError with what it takes to see the hole again

Tables are small: flat, with a hierarchy, or two of them linked; counts or amounts, some of them negative. Files state
some limits and levels and leave others to rules. On top of the pattern come earlier releases, rounded values,
percentages, attackers who know cells, and single respondents. What an attacker must think possible is asked of an
outside integer program that is put together here from the labels alone: no end of an interval may cut off a table, no
pattern be called safe or unsafe, by the audit, its check or a suppression, that is not.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import discreet as dc
from attack.integer_programs import IntegerPrograms
from discreet.errors import InfeasibleError, InputError, UnsafeReleaseError

Labels = tuple[str, ...]
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

    def limits(self, cell: Labels) -> dict[str, int]:
        """What is known of a cell and asked for it: the definitions of the manual, written again."""
        value, size = self.value[cell], abs(self.value[cell])
        sensitive = self.status[cell] == "u"
        level = max(1, -(-size * self.rules.get("range", 15) // 100)) if sensitive else 0
        wide = -(-size * self.rules.get("knowledge", 100) // 100)
        positive = all(self.value[each] >= 0 for each in self.cells)
        found = {
            "lower": max(0, value - wide) if positive else value - wide,
            "upper": value + wide,
            "below": min(level, value) if positive else level,
            "above": level,
            "sliding": -(-size * self.rules.get("sliding", 0) // 100) if sensitive else 0,
        }
        for name, column in self.stated.items():
            own = column[cell]
            if self.rules:
                own = (min if name == "upper" else max)(own, found[name])
            found[name] = own
        return found


def table_of(rng: np.random.Generator) -> Case:
    """Random innermost cells, and every total."""
    ways = int(rng.choice([2, 2, 3]))
    above = [TREES[int(rng.integers(2 if ways == 3 else 3))] for _ in range(ways)]
    leaves = [[label for label in tree if label not in tree.values()] for tree in above]
    counts = bool(rng.random() < 0.7)
    most, least = int(rng.choice([3, 6, 20])), 0 if counts or rng.random() < 0.5 else -5
    value: Counter[Labels] = Counter()
    for leaf in itertools.product(*leaves):
        own = int(rng.integers(least, most + 1))
        for cell in itertools.product(*(_up(label, tree) for label, tree in zip(leaf, above))):
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
    return Case(tuple("xyz"[:ways]), above, tables, dict(value), cells, relations, counts)


def _up(label: str, tree: dict[str, str]) -> list[str]:
    return [label, *(_up(tree[label], tree) if label in tree else [])]


def ask(case: Case, rng: np.random.Generator) -> None:
    """Statuses, what files state, rules."""
    if case.counts and rng.random() < 0.5:
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
        few = 0 < value < case.rules.get("frequency", 0)
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
        head = [case.variables[v] for v in own] + [number_is] + (["status"] if statuses else []) + more
        rows = [head]
        for cell in case.cells:
            if all(label == "T" for v, label in enumerate(cell) if v not in own):
                labels = ["Total" if cell[v] == "T" else cell[v] for v in own]
                told = [statuses[cell]] if statuses else []
                rows.append([*labels, str(case.value[cell]), *told, *(str(case.stated[each][cell]) for each in more)])
        path.write_text("\n".join(",".join(row) for row in rows) + "\n")
        paths.append(str(path))
    for variable, tree in zip(case.variables, case.above):
        text = "".join(f"{child},{'Total' if parent == 'T' else parent}\n" for child, parent in tree.items())
        (folder / f"{variable}.csv").write_text(text)
    return paths


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
        wrong |= {(cell, "above")} if high < value + limits["above"] else set()
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


def alone(case: Case, view: View) -> list[set[Labels]]:
    """The cells that single respondents know: of a total and a part with one contributor each it is the same one."""
    if not case.counts:
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
    if rng.random() < 0.3:
        asked["singletons"] = False
    else:
        single = alone(case, view)
    try:
        found = dc.audit(given(case, paths), **asked)
    except InputError:
        return Counter(refused=1)
    wrong = short(case, view, set(), programs)
    for known in sets:
        wrong |= short(case, view, known, programs)
    for known in single:
        wrong |= against(case, view, known, programs)
    seen = Counter({"audits": 1, "unsafe": bool(wrong), "attackers": len(sets) + len(single)})
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
        assert not (outcome == "unsafe" and not wrong), f"a safe table is called unsafe ({where})"
        seen["cannot tell"] += outcome == "cannot tell"
    return seen


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
    words = ("tables", "audits", "unsafe", "attackers", "ends", "cannot tell", "suppressions", "refused", "skipped")
    return ", ".join(f"{total[name]} {name}" for name in words)
