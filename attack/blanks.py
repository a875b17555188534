"""Attacks local suppression and its check: small files, honest releases, then edits of cells, rows and prices.

Four to nine records of one to three keys, some missing, some spelled in two ways. Truth comes from trying everything:
the cheapest classes over all partitions, the cheapest cover record by record. An honest release must be confirmed and
its bound be true; an edited one may be called safe only if every cell is blank or what it was for some order of rows,
every combination is shared by k, and nothing is spelled in two ways; an edited certificate only if its bound is true.
"""

from __future__ import annotations

import copy
import itertools
import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import discreet as dc
from discreet.verify import File, verify_certified

EDITS = 25
NAMES = ("a", "b", "c")
Rows = list[list[str]]


@dataclass(frozen=True)
class Instance:
    """A file, what was asked, and what came out."""

    rows: Rows
    k: int
    semantics: str
    m: int | None
    weights: tuple[int, ...]
    published: Rows
    certificate: dict[str, Any]
    least: int

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: len(self.rows[0])]


def run(seconds: float, seed: int) -> str:
    """Attack for so long; says how much was tried. An AssertionError describes a hole and how to come back to it."""
    end = time.monotonic() + seconds
    files = edited = safe = proofs = true = 0
    while files == 0 or time.monotonic() < end:
        with tempfile.TemporaryDirectory() as folder:
            found = attack([seed, files], Path(folder))
        files += 1
        edited, safe, proofs, true = (a + b for a, b in zip((edited, safe, proofs, true), found))
    return (
        f"{files} files suppressed and confirmed, {edited} edits of them tried ({safe} still safe), {proofs} edited "
        f"certificates ({true} still true)"
    )


def attack(seed: list[int], folder: Path) -> tuple[int, int, int, int]:
    """One file: its honest release, then edits; how many of each, and how many were still right."""
    random = np.random.default_rng(seed)
    instance = draw(random, folder, f"seed {seed}")
    verdict, proof = judged(instance, instance.published, json.dumps(instance.certificate), folder, f"seed {seed}")
    assert verdict.safe, f"refused an honest release: seed {seed}: {verdict.failures}"
    assert proof.safe, f"refused an honest certificate: seed {seed}: {proof.failures}"
    safe = true = 0
    for number in range(EDITS):
        where = f"seed {seed}, edit {number}"
        rows = copy.deepcopy(instance.published)
        for _ in range(int(random.choice([1, 1, 2]))):
            CELLS[int(random.integers(len(CELLS)))](random, rows, instance)
        text = forged(random, instance.certificate)
        verdict, proof = judged(instance, rows, text, folder, where)
        if verdict.safe:
            safe += 1
            assert holds(instance, rows), f"called a release safe that is not: {where}: {rows}"
        if proof.safe:
            true += 1
            stated = json.loads(text)
            limit = instance.least if tuple(stated["importance"].values()) == instance.weights else None
            limit = truth(instance, tuple(stated["importance"].values())) if limit is None else limit
            assert stated["lower_bound"] <= limit, f"accepted a bound above the truth: {where}: {text[:500]}"
            total = sum(price * count for price, count in zip(stated["prices"], counts(instance.rows)))
            assert stated["total"] == total, f"accepted another total: {where}"
    return EDITS, safe, EDITS, true


def judged(instance: Instance, rows: Rows, text: str, folder: Path, where: str) -> tuple[Any, Any]:
    before, after = folder / "before.csv", folder / "after.csv"
    write(before, instance.names, instance.rows)
    write(after, instance.names, rows)
    (folder / "c.json").write_text(text)
    claim: dict[str, Any] = {"k": instance.k, "quasi_identifiers": list(instance.names), "guarantee": "blanks"}
    claim["combinations"] = instance.m
    try:
        return verify_certified(
            File(before, delimiter=","),
            File(after, delimiter=","),
            folder / "c.json",
            semantics=instance.semantics,
            **claim,
        )
    except dc.InputError as error:
        return _Refused(error), _Refused(error)
    except Exception as error:
        raise AssertionError(f"the check raised {type(error).__name__}: {where}: {rows}: {text[:500]}") from error


