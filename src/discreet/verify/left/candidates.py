"""Which published rows may be whose: pairs of a person and a row that fits, for all persons or a random part of them.

A row of a release with boxes fits whoever lies in its box; a row of a class fits the members of the class. Beyond 20
000 persons 2 000 of them are looked at, and beyond three million pairs as many as these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

MOST_PERSONS = 20_000
FEWER_PERSONS = 2_000
MOST_PAIRS = 3_000_000


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of the persons `persons`, of `total` in all: row `row[q]` for the one numbered `person[q]`
    here."""

    persons: Integers
    total: int
    person: Integers
    row: Integers
    whole: bool

    def all_of(self, persons: int) -> int:
        """What so many of these persons are likely to be of all."""
        return persons if self.whole else round(persons * self.total / self.persons.size)

    def count(self, chosen: NDArray[np.bool_]) -> Integers:
        """How many of the chosen pairs each person has."""
        return np.bincount(self.person[chosen], minlength=self.persons.size)


def persons_of(n: int) -> int:
    """The candidates of how many persons of n are listed."""
    return n if n <= MOST_PERSONS else FEWER_PERSONS


def some_persons(n: int, most: int) -> Integers:
    """All of n, or a random part of them, the same every time."""
    if n <= most:
        return np.arange(n, dtype=np.int64)
    return np.sort(np.random.default_rng(0).choice(n, most, replace=False)).astype(np.int64)


def in_classes(of_row: Integers, persons: Integers | None = None) -> Candidates:
    """Candidates where row i is of person i, and rows of a class are alike."""
    n = of_row.size
    sizes = np.bincount(of_row)
    chosen = some_persons(n, persons_of(n)) if persons is None else persons
    pairs = int(sizes[of_row[chosen]].sum())
    if pairs > MOST_PAIRS and persons is None:
        chosen = chosen[some_persons(chosen.size, max(1, chosen.size * MOST_PAIRS // pairs))]
    order = np.argsort(of_row, kind="stable")
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    lengths = sizes[of_row[chosen]]
    person = np.repeat(np.arange(chosen.size), lengths)
    return Candidates(chosen, n, person, order[spans(first[of_row[chosen]], lengths)], chosen.size == n)


def in_boxes(readings: Sequence[Any], persons: Integers | None = None) -> Candidates | None:
    """Candidates by the boxes of the rows; None where even a few persons have too many."""
    n = readings[0].codes.size
    chosen = some_persons(n, persons_of(n)) if persons is None else persons
    while True:
        found, pairs = _list_pairs(readings, chosen, n)
        if found is not None or persons is not None or chosen.size <= 50:
            return found
        chosen = chosen[some_persons(chosen.size, max(50, int(chosen.size * MOST_PAIRS / (pairs * 1.1))))]


def _list_pairs(readings: Sequence[Any], chosen: Integers, n: int) -> tuple[Candidates | None, float]:
    """The pairs of the chosen persons, or about how many there are if they are too many."""
    from discreet.verify.matchings.classes import NO_CAP, classes, edges

    c = classes([replace(reading, codes=reading.codes[chosen]) for reading in readings])
    g, _ = edges(c, NO_CAP, 2 * MOST_PAIRS)
    if g is None:
        return None, 4.0 * MOST_PAIRS
    pairs = float((c.original_count[g.original] * c.box_count[g.box]).sum())
    if pairs > MOST_PAIRS:
        return None, pairs
    edge_count = np.diff(g.back_ends)[c.original_of]
    through = g.back_edge[spans(g.back_ends[c.original_of], edge_count)]
    box = g.box[through].astype(np.int64)
    person = np.repeat(np.arange(chosen.size), edge_count)
    order = np.argsort(c.box_of, kind="stable")
    first = np.concatenate([[0], np.cumsum(c.box_count)[:-1]])
    lengths = c.box_count[box]
    row = order[spans(first[box], lengths)]
    return Candidates(chosen, n, np.repeat(person, lengths), row, chosen.size == n), pairs


def spans(first: Integers, lengths: Integers) -> Integers:
    """first[0], first[0] + 1, … (lengths[0] of them), then likewise from first[1] on."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if ends.size else 0) + np.repeat(first - (ends - lengths), lengths)
