"""The fuzzer's own list of tables: all that agree with a file, and none else."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from attack.published_tables import OPEN, TOTAL, TREES, Labels, Shape, enumerate_tables

FLAT, WIDE, DEEP, LONE = TREES


def by_definition(shape: Shape, boxes: dict[Labels, tuple[int, int]], most: int) -> set[tuple[int, ...]]:
    """Every choice of all innermost cells, one by one."""
    found, leaves = set(), shape.leaves()
    for values in itertools.product(range(most + 1), repeat=len(leaves)):
        sums = dict.fromkeys(boxes, 0)
        absent = 0
        for leaf, value in zip(leaves, values):
            for cell in shape.cells(leaf):
                absent += value if cell not in boxes else 0
                sums[cell] = sums.get(cell, 0) + value
        if not absent and all(low <= sums[cell] <= high for cell, (low, high) in boxes.items()):
            found.add(tuple(sums[cell] for cell in boxes))
    return found


@pytest.mark.parametrize(
    "shape",
    [
        Shape(("x", "y"), (FLAT, LONE), ((0, 1),)),
        Shape(("x", "y"), (FLAT, DEEP), ((0, 1),)),
        Shape(("x", "y", "z"), (FLAT, FLAT, FLAT), ((0, 1), (1, 2))),
        Shape(("x", "y", "z"), (FLAT, FLAT, FLAT), ((0, 1), (1, 2), (0, 2))),
    ],
)
def test_all_tables_that_agree_are_found(shape: Shape) -> None:
    rng = np.random.default_rng(1)
    for _ in range(3):
        values = rng.integers(0, 3, len(shape.leaves())).tolist()
        sums: dict[Labels, int] = {}
        for leaf, value in zip(shape.leaves(), values):
            for cell in shape.cells(leaf):
                sums[cell] = sums.get(cell, 0) + value
        boxes = {
            cell: (1, 2) if rng.random() < 0.4 and cell.count(TOTAL) < 2 else (value, value)
            for cell, value in sums.items()
            if value
        }
        found = enumerate_tables(shape, boxes)
        assert found is not None
        assert {tuple(row) for row in found.tables.tolist()} == by_definition(shape, boxes, 2)


def test_without_a_published_total_there_is_no_end() -> None:
    shape = Shape(("x", "y"), (FLAT, FLAT), ((0, 1),))
    assert enumerate_tables(shape, {cell: (1, OPEN) for leaf in shape.leaves() for cell in shape.cells(leaf)}) is None


def test_totals_are_those_that_a_table_divides() -> None:
    shape = Shape(("x", "y", "z"), (FLAT, FLAT, FLAT), ((0, 1), (1, 2)))
    assert shape.is_total((TOTAL, "a", TOTAL)) and shape.is_total((TOTAL, TOTAL, "a"))
    assert not shape.is_total(("a", "a", TOTAL)) and not shape.is_total((TOTAL, "a", "a"))