@dataclass(frozen=True)
class _Refused:
    error: Any
    safe: bool = False

    @property
    def failures(self) -> Any:
        return self.error.faults


def write(path: Path, names: tuple[str, ...], rows: Rows) -> None:
    """The rows as they are, with a last column so that no line is empty."""
    lines = [",".join([*row, "x"]) for row in rows]
    path.write_text("\n".join([",".join([*names, "rest"]), *lines]) + "\n")


# Instances.


def draw(random: np.random.Generator, folder: Path, where: str) -> Instance:
    n, d = int(random.integers(4, 10)), int(random.integers(1, 4))
    pools = [["1", "2", "3"], ["u", "v", "w"], ["1.5", "2", "u"]]
    if random.random() < 0.3:
        pools[0] = ["1", "1.0", "2", "2.0"]  # a value in two spellings
    rows = [[str(random.choice(pools[j])) for j in range(d)] for _ in range(n)]
    for row in rows:
        for j in range(d):
            if random.random() < 0.08:
                row[j] = ""
    k = int(random.integers(2, min(n, 4) + 1))
    semantics = str(random.choice(["class", "class", "cover"]))
    m = int(random.integers(1, d)) if d > 1 and random.random() < 0.3 else None
    weights = tuple(int(w) for w in random.integers(1, 4, d))
    weights = tuple(int(w) // int(np.gcd.reduce(weights)) for w in weights)
    path = folder / "data.csv"
    write(path, NAMES[:d], rows)
    from discreet.frames import read
    from discreet.frames import write as write_file

    document = read(path, exact=list(NAMES[:d]), delimiter=",")
    try:
        result = dc.suppress_locally(
            document.frame,
            k,
            keys=list(NAMES[:d]),
            importance=dict(zip(NAMES, weights)),
            semantics=semantics,  # type: ignore[arg-type]
            combinations=m,
            check=False,
        )
    except dc.InputError as error:
        raise AssertionError(f"refused a file: {where}: {rows}: {error}") from error
    write_file(result.data, folder / "out.csv", like=document, anew=NAMES[:d])
    lines = (folder / "out.csv").read_text().splitlines()[1:]
    published = [line.split(",")[:d] for line in lines]
    instance = Instance(rows, k, semantics, m, weights, published, dict(result.certificate or {}), 0)
    least = truth(instance, weights)
    assert result.lower_bound is not None and result.lower_bound <= least, f"a bound above the truth: {where}: {rows}"
    assert holds(instance, published), f"suppressed too little: {where}: {rows}"
    assert semantics == "class" or result.cost == least, f"a cover that is not the least: {where}: {rows}"
    assert result.cost >= least, f"fewer blanks than are possible: {where}: {rows}"
    return Instance(rows, k, semantics, m, weights, published, dict(result.certificate or {}), least)


def meaning(column: list[str]) -> Callable[[str], str]:
    """What a field means in a column: a number where all are numbers, else its text; "" is nothing."""

    def bare(text: str) -> str:
        return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text

    def number(text: str) -> str | None:
        if bare(text).strip() in ("", "NA"):
            return ""
        try:
            return str(float(bare(text)))
        except ValueError:
            return None

    if all(number(text) is not None for text in column) and any(column):
        return lambda text: bare(text) if number(text) is None else str(number(text))
    return bare


def plain(instance: Instance, rows: Rows) -> Rows:
    """The rows by what they mean in the columns of the original."""
    by = [meaning([row[j] for row in instance.rows]) for j in range(len(instance.names))]
    return [[by[j](value) for j, value in enumerate(row)] for row in rows]


def counts(rows: Rows) -> list[int]:
    """How often each distinct row occurs, in the order of first appearance."""
    by = [meaning([row[j] for row in rows]) for j in range(len(rows[0]))]
    found: dict[tuple[str, ...], int] = {}
    for row in rows:
        key = tuple(by[j](value) for j, value in enumerate(row))
        found[key] = found.get(key, 0) + 1
    return list(found.values())


# Truth.


def fits(shown: list[str], row: list[str]) -> bool:
    return all(a in ("", b) for a, b in zip(shown, row))


def holds(instance: Instance, rows: Rows) -> bool:
    """Whether published rows are what is claimed, from the definition."""
    before, after = plain(instance, instance.rows), plain(instance, rows)
    if len(before) != len(after) or any(len(row) != len(instance.names) for row in rows):
        return False
    for j in range(len(instance.names)):
        spelled: dict[str, set[str]] = {}
        for raw, meant in zip(rows, after):
            spelled.setdefault(meant[j], set()).add(raw[j])
        if any(len(texts) > 1 for texts in spelled.values()):
            return False
    if not matched([[i for i, row in enumerate(before) if fits(shown, row)] for shown in after]):
        return False
    for chosen in keys_of(instance):
        some, people = ([[row[j] for j in chosen] for row in table] for table in (after, before))
        for shown in some:
            sharers = sum(other == shown for other in some)
            if instance.semantics == "cover":
                sharers = sum(fits(shown, row) for row in people)
            if sharers < instance.k:
                return False
    return True


def keys_of(instance: Instance) -> list[tuple[int, ...]]:
    """The sets of keys that are asked about."""
    d = len(instance.names)
    return list(itertools.combinations(range(d), d if instance.m is None else instance.m))


def matched(options: list[list[int]]) -> bool:
    """Whether everybody can be somewhere: augmenting paths."""
    owner: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for person in options[row]:
            if person not in seen:
                seen.add(person)
                if person not in owner or place(owner[person], seen):
                    owner[person] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(options)))


