"""Attacks published tables from the bytes of their files alone: every table that agrees with them, one by one.

    run(seconds, seed)      tries until the time is over; raises AssertionError with what it takes to see the hole again

Small random records go through the public commands, and what these write is read with csv and nothing else. An
intruder knows what the format means: cells that are absent are zero, hidden cells are listed and (unless a rule hides
zeros) not zero, rounded innermost cells are within less than one base, counts with noise within the support of the
noise; that values are whole numbers of the smallest unit and none is negative; and that all tables of a file count the
same records. Tables of innermost cells of all variables together are enumerated one cell after the other, as the sums
that the file lists: those that agree are what is possible. No sensitive cell of a suppressed file may have less room
than its levels ask, no audit of the file be safe where a hidden cell is certain, no interval cut off a table, and the
figures of rounded tables and of counts with noise may not name fewer certain cells than there are.

`RINGS` and `GAPS` are off, as each shows a limit that is stated: tables that are linked in a ring (x by y, y by z and
x by z) tell more together than that they add up; and counts that may be two numbers but none between, where rows of
the table of perturbations differ.
"""

from __future__ import annotations

import csv
import itertools
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from attack.command import Outcome, discreet

RINGS = False
GAPS = False
MANY = 150_000
OPEN = 10**6
KEYS = 8
TOTAL = "Total"

Labels = tuple[str, ...]
Tree = dict[str, str]
Ints = NDArray[np.int64]
TREES: tuple[Tree, ...] = (
    {"a": TOTAL, "b": TOTAL},
    {"a": TOTAL, "b": TOTAL, "c": TOTAL},
    {"p": TOTAL, "q": TOTAL, "a": "p", "b": "p", "c": "q"},
    {"p": TOTAL, "a": "p", "b": TOTAL},
)


@dataclass(frozen=True)
class Shape:
    """The variables, what stands above each of their labels, and the variables of each table."""

    variables: tuple[str, ...]
    above: tuple[Tree, ...]
    tables: tuple[tuple[int, ...], ...]

    def leaves(self) -> list[Labels]:
        """The innermost cells of all variables together."""
        return list(
            itertools.product(*([label for label in tree if label not in tree.values()] for tree in self.above))
        )

    def cells(self, leaf: Labels) -> list[Labels]:
        """The cells of the tables that a leaf counts in."""
        chains = [_up(label, tree) for label, tree in zip(leaf, self.above)]
        every = range(len(leaf))
        found = (
            itertools.product(*(chain if v in own else [TOTAL] for v, chain in zip(every, chains)))
            for own in self.tables
        )
        return list(dict.fromkeys(itertools.chain.from_iterable(found)))

    def is_total(self, cell: Labels) -> bool:
        """Whether a table breaks the cell down further."""
        return any(
            cell[v] in self.above[v].values() and all(cell[u] == TOTAL for u in range(len(cell)) if u not in own)
            for own in self.tables
            for v in own
        )


def _up(label: str, tree: Tree) -> list[str]:
    return [label, *(_up(tree[label], tree) if label in tree else [])]


@dataclass(frozen=True)
class Possible:
    """Every table that agrees with a file: a row a table, a column a cell that the file lists."""

    cells: list[Labels]
    tables: Ints

    def ends(self) -> dict[Labels, tuple[int, int]]:
        low, high = self.tables.min(axis=0).tolist(), self.tables.max(axis=0).tolist()
        return {cell: (least, most) for cell, least, most in zip(self.cells, low, high)}

    def within(self, low: dict[Labels, int], high: dict[Labels, int]) -> Possible:
        """Those that somebody thinks possible who knows limits of some cells."""
        least = np.array([low.get(cell, -OPEN) for cell in self.cells])
        most = np.array([high.get(cell, OPEN) for cell in self.cells])
        return Possible(self.cells, self.tables[((least <= self.tables) & (self.tables <= most)).all(axis=1)])


