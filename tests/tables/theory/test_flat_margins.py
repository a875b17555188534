"""Margins one after another in flat arrays, against sums and minima written out."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.tables.theory import flat_margins
from discreet.tables.theory.flat_margins import FlatMargins
from discreet.tables.theory.graph import reduce_generators
from discreet.tables.theory.lattice import Lattice


def draw(seed: int):
    """A random table, some margins of it, and other tables: the same, moved, negative."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(s) for s in rng.integers(1, 4, rng.integers(1, 5)))
    k = len(shape)
    chosen = [tuple(rng.choice(k, rng.integers(0, k + 1), replace=False).tolist()) for _ in range(3)]
    generators = reduce_generators(chosen)
    table = rng.integers(0, 4, shape)
    margins = {g: np.asarray(table.sum(axis=tuple(a for a in range(k) if a not in g))) for g in generators}
    coordinates = Lattice(shape, generators).coordinates
    steps = rng.integers(-1, 2, (20, coordinates.shape[1]))
    tables = table.reshape(-1) + np.concatenate([steps @ coordinates.T, rng.integers(-1, 2, (20, table.size))])
    return shape, margins, tables


def has(shape, margins, flat) -> bool:
    table, k = flat.reshape(shape), len(shape)
    sums = ((g, table.sum(axis=tuple(a for a in range(k) if a not in g))) for g in margins)
    return bool((table >= 0).all() and all(np.array_equal(margins[g], s) for g, s in sums))


@pytest.mark.parametrize("seed", range(40))
def test_tables_that_fit(seed):
    shape, margins, tables = draw(seed)
    wanted = np.array([x for x in tables if has(shape, margins, x)]).reshape(-1, tables.shape[1])
    assert np.array_equal(FlatMargins(shape, margins).fit(tables), wanted)


def test_both_kinds_are_drawn():
    kinds = [has(shape, margins, x) for shape, margins, tables in map(draw, range(40)) for x in tables]
    assert 50 < sum(kinds) < len(kinds) - 50


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_cells_are_capped(seed, listed, monkeypatch):
    shape, margins, _ = draw(seed)
    if not listed:
        monkeypatch.setattr(flat_margins, "PLACES", 0)
        assert FlatMargins(shape, margins).listed is None
    upper = np.full(int(np.prod(shape)), 3)
    FlatMargins(shape, margins).cap(upper)
    for c, cell in enumerate(np.ndindex(*shape)):
        assert upper[c] == min(3, *(int(margins[g][tuple(cell[a] for a in g)]) for g in margins))


def test_nothing_new_fits_everything():
    tables = np.arange(8).reshape(2, 4)
    assert np.array_equal(FlatMargins((2, 2), {}).fit(tables), tables)
