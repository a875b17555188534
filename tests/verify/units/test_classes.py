"""Classes of units: alike only where all their rows are, each as often."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.groups import Classes
from discreet.verify.units.classes import aligned_classes, small_unit_classes
from discreet.verify.units.unit import grouped

ROWS = st.lists(st.tuples(st.integers(-1, 5), st.integers(0, 2)), min_size=1, max_size=24)


def made(rows: list[tuple[int, int]]) -> tuple[Classes, list[tuple[int, ...]], list[int]]:
    """Classes of rows; per row what its unit shows (its own class where it has none), and the unit."""
    of_row = np.array([kind for _, kind in rows], np.int64)
    shown: dict[int, list[int]] = {}
    for unit, kind in rows:
        shown.setdefault(unit, []).append(kind)
    lines = [tuple(sorted(shown[unit])) if unit >= 0 else (-1, kind) for unit, kind in rows]
    return Classes(of_row, np.bincount(of_row).astype(np.int64)), lines, [unit for unit, _ in rows]


@given(ROWS, st.integers(1, 4))
def test_small_classes_are_those_that_counting_finds(rows: list[tuple[int, int]], k: int) -> None:
    groups, lines, of = made(rows)
    after = grouped(np.array(of, np.int64))
    units = Counter({unit: lines[row] for row, unit in enumerate(of) if unit >= 0}.values())
    loose = Counter(lines[row] for row, unit in enumerate(of) if unit < 0)
    short = sum(count for count in units.values() if count < k)
    bare = sum(count for count in loose.values() if count < k)
    expected = []
    if short:
        expected.append(f"{short} homes show rows, taken together, that fewer than {k} homes show")
    if bare:
        expected.append(f"{bare} rows that belong to no home are in classes of fewer than {k} rows")
    assert small_unit_classes(groups, after, k, ("home", "homes")) == expected


@given(ROWS)
def test_rows_are_alike_in_units_that_are_alike(rows: list[tuple[int, int]]) -> None:
    groups, lines, of = made(rows)
    found = aligned_classes(groups, grouped(np.array(of, np.int64)))
    key = [(lines[row] if of[row] >= 0 else None, int(groups.of_row[row])) for row in range(len(rows))]
    for i, one in enumerate(key):
        assert found.sizes[found.of_row[i]] == key.count(one)
        for j, other in enumerate(key):
            assert (found.of_row[i] == found.of_row[j]) == (one == other)