def enumerate_tables(shape: Shape, boxes: dict[Labels, tuple[int, int]], many: int = MANY) -> Possible | None:
    """All tables whose listed cells are within their `boxes`, those not listed 0; None where they are too many."""
    cells = list(boxes)
    place = {cell: at for at, cell in enumerate(cells)}
    leaves = [leaf for leaf in shape.leaves() if all(cell in place for cell in shape.cells(leaf))]
    least, most = (np.array([box[end] for box in boxes.values()], np.int64) for end in (0, 1))
    parts = [np.array([place[cell] for cell in shape.cells(leaf)]) for leaf in leaves]
    last = {cell: at for at, own in enumerate(parts) for cell in own.tolist()}
    sums = np.zeros((1, len(cells)), np.int64)
    for at, own in enumerate(parts):
        room = int(most[own].min())
        if room >= OPEN or len(sums) * (room + 1) > 20 * many:
            return None
        grown = np.repeat(sums, room + 1, axis=0)
        grown[:, own] += np.tile(np.arange(room + 1), len(sums))[:, None]
        done = np.array([cell for cell in own.tolist() if last[cell] == at], np.int64)
        fits = (grown[:, own] <= most[own]).all(axis=1) & (grown[:, done] >= least[done]).all(axis=1)
        sums = np.unique(grown[fits], axis=0)  # tables of other variables may have the same sums
        if len(sums) > many:
            return None
    return Possible(cells, sums)


@dataclass(frozen=True)
class Published:
    """A file as it stands: what each listed cell shows, None where it is hidden."""

    shown: dict[Labels, int | None]

    @property
    def hidden(self) -> list[Labels]:
        return [cell for cell, value in self.shown.items() if value is None]


