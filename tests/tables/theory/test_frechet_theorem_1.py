from __future__ import annotations

import numpy as np
import pytest
from oracles.table_cases import random_table
from oracles.tables import margin_of, sharp_bounds

from discreet.tables.theory.frechet_theorem_1 import decomposable_bounds
from discreet.tables.theory.graph import decompose
from discreet.tables.theory.northwest_corner import join_tables


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("release", [[(0, 1), (1, 2)], [(0,), (1,), (2,)], [(0, 1), (2,)], [(0, 2), (1, 2)]])
def test_closed_form_is_sharp_and_its_tables_attain_it(seed: int, release: list[tuple[int, ...]]) -> None:
    table = random_table(seed, (2, 3, 2), 1.0)
    margins = table.margins([[table.names[a] for a in g] for g in release])
    tree = decompose(3, margins.values)
    lower, upper = decomposable_bounds(margins.shape, tree, margins.values)
    truth = sharp_bounds(margins.shape, margins.values)
    assert np.array_equal(lower, truth[0])
    assert np.array_equal(upper, truth[1])
    for cell in np.ndindex(*margins.shape):
        for side, bound in ((1, upper), (-1, lower)):
            x = join_tables(margins.shape, tree, [margins.values[a] for a in tree.atoms], cell, side)
            assert x[cell] == bound[cell]
            assert x.min() >= 0
            assert all(np.array_equal(margin_of(x, g), v) for g, v in margins.values.items())