def truth(instance: Instance, weights: tuple[int, ...]) -> int:
    """The least weighted number of blanks; for classes of some keys only what every record must have by itself."""
    rows = plain(instance, instance.rows)
    if instance.semantics == "cover" or instance.m is not None:
        return sum(_least_cover(instance, rows, row, weights) for row in rows)
    return _least_classes(rows, weights, instance.k)


def _least_cover(instance: Instance, rows: Rows, row: list[str], weights: tuple[int, ...]) -> int:
    costs = []
    for hidden in itertools.product((False, True), repeat=len(row)):
        shown = ["" if gone else value for gone, value in zip(hidden, row)]
        people = [
            sum(all(shown[j] in ("", other[j]) for j in chosen) for other in rows) for chosen in keys_of(instance)
        ]
        if min(people) >= instance.k:
            costs.append(sum(w for w, gone, value in zip(weights, hidden, row) if gone and value))
    return min(costs)


def _least_classes(rows: Rows, weights: tuple[int, ...], k: int) -> int:
    def cost(group: tuple[int, ...]) -> int:
        total = 0
        for j, weight in enumerate(weights):
            values = [rows[i][j] for i in group]
            if len(set(values)) > 1:
                total += weight * sum(value != "" for value in values)
        return total

    @cache
    def best(left: tuple[int, ...]) -> float:
        if not left:
            return 0
        found = float("inf")
        for size in range(k, len(left) + 1):
            for others in itertools.combinations(left[1:], size - 1):
                chosen = {*others, left[0]}
                found = min(found, cost((left[0], *others)) + best(tuple(i for i in left if i not in chosen)))
        return found

    return int(best(tuple(range(len(rows)))))


# Edits of a release.


def restore(random: np.random.Generator, rows: Rows, instance: Instance) -> None:
    blank = [(i, j) for i, row in enumerate(rows) for j, value in enumerate(row) if value == ""]
    if blank and len(rows) == len(instance.rows):
        i, j = blank[int(random.integers(len(blank)))]
        rows[i][j] = instance.rows[i][j] or str(random.choice(["1", "u"]))


def empty(random: np.random.Generator, rows: Rows, _: Instance) -> None:
    row = rows[int(random.integers(len(rows)))]
    row[int(random.integers(len(row)))] = str(random.choice(["", "", "NA", " "]))