def read(path: Path, shape: Shape) -> Published:
    """By csv alone; every line must have what its kind has and nothing else."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    number = "value" if rows and "value" in rows[0] else "count"
    expected = {*shape.variables, "status", "count", number}
    shown: dict[Labels, int | None] = {}
    for row in rows:
        assert {*row} <= expected, f"more columns than labels, numbers and status: {[*row]}"
        assert number == "count" or not row.get("count"), "counts beside amounts"
        told = row.get("status", "s") != "hidden"
        assert told == bool(row[number]), f"a hidden cell has a value, or a shown one none: {row}"
        value = int(row[number]) if told else None
        shown[tuple(row[name] for name in shape.variables)] = value
    assert len(shown) == len(rows), "a cell is listed twice"
    return Published(shown)


@dataclass
class Case:
    """Records, and the table they make."""

    shape: Shape
    value: dict[Labels, int]
    contributors: dict[Labels, int]
    what: list[str]
    """What is counted: options of tabulate."""
    by: list[str]
    trees: list[str]
    empty: bool

    @property
    def grain(self) -> int:
        """What all weighted counts are multiples of: hidden ones are known to be no less."""
        return int(np.gcd.reduce([*self.value.values()])) if "--weight" in self.what else 1

    def least(self, cells: list[Labels], zeros: bool) -> dict[Labels, int]:
        """What each cell is known to be at least by who sees which are listed: a total as much as its parts."""
        grain = 0 if zeros else self.grain
        found = {cell: min(grain, self.value.get(cell, 0)) for cell in cells}
        while True:
            before = dict(found)
            for cell, own in itertools.product(cells, self.shape.tables):
                if all(cell[u] == TOTAL for u in range(len(cell)) if u not in own):
                    for v in own:
                        below = [label for label, parent in self.shape.above[v].items() if parent == cell[v]]
                        parts = [(*cell[:v], label, *cell[v + 1 :]) for label in below]
                        found[cell] = max(found[cell], sum(found.get(part, 0) for part in parts))
            if found == before:
                return found

    @property
    def lists_zeros(self) -> bool:
        """Whether a listed cell may be zero: who sees that cells are left out knows that none is."""
        every = (cell for leaf in self.shape.leaves() for cell in self.shape.cells(leaf))
        return self.empty and any(cell not in self.value for cell in every)


def case_of(rng: np.random.Generator, folder: Path) -> Case:
    """Random records in `records.csv`, each with a key, and what they add up to."""
    ways = int(rng.choice([2, 2, 2, 3]))
    above = tuple(TREES[int(rng.integers(len(TREES) if ways == 2 else 2))] for _ in range(ways))
    linked: list[tuple[tuple[int, ...], ...]] = [((0, 1), (1, 2)), ((0, 1), (2,)), ((0, 1, 2),), ((0, 2), (0, 1))]
    if RINGS:
        linked = [((0, 1), (1, 2), (0, 2))]
    shape = Shape(tuple("xyz"[:ways]), above, linked[int(rng.integers(len(linked)))] if ways == 3 else ((0, 1),))
    kind = str(rng.choice(["count", "count", "count", "weight", "amount"]))
    leaves = shape.leaves()
    numbers = rng.poisson(float(rng.choice([0.5, 1.0, 1.6])), len(leaves))
    records = [leaf for leaf, number in zip(leaves, numbers.tolist()) for _ in range(number)] or leaves[:1]
    same = kind == "weight" and rng.random() < 0.4
    value: Counter[Labels] = Counter()
    owners: dict[Labels, set[int]] = {}
    rows = []
    for at in rng.permutation(len(records)).tolist():
        amount, firm, key = (int(rng.integers(1, most)) for most in (4, 7, KEYS + 1))
        amount = 2 if same else amount
        rows.append([*records[at], str(amount), f"h{firm}", str(key - 1)])
        for cell in shape.cells(records[at]):
            value[cell] += 1 if kind == "count" else amount
            owners.setdefault(cell, set()).add(firm if kind == "amount" else len(rows))
    with (folder / "records.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([[*shape.variables, "amount", "firm", "key"], *rows])
    trees: list[str] = []
    for name, tree in zip(shape.variables, above):
        if any(parent != TOTAL for parent in tree.values()) or rng.random() < 0.2:
            (folder / f"{name}.csv").write_text("".join(f"{child},{parent}\n" for child, parent in tree.items()))
            trees += ["--hierarchy", f"{name}={folder / name}.csv"]
    what = {"count": [], "weight": ["--weight", "amount"], "amount": ["--value", "amount", "--holding", "firm"]}[kind]
    by = [word for own in shape.tables for word in ("--by", ",".join(shape.variables[v] for v in own))]
    empty = bool(rng.random() < 0.25)
    case = Case(shape, dict(value), {cell: len(own) for cell, own in owners.items()}, what, by, trees, empty)
    if empty and not trees:  # labels that no record has are not known to anybody then
        case.empty = all(any(cell[v] == label for cell in value) for v, tree in enumerate(above) for label in tree)
    return case


@dataclass(frozen=True)
class Asked:
    """Rules, as they are given and as they are meant."""

    frequency: int
    percent: int
    knowledge: int
    zeros: bool

    def words(self) -> list[str]:
        rules = [f"frequency={self.frequency}", f"range={self.percent}", f"knowledge={self.knowledge}"]
        return [word for rule in rules + ["zeros=1"] * self.zeros for word in ("--rule", rule)]

    def short(self, case: Case, sensitive: set[Labels], found: Possible, zeros: bool) -> list[str]:
        """Sensitive cells whose levels do not hold, for whoever knows each cell within limits beforehand."""
        least = case.least(found.cells, zeros)
        value = {cell: case.value.get(cell, 0) for cell in found.cells}
        wide = {cell: -(-self.knowledge * each // 100) for cell, each in value.items()}
        low = {cell: max(least[cell], each - wide[cell]) for cell, each in value.items()}
        high = {cell: max(each + wide[cell], 2 * (each == 0 and self.zeros)) for cell, each in value.items()}
        wrong = []
        for known, view in (("", found), (" with limits", found.within(low, high))):
            for cell, (lowest, highest) in view.ends().items():
                if cell not in sensitive:
                    continue
                each = value[cell]
                level = max(1, -(-self.percent * each // 100)) if each else 1
                below = min(level, each - least[cell])
                if highest < each + level or lowest > each - below:
                    wrong.append(f"{cell} is {each} and known to be {lowest} to {highest}{known}, level {level}")
        return wrong


def rules_of(rng: np.random.Generator) -> Asked:
    frequency, percent, knowledge = (int(rng.choice(list(each))) for each in ((2, 3, 4), (15, 15, 60), (100, 100, 200)))
    return Asked(frequency, percent, knowledge, bool(rng.random() < 0.15))


def compare(seed: int, folder: Path) -> Counter[str]:
    """One random set of records, and what its published tables tell."""
    rng = np.random.default_rng(seed)
    case, asked = case_of(rng, folder), rules_of(rng)
    seen = Counter(records=1)
    true = folder / "true.csv"
    empty = ["--empty"] if case.empty else []
    made = run_command(
        ["tabulate", folder / "records.csv", *case.by, "-o", true, *case.what, *case.trees, *empty, *asked.words()],
        seed,
    )
    if made.code:
        return seen + Counter({"not tabulated": 1})
    table = read_true(true, case.shape)
    assert {cell: value for cell, (value, _) in table.items() if value} == case.value, f"another table (seed {seed})"
    few = {cell for cell, number in case.contributors.items() if 0 < number < asked.frequency}
    few |= {cell for cell, (value, _) in table.items() if not value and asked.zeros}
    assert few == {cell for cell, (_, status) in table.items() if status == "u"}, f"other cells are sensitive ({seed})"
    marked = mark(true, case, rng) if rng.random() < 0.3 else set()
    seen += compare_suppression(case, asked, few | marked, rng, seed, folder)
    seen += compare_rounding(case, asked, few | marked, rng, seed, folder)
    if not case.what:
        seen += compare_noise(case, rng, seed, folder)
    return seen


def run_command(words: list[object], seed: int) -> Outcome:
    """The command, which must know what it does."""
    found = discreet(*words)
    assert "Traceback" not in found.said, f"it breaks (seed {seed}): {' '.join(map(str, words))}: {found.said}"
    return found


def read_true(path: Path, shape: Shape) -> dict[Labels, tuple[int, str]]:
    """The table with its true values and statuses."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    number = "value" if "value" in rows[0] else "count"
    return {tuple(row[name] for name in shape.variables): (int(row[number]), row["status"]) for row in rows}


