from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracles.table_cases import small_tables
from oracles.tables import sharp_bounds

from discreet.tables.table import Margins, Table
from discreet.tables.theory.frechet_theorem_2 import combine
from discreet.tables.theory.graph import decompose


@given(small_tables())
@settings(max_examples=60, deadline=None)
def test_sharp_components_combine_to_sharp_bounds(case: tuple[Table, Margins]) -> None:
    _, margins = case
    tree = decompose(len(margins.shape), margins.values)
    lows, highs = [], []
    for j, atom in enumerate(tree.atoms):
        shape = tuple(margins.shape[a] for a in atom)
        inside = {}
        for g in tree.generators_of(j):
            holder = next(h for h in margins.values if set(g) <= set(h))
            drop = tuple(i for i, a in enumerate(holder) if a not in g)
            inside[tuple(atom.index(a) for a in g)] = margins.values[holder].sum(axis=drop)
        low, high = sharp_bounds(shape, inside)
        lows.append(low)
        highs.append(high)
    lower, upper = combine(margins.shape, tree, lows, highs, margins.values)
    truth = sharp_bounds(margins.shape, margins.values)
    assert np.array_equal(lower, truth[0])
    assert np.array_equal(upper, truth[1])
