"""The methods of tables by name: each bounds every cell from outside, and is sharp where it says so."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.table_cases import random_table
from oracles.tables import sharp_bounds

from discreet.tables.methods import METHODS, REGISTRY, Call, Cells, Problem
from discreet.tables.table import Table

OUTSIDE = ("shuttle", "shuttle-lines", "buzzigoli-giusti", "lp")
# Released margins: any three, two that share a separator, and two that are reducible at B.
PAIRS = {"cycle": [(0, 1), (1, 2), (0, 2)], "chain": [(0, 1), (1, 2)]}


def solved(method: str, table: Table, pairs: list[tuple[int, int]]) -> Cells:
    margins = table.margins([[table.names[axis] for axis in pair] for pair in pairs])
    return REGISTRY.run(method, Call(problem=Problem(margins))).answer


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", PAIRS)
def test_every_method_bounds_the_cells_and_knows_when_it_is_sharp(method: str, case: str) -> None:
    if case == "cycle" and method in ("frechet", "reducible"):
        return  # these need margins that fall apart
    table = random_table(5, (2, 3, 2), 2.0)
    counts = table.dense()
    margins = {pair: counts.sum(axis=tuple(a for a in range(3) if a not in pair)) for pair in PAIRS[case]}
    truth = sharp_bounds(counts.shape, margins)
    assert truth is not None
    found = solved(method, table, PAIRS[case])
    lower, upper = (np.asarray(side, float).reshape(counts.shape) for side in (found.lower, found.upper))
    assert (lower <= truth[0] + 1e-6).all() and (upper >= truth[1] - 1e-6).all()
    assert (lower <= counts + 1e-6).all() and (upper >= counts - 1e-6).all()
    for sharp, side, true in ((found.lower_sharp, lower, truth[0]), (found.upper_sharp, upper, truth[1])):
        said = np.asarray(sharp).reshape(counts.shape)
        assert np.allclose(side[said], true[said])
    assert found.sharp == bool(found.lower_sharp.all() and found.upper_sharp.all())
    if method not in OUTSIDE:
        assert found.sharp


def test_sharp_means_all_sides() -> None:
    yes, no = np.ones(2, bool), np.array([True, False])
    numbers, tree = np.zeros(2), object()
    for flags, expected in (((yes, yes), True), ((yes, no), False), ((no, yes), False)):
        assert Cells(numbers, numbers, *flags, numbers, numbers, tree).sharp is expected  # type: ignore[arg-type]