def mark(path: Path, case: Case, rng: np.random.Generator) -> set[Labels]:
    """Some cells marked by hand; those that are made sensitive."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    marked = set()
    for row in rows:
        cell = tuple(row[name] for name in case.shape.variables)
        if row["status"] == "s" and rng.random() < 0.15:
            row["status"] = str(rng.choice(["u", "m", "z"]))
            marked |= {cell} if row["status"] == "u" else set()
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return marked


def boxes_of(found: Published, least: int) -> dict[Labels, tuple[int, int]]:
    """What a suppressed file tells of each cell that it lists."""
    return {cell: (least, OPEN) if told is None else (told, told) for cell, told in found.shown.items()}


def compare_suppression(
    case: Case, asked: Asked, sensitive: set[Labels], rng: np.random.Generator, seed: int, folder: Path
) -> Counter[str]:
    """Files that hide cells, the second one beside the first."""
    seen, earlier = Counter[str](), list[object]()
    zeros = asked.zeros and case.lists_zeros
    for name in ("first", "second"):
        path = folder / f"{name}.csv"
        cost, single = str(rng.choice(["unit", "value", "count"])), rng.random() < 0.5
        words = ["suppress", folder / "true.csv", "-o", path, *case.trees, *asked.words(), "--cost", cost, *earlier]
        made = run_command([*words, "--force", *(["--no-singletons"] if single else [])], seed)
        if made.code:
            return seen + Counter({"not suppressed": 1})
        found = read(path, case.shape)
        possible = enumerate_tables(case.shape, boxes_of(found, 0 if zeros else case.grain))
        if possible is None:
            return seen + Counter({"too many": 1})
        seen += Counter({"patterns": 1, "tables": len(possible.tables), "hidden": len(found.hidden)})
        where = f"seed {seed}, {name}, {case.shape.tables}, {asked}, {' '.join(map(str, words))}"
        assert_true(case, possible, where)
        wrong = asked.short(case, sensitive, possible, zeros)
        assert not wrong, f"a sensitive cell is told: {wrong} ({where})"
        if zeros or case.grain == 1:  # the file does not say that counts are weighted
            seen += compare_audit(case, found, possible, path, zeros, where, folder)
        earlier += ["--earlier", path]
    return seen


def assert_true(case: Case, possible: Possible, where: str) -> None:
    """The oracle itself must think the true table possible."""
    true = np.array([case.value.get(cell, 0) for cell in possible.cells])
    assert (possible.tables == true).all(axis=1).any(), f"the true table is not among the possible ones ({where})"


def compare_audit(
    case: Case, found: Published, possible: Possible, path: Path, zeros: bool, where: str, folder: Path
) -> Counter[str]:
    """The audit of the file that was published."""
    ends, ranges = possible.ends(), folder / "ranges.csv"
    rules = ["--rule", "zeros=1"] if zeros else []
    made = discreet("audit", path, *case.trees, *rules, "-o", ranges, "--force")
    certain = [cell for cell in found.hidden if ends[cell][0] == ends[cell][1]]
    assert made.code in (0, 1, 2), f"{made.said} ({where})"
    assert made.code != 0 or not certain, f"an audit calls a file safe that tells {certain} ({where})"
    assert made.code != 1 or certain, f"an audit calls a file unsafe that tells nothing ({where}): {made.said}"
    if found.hidden:
        with ranges.open(newline="") as file:
            for row in csv.DictReader(file):
                cell = tuple(row[name] for name in case.shape.variables)
                low, high = int(row["lower"]), int(row["upper"])
                assert low <= ends[cell][0] and ends[cell][1] <= high, (
                    f"{cell} can be {ends[cell]}, not {row} ({where})"
                )
    return Counter({"audits": 1, "unsafe": bool(certain)})


def compare_rounding(
    case: Case, asked: Asked, sensitive: set[Labels], rng: np.random.Generator, seed: int, folder: Path
) -> Counter[str]:
    """A rounded file and the figures of its audit."""
    base, path, figures = int(rng.choice([2, 3, 5])), folder / "rounded.csv", folder / "rounded.json"
    extra = ["--totals-first"] if rng.random() < 0.3 else []
    words = ["round", folder / "true.csv", "--base", base, *case.trees, "--audit", *extra, "-o", path]
    for rules in ([], asked.words()):
        for old in (path, figures):
            old.unlink(missing_ok=True)
        made = run_command([*words, "--json", figures, *rules], seed)
        if made.code and not path.exists():
            # Without its audit the same table is written: what must not be told is told by it.
            continue
        found = read(path, case.shape)
        audit = json.loads(figures.read_text())
        far = OPEN if audit["outside"] else base - 1
        inner = {cell for cell in found.shown if not case.shape.is_total(cell)}
        least = 0 if case.empty else 1
        boxes = {
            cell: (max(least, told - away), told + away)
            for cell, told in found.shown.items()
            if told is not None
            for away in [base - 1 if cell in inner else far]
        }
        possible = enumerate_tables(case.shape, boxes)
        if possible is None:
            return Counter({"too many": 1})
        where = f"seed {seed}, {case.shape.tables}, {' '.join(map(str, [*words, *rules]))}"
        assert_true(case, possible, where)
        certain = [cell for cell, (low, high) in possible.ends().items() if low == high]
        assert audit["audit"]["exact"] >= len(certain), (
            f"{len(certain)} cells are certain, not {audit['audit']['exact']}: {certain} ({where})"
        )
        if rules:
            wrong = asked.short(case, sensitive, possible, asked.zeros and case.lists_zeros)
            assert not wrong, f"a rounded table tells {wrong} ({where})"
    return Counter({"rounded": 1, "far": bool(path.exists() and audit["outside"])})


def noise_of(rng: np.random.Generator) -> list[tuple[int, int, int]]:
    """A table of perturbations: count, key, what is added."""
    rows = []
    for count in range(1, int(rng.integers(2, 7))):
        low, high = -int(rng.integers(0, min(count, 2) + 1)), int(rng.integers(0, 3))
        values = np.resize(np.arange(low, high + 1), KEYS)
        rows += [(count, key, int(added)) for key, added in enumerate(rng.permutation(values).tolist())]
    return rows


def compare_noise(case: Case, rng: np.random.Generator, seed: int, folder: Path) -> Counter[str]:
    """Counts with noise by cell keys."""
    path, figures, noise = folder / "noise.csv", folder / "noise.json", noise_of(rng)
    with (folder / "ptable.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("pcv", "ckey", "pvalue"), *noise])
    words = ["cell-key", folder / "records.csv", *case.by, "--record-key", "key", *case.trees, "-o", path]
    words += ["--perturbation", folder / "ptable.csv", *(["--empty"] if case.empty else [])]
    made = run_command([*words, "--json", figures, "--force"], seed)
    if made.code:
        return Counter({"no noise": 1})
    last = max(count for count, _, _ in noise)
    support = {count: {added for row, _, added in noise if row == count} for count in range(1, last + 1)}
    may_be: dict[Labels, list[int]] = {}
    for cell, told in read(path, case.shape).shown.items():
        assert told is not None
        counts = range(0 if case.empty else 1, told + 10)
        may_be[cell] = [each for each in counts if told - each in (support[min(each, last)] if each else {0})]
    if not GAPS and any(each[-1] - each[0] >= len(each) for each in may_be.values()):
        return Counter(gaps=1)
    where = f"seed {seed}, {case.shape.tables}, {noise}, {' '.join(map(str, words))}"
    possible = enumerate_tables(case.shape, {cell: (each[0], each[-1]) for cell, each in may_be.items()})
    if possible is None:
        return Counter({"too many": 1})
    fits = [np.isin(possible.tables[:, at], may_be[cell]) for at, cell in enumerate(possible.cells)]
    possible = Possible(possible.cells, possible.tables[np.all(fits, axis=0)])
    assert_true(case, possible, where)
    alone = [cell for cell, each in may_be.items() if each[0] == each[-1] > 0]
    certain = [cell for cell, (low, high) in possible.ends().items() if low == high > 0]
    told = json.loads(figures.read_text())
    assert told["exact_by_support"] >= len(alone), f"{alone} are certain, not {told['exact_by_support']} ({where})"
    assert told["exact_by_sums"] >= len(certain), f"{certain} are certain, not {told['exact_by_sums']} ({where})"
    assert not certain or "checked: safe" not in made.said, f"{certain} are certain and called safe ({where})"
    return Counter({"noisy": 1})


def run(seconds: float, seed: int) -> str:
    total: Counter[str] = Counter()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with TemporaryDirectory() as folder:
            total += compare(seed, Path(folder))
        seed += 1
    words = ("records", "patterns", "hidden", "tables", "audits", "unsafe", "rounded", "far", "noisy")
    others = ("too many", "gaps", "not tabulated", "not suppressed", "no noise")
    return ", ".join(f"{total[name]} {name}" for name in words + others)