def empty_alike(random: np.random.Generator, rows: Rows, _: Instance) -> None:
    """A column of a whole class, or of all."""
    j = int(random.integers(len(rows[0])))
    like = list(rows[int(random.integers(len(rows)))])
    everybody = random.random() < 0.3
    for row in rows:
        if everybody or row == like:
            row[j] = ""


def change(random: np.random.Generator, rows: Rows, instance: Instance) -> None:
    row = rows[int(random.integers(len(rows)))]
    j = int(random.integers(len(row)))
    row[j] = instance.rows[int(random.integers(len(instance.rows)))][j]


def change_alike(random: np.random.Generator, rows: Rows, instance: Instance) -> None:
    """The same other value in a whole class: shared by as many as before."""
    like = list(rows[int(random.integers(len(rows)))])
    j = int(random.integers(len(like)))
    value = instance.rows[int(random.integers(len(instance.rows)))][j]
    for row in rows:
        if row == like:
            row[j] = value


def respell(random: np.random.Generator, rows: Rows, _: Instance) -> None:
    row = rows[int(random.integers(len(rows)))]
    j = int(random.integers(len(row)))
    ways = [f'"{row[j]}"', f"{row[j]}.0", f"0{row[j]}", f" {row[j]}", f"+{row[j]}", row[j].upper(), '""']
    row[j] = ways[int(random.integers(len(ways)))]


def shuffle(random: np.random.Generator, rows: Rows, _: Instance) -> None:
    random.shuffle(rows)


def swap(random: np.random.Generator, rows: Rows, _: Instance) -> None:
    """Values of one column between two rows."""
    i, other = random.integers(len(rows), size=2)
    j = int(random.integers(len(rows[0])))
    rows[i][j], rows[other][j] = rows[other][j], rows[i][j]


def more_or_fewer(random: np.random.Generator, rows: Rows, _: Instance) -> None:
    if random.random() < 0.5 and len(rows) > 2:
        rows.pop(int(random.integers(len(rows))))
    else:
        rows.append(list(rows[int(random.integers(len(rows)))]))


CELLS = (
    restore, restore, restore, empty, empty_alike, change, change_alike, change_alike, respell, shuffle, swap,
    more_or_fewer,
)  # fmt: skip


# Edits of a certificate.

WRONG: tuple[Any, ...] = (
    None, True, "3", [], {}, -1, 0, 1, 0.5, 10**40, -(10**40), 2**63, [[1]], "class", {"a": 1}, float("nan"),
)  # fmt: skip


def forged(random: np.random.Generator, honest: dict[str, Any]) -> str:
    """The text of the certificate with one or two things changed, figures often made to match."""
    made = copy.deepcopy(honest)
    for _ in range(int(random.choice([1, 1, 2]))):
        which = int(random.integers(7))
        if which <= 2 and made.get("prices") and isinstance(made["prices"], list):
            i = int(random.integers(len(made["prices"])))
            step = int(random.choice([1, -1, 65_536, -65_536, 200_000, 2**61]))
            if isinstance(made["prices"][i], int):
                made["prices"][i] += step
            if which and isinstance(made.get("total"), int):
                made["total"] += step * int(random.integers(1, 4))
            if which == 2 and isinstance(made.get("lower_bound"), int):
                made["lower_bound"] += int(random.choice([1, 2, -1, abs(step) // 65_536]))
        elif which == 3:
            name = str(random.choice(["lower_bound", "total", "relief", "k", "scale", "version"]))
            if isinstance(made.get(name), int):
                made[name] += int(random.choice([1, -1, 65_536, -65_536]))
        elif which == 4 and isinstance(made.get("importance"), dict):
            made["importance"] = {name: int(random.integers(0, 4)) for name in made["importance"]}
        elif which == 5:
            names = list(made)
            made[names[int(random.integers(len(names)))]] = WRONG[int(random.integers(len(WRONG)))]
        else:
            made["semantics"] = "cover" if made.get("semantics") == "class" else "class"
    text = json.dumps(made)
    if random.random() < 0.05:
        at = int(random.integers(len(text)))
        text = text[:at] + str(random.choice(["", "0", "-", "e5", "[", '"', "\x00"])) + text[at + 1 :]
    return text
