"""Which units fit which: the tree and the assignment against all permutations."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.verify.matchings.classes import NO_CAP
from discreet.verify.matchings.reading import Reading
from discreet.verify.units.graph import list_edges, sides, texts_of
from discreet.verify.units.unit import grouped

CODES = 5
boxes = st.lists(st.tuples(st.integers(0, CODES - 1), st.integers(0, CODES - 1)), min_size=1, max_size=2)


@st.composite
def files(draw: st.DrawFn) -> tuple[list[int], list[int], list[list[int]], list[list[list[tuple[int, int]]]], bool]:
    """Units of original and published rows, codes per attribute, boxes per attribute, and whether units may shrink."""
    n = draw(st.integers(1, 8))
    shrink = draw(st.booleans())
    old = draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    new = draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n)) if shrink else draw(st.permutations(old))
    width = draw(st.integers(1, 2))
    codes = [draw(st.lists(st.integers(-1, CODES - 1), min_size=n, max_size=n)) for _ in range(width)]
    held = [[[(min(a, b), max(a, b)) for a, b in draw(boxes)] for _ in range(n)] for _ in range(width)]
    return old, list(new), codes, held, shrink


def reading(codes: list[int], held: list[list[tuple[int, int]]]) -> Reading:
    ends = np.cumsum([0, *map(len, held)])
    runs = [run for one in held for run in one]
    low, high = (np.array([run[side] for run in runs], np.int64) for side in (0, 1))
    return Reading(np.array(codes, np.int64), np.arange(len(held), dtype=np.int64), ends, low, high)


@settings(max_examples=150, deadline=None)
@given(files())
def test_pairs_are_those_with_an_assignment(
    file: tuple[list[int], list[int], list[list[int]], list[list[list[tuple[int, int]]]], bool],
) -> None:
    old, new, codes, held, shrink = file
    readings = [reading(c, h) for c, h in zip(codes, held)]
    units = grouped(np.array(old)), grouped(np.array(new))
    flexible = np.full(units[0].count, shrink)
    found = sides(readings, units, flexible)
    if any("rows" in words for words in found.failures):
        return
    g, whole = list_edges(found, texts_of(readings), NO_CAP, 10**6)
    assert g is not None and whole
    pairs = set(zip(g.box.tolist(), g.original.tolist()))

    def fits(person: int, row: int) -> bool:
        return all(c[person] < 0 or any(low <= c[person] <= high for low, high in h[row]) for c, h in zip(codes, held))

    lists = [
        [side.rows[a:b].tolist() for a, b in zip(side.ends[:-1], side.ends[1:])]
        + [[row] for row in side.loose.tolist()]
        for side in units
    ]
    for u, people in enumerate(lists[0]):
        for v, rows in enumerate(lists[1]):
            alike = (u < units[0].count) == (v < units[1].count)
            size = len(people) == len(rows) or (shrink and alike and u < units[0].count and len(people) > len(rows))
            expected = (
                alike
                and size
                and any(all(fits(p, r) for p, r in zip(some, rows)) for some in permutations(people, len(rows)))
            )
            assert ((int(found.published_of[v]), int(found.original_of[u])) in pairs) == expected


def test_numbers_of_units_must_agree() -> None:
    one = reading([0] * 4, [[(0, 4)]] * 4)
    units = grouped(np.array([0, 0, 1, 1])), grouped(np.array([0, 0, 0, 1]))
    found = sides([one], units, np.zeros(2, bool))
    assert len(found.failures) == 3
    units = grouped(np.array([0, 0, 1, 1])), grouped(np.array([0, 0, -1, -1]))
    assert sides([one], units, np.zeros(2, bool)).failures
