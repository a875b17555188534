"""Rules of sensitivity as data: which cells must not be told, how well they must be protected, what intruders know.

With x_1 ≥ x_2 ≥ ... the contributions to a cell and X their sum, a cell is sensitive when

    frequency=f        it has contributors, and fewer than f
    dominance=n,k      x_1 + ... + x_n > k/100 · X                       level  100/k · (x_1 + ... + x_n) - X
    p=p (p %)          X - x_1 - x_2 < p/100 · x_1                       level  p/100 · x_1 - (X - x_1 - x_2)
    pq=p,q             X - x_1 - x_2 < p/q · x_1                         level  p/q · x_1 - (X - x_1 - x_2)
    zeros=z            it is zero                                        level  z, above only

(Hundepool et al., Statistical Disclosure Control, 2012, chapter 4). The level is how far above and below the true value
the ends of what an intruder must think possible have to lie; at least one smallest unit, and for the frequency rule and
cells marked by hand `range`/100 · X. `sliding` asks for a width in percent of X on top. Before the table is published
an intruder knows each cell within `knowledge` percent of X, and that no amount is negative where none is;
`knowledge=none` leaves him the sum of all amounts as the only limit. Cells of amount zero are not sensitive unless
`zeros` says so: they are told or left out, so that whoever sees that a cell is hidden knows that it is not zero, and a
total no less than its innermost cells together must be. The rule protects zeros that the table lists; where it lists
none, hidden cells are known not to be zero all the same. Where all weighted counts are multiples of a number, as with
one weight for all, they are known to be no less. Where no amount is negative, the limits say so, and no level asks for
less. Everything is computed in whole numbers and rounded to the safe side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.tabular.additive import AdditiveTable, named_faults
from discreet.tabular.problem import FIXED, FREE, PRIMARY, Cells, Ints
from discreet.tabular.relations import least_totals

NAMES = ("frequency", "dominance", "p", "pq", "zeros", "range", "sliding", "knowledge")
COSTS = ("unit", "count", "value", "file")
_EXACT = 1 << 61
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?", re.ASCII)


@dataclass(frozen=True)
class Rules:
    """Rules that a cell must pass; percentages are exact fractions. See the module for their meaning."""

    frequency: int | None = None
    dominance: tuple[tuple[int, Fraction], ...] = ()
    pq: tuple[tuple[Fraction, Fraction], ...] = ()
    zeros: int | None = None
    range: Fraction = Fraction(15)
    sliding: Fraction = Fraction(0)
    knowledge: Fraction | None = Fraction(100)

    @property
    def asks(self) -> bool:
        """Whether a rule looks at the contributors of a cell."""
        return self.frequency is not None or self.top > 0

    @property
    def top(self) -> int:
        """How many of the largest contributions the rules look at."""
        return max([0, *(n for n, _ in self.dominance), *(2 for _ in self.pq)])

    def told(self) -> list[str]:
        """The rules in words, as every verdict states them."""
        found = []
        if self.frequency is not None:
            found.append(f"a cell with contributors needs at least {self.frequency} of them")
        for n, k in self.dominance:
            who = "the largest contributor has" if n == 1 else f"the {n} largest contributors have"
            found.append(f"{who} at most {_shown(k)} % of a cell")
        for p, q in self.pq:
            known = "" if q == 100 else f", who knew it to {_shown(q)} % before"
            found.append(f"the second largest contributor cannot tell the largest to within {_shown(p)} %{known}")
        if self.zeros is not None:
            found.append("zeros are sensitive")
        found.append(f"cells that are sensitive by number or by hand are protected by {_shown(self.range)} %")
        if self.sliding:
            found.append(f"what is possible for a sensitive cell is at least {_shown(self.sliding)} % of it wide")
        if self.knowledge is None:
            found.append("intruders know no limit of a cell beforehand but the sum of all amounts")
        else:
            found.append(f"intruders know each cell to within {_shown(self.knowledge)} % beforehand")
        return found


def parse_rules(texts: Iterable[str]) -> Rules:
    """Rules from texts such as `frequency=3`, `dominance=2,85`, `p=10`, `pq=10,50`; one error for all faults."""
    faults = Faults()
    found: dict[str, Any] = {"dominance": (), "pq": ()}
    for text in texts:
        name, _, rest = text.partition("=")
        numbers = [Fraction(part) if _NUMBER.fullmatch(part) else None for part in rest.split(",")]
        if not faults.check(name in NAMES, f"rule {name!r} is not known: there are {', '.join(NAMES)}"):
            continue
        if name not in ("dominance", "p", "pq"):
            faults.check(name not in found, f"rule {name!r} is given twice")
        try:
            _take(found, name, rest, numbers)
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    return Rules(**found)


def _take(found: dict[str, Any], name: str, rest: str, numbers: list[Fraction | None]) -> None:
    first, second = numbers[0], numbers[1] if len(numbers) == 2 else None
    if name == "dominance":
        if not (len(numbers) == 2 and _whole(first, 1, 50) and second is not None and 0 < second < 100):
            raise InputError("a dominance rule is dominance=n,k: of a cell the n largest have at most k %, k below 100")
        found["dominance"] += ((int(first or 0), second),)
    elif name in ("p", "pq"):
        prior = Fraction(100) if name == "p" else second
        sound = len(numbers) == (1 if name == "p" else 2) and first is not None and prior is not None
        if not (sound and 0 < (first or 0) < (prior or 0) <= 100):
            raise InputError(
                "a p rule is p=10 (percent, below 100) or pq=10,50: p percent against q known before, p < q"
            )
        found["pq"] += ((first, prior),)
    elif name == "knowledge" and rest == "none":
        found["knowledge"] = None
    elif len(numbers) != 1 or first is None:
        raise InputError(f"rule {name!r} takes one number, as in {name}=3")
    elif name in ("frequency", "zeros"):
        if not _whole(first, 1, 10**9):
            raise InputError(f"rule {name!r} takes a whole number, 1 or more")
        found[name] = int(first)
    else:
        if name != "sliding" and first <= 0:
            raise InputError(f"rule {name!r} takes a percentage above 0")
        found[name] = first


def _whole(number: Fraction | None, least: int, most: int) -> bool:
    return number is not None and number.denominator == 1 and least <= number <= most


def sensitive(table: AdditiveTable, rules: Rules) -> tuple[NDArray[np.bool_], Ints]:
    """Which cells the rules call sensitive, and the level of each (0 elsewhere)."""
    contributors, value = table.contributors, table.problem.cells.value
    level = np.zeros(value.size, np.int64)
    if rules.zeros is not None:
        level = np.where(value == 0, rules.zeros * 10**table.decimals, level)
    if not rules.asks:
        return level > 0, level
    if contributors is None:
        raise InputError("the table does not say who contributes: rules need counts, or apply them when tabulating")
    if rules.top > contributors.top.shape[1]:
        raise InputError(
            f"the rules look at the {rules.top} largest contributors, and the table has {contributors.top.shape[1]}: "
            "apply them when tabulating"
        )
    total = contributors.magnitude
    if rules.frequency is not None:
        few = (total > 0) & (contributors.number > 0) & (contributors.number < rules.frequency)
        level = np.where(few, _floor(total, rules.range), level)
    for n, k in rules.dominance:
        largest = contributors.top[:, :n].sum(axis=1)
        level = np.maximum(level, _excess(largest, 100 / k, total))
    for p, q in rules.pq:
        first, second = contributors.top[:, 0], contributors.top[:, 1]
        level = np.maximum(level, _excess(first, p / q, np.maximum(total - first - second, 0)))
    return level > 0, level


def apply_rules(table: AdditiveTable, rules: Rules, *, signed: bool = False) -> AdditiveTable:
    """The table with statuses, levels and limits by the rules; `signed` where a table linked with it is negative.

    Cells marked by hand keep their status: sensitive ones (u) get a level, those never to be hidden (z) are not, unless
    a rule calls them sensitive, which is an error that names them.
    """
    cells = table.problem.cells
    found, level = sensitive(table, rules)
    faults = Faults()
    named_faults(
        table,
        found & (cells.status == FIXED) & (cells.value != 0),
        "must be published (status z), and the rules call it sensitive: choose",
        faults,
    )
    faults.raise_if_any()
    total = np.abs(cells.value) if table.contributors is None else table.contributors.magnitude
    by_hand = (cells.status == PRIMARY) & ~found
    level = np.where(by_hand, _floor(total, rules.range), level)
    status = np.where(found, PRIMARY, cells.status).astype(np.int8)
    status[(cells.value == 0) & (status == FREE)] = FIXED
    primary = status == PRIMARY
    lower, upper = _limits(table, rules, level)
    below = level
    if not signed and (cells.value >= 0).all():
        least = _least(table, rules)
        lower, below = np.maximum(lower, least), np.minimum(level, cells.value - least)
    sliding = np.where(primary, _scaled(total, rules.sliding / 100), 0)
    return table.with_problem(
        table.problem._replace(
            cells=Cells(cells.value, lower, upper, cells.cost, status, below, level, sliding.astype(np.int64))
        )
    )


def _limits(table: AdditiveTable, rules: Rules, level: Ints) -> tuple[Ints, Ints]:
    """What is known to all beforehand: the limits that `knowledge` states, and 0 where nothing is negative."""
    value = table.problem.cells.value
    total = np.abs(value) if table.contributors is None else table.contributors.magnitude
    if rules.knowledge is None:
        wide = np.full(value.size, int(total.max(initial=0)), np.int64)
    else:
        wide = _scaled(total, rules.knowledge / 100)
    lower, upper = value - wide, value + wide
    if rules.zeros is not None:
        upper = np.where(value == 0, np.maximum(upper, 2 * level), upper)
    return lower, upper


def _least(table: AdditiveTable, rules: Rules) -> Ints:
    """The least that anybody thinks a hidden cell to be where none is negative; a total is as much as its parts are.

    Zeros are hidden only by their rule, and only where the table lists them: those that are left out are plain to see.
    """
    value = table.problem.cells.value
    hides = rules.zeros is not None and bool((value == 0).any())
    return least_totals(table.problem, np.minimum(value, 0 if hides else _grain(table)))


def _grain(table: AdditiveTable) -> int:
    """What all weighted counts are multiples of: with one weight for all a hidden cell is no less than that; else 1."""
    return int(np.gcd.reduce(table.problem.cells.value)) or 1 if table.weighted else 1


def costs_of(table: AdditiveTable, kind: str) -> Ints:
    """What hiding each cell costs: 1, its count, its amount, or what the file says; at least 1 but for the file's."""
    cells = table.problem.cells
    if kind == "file":
        return cells.cost
    if kind == "unit":
        return np.ones(cells.n, np.int64)
    if kind == "value":
        return np.maximum(np.abs(cells.value), 1)
    if kind != "count":
        raise InputError(f"cost {kind!r} is not known: choose one of {', '.join(COSTS)}")
    if table.counts is None:
        raise InputError("the table has no counts to take costs from: choose unit, value or file")
    return np.maximum(table.counts, 1)


def _floor(total: Ints, percent: Fraction) -> Ints:
    """A percentage of each amount, rounded up, and at least 1."""
    return np.maximum(_scaled(total, percent / 100), 1)


def _scaled(amount: Ints, factor: Fraction) -> Ints:
    """Each amount times a fraction, rounded up."""
    return -(-_times(amount, factor.numerator) // factor.denominator).astype(np.int64)


def _excess(amount: Ints, factor: Fraction, rest: Ints) -> Ints:
    """amount · factor - rest, rounded up, where it is above 0."""
    exact = _times(amount, factor.numerator) - _times(rest, factor.denominator)
    return np.maximum(-(-exact // factor.denominator), 0).astype(np.int64)


def _times(amount: Ints, factor: int) -> NDArray[Any]:
    """The exact product; in Python's numbers where 64 bits could be too few."""
    large = float(np.abs(amount).max(initial=0)) * factor >= _EXACT
    return amount.astype(object) * factor if large else amount * factor


def _shown(number: Fraction) -> str:
    return f"{float(number):g}"
