"""Tables with totals the slow way: dictionaries, fractions, and one record after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil

Cell = tuple[str, ...]


def chain_of(label: str, parents: Mapping[str, str], top: str = "Total") -> list[str]:
    """A label and all above it, up to the total."""
    chain = [label]
    while chain[-1] in parents:
        chain.append(parents[chain[-1]])
    return chain if chain[-1] == top else [*chain, top]


def cells_of(
    record: Sequence[str], parents: Sequence[Mapping[str, str]], subsets: Iterable[Sequence[int]]
) -> set[Cell]:
    """All cells that a record stands in."""
    found: set[Cell] = set()
    for subset in subsets:
        chains = [
            chain_of(label, up) if v in subset else ["Total"] for v, (label, up) in enumerate(zip(record, parents))
        ]
        found |= set(product(*chains))
    return found


class Tally:
    """One cell: the records in it, as (amount, weight, who)."""

    def __init__(self) -> None:
        self.entries: list[tuple[Fraction, Fraction, str]] = []

    @property
    def total(self) -> Fraction:
        return sum((amount * weight for amount, weight, _ in self.entries), Fraction(0))

    @property
    def count(self) -> Fraction:
        return sum((weight for _, weight, _ in self.entries), Fraction(0))

    def contributions(self, holdings: bool) -> list[tuple[Fraction, Fraction]]:
        """Contributions by falling magnitude, each with the number of places that it takes."""
        if not holdings:
            return sorted(((abs(a), w) for a, w, _ in self.entries), reverse=True)
        sums: dict[str, Fraction] = {}
        for amount, weight, who in self.entries:
            sums[who] = sums.get(who, Fraction(0)) + amount * weight
        return sorted(((abs(total), Fraction(1)) for total in sums.values()), reverse=True)

    def magnitude(self, holdings: bool) -> Fraction:
        return sum((size * (1 if holdings else weight) for size, weight in self.contributions(holdings)), Fraction(0))

    def largest(self, places: int, holdings: bool, unit: Fraction, *, least: int = 0) -> list[Fraction]:
        """What fills the first places, each rounded up to the unit; whoever is there takes `least` places or more."""
        waiting = [[size, max(weight, Fraction(least))] for size, weight in self.contributions(holdings) if weight]
        out = []
        for _ in range(places):
            room, filled = Fraction(1), Fraction(0)
            while room and waiting:
                taken = min(room, waiting[0][1])
                filled += taken * waiting[0][0]
                room -= taken
                waiting[0][1] -= taken
                if not waiting[0][1]:
                    waiting.pop(0)
            out.append(filled)
        # Places are rounded one after the other, each to the unit above what is left of the exact sum.
        return [ceil(one / unit) * unit for one in out]


def tally(
    records: Sequence[Sequence[str]],
    entries: Sequence[tuple[Fraction, Fraction, str]],
    parents: Sequence[Mapping[str, str]],
    subsets: Sequence[Sequence[int]],
) -> dict[Cell, Tally]:
    """Every cell with records."""
    found: dict[Cell, Tally] = {}
    for record, entry in zip(records, entries):
        for cell in cells_of(record, parents, subsets):
            found.setdefault(cell, Tally()).entries.append(entry)
    return found


def sums(cells: Iterable[Cell], parents: Sequence[Mapping[str, str]]) -> set[tuple[Cell, frozenset[Cell]]]:
    """Every total that has parts, with its parts: those one label below it in one variable."""
    there = set(cells)
    found = set()
    for cell in there:
        for v, up in enumerate(parents):
            parts = {
                other
                for other in there
                if other[:v] + other[v + 1 :] == cell[:v] + cell[v + 1 :]
                and other[v] != "Total"
                and up.get(other[v], "Total") == cell[v]
            }
            if parts:
                found.add((cell, frozenset(parts)))
    return found


def sensitive(
    total: Fraction, sizes: Sequence[Fraction], number: int, rules: Mapping[str, tuple[Fraction, ...]]
) -> bool:
    """Whether a cell of positive amount is sensitive, by the textbook's inequalities."""
    largest = [*sizes, Fraction(0), Fraction(0)]
    found = False
    if "frequency" in rules:
        found |= 0 < number < rules["frequency"][0] and total > 0
    if "dominance" in rules:
        n, k = rules["dominance"]
        found |= sum(largest[: int(n)]) > k * total / 100
    if "pq" in rules:
        p, q = rules["pq"]
        found |= max(total - largest[0] - largest[1], Fraction(0)) < p / q * largest[0]
    return found
