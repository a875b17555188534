"""Tables joined all at once against one by one."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.tables import margin_of

from discreet.tables.theory.graph import decompose
from discreet.tables.theory.northwest_corner import join_all, join_tables

RELEASES = (
    [(0, 1), (1, 2), (2, 3)],
    [(0, 1), (2, 3)],
    [(0,), (1, 2), (3,)],
    [(1, 3), (0, 3), (2, 3)],
    [(0, 1, 3), (1, 2)],
    [(0, 1), (1, 2), (0, 2), (2, 3)],
)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("seed", range(4))
def test_as_tables_joined_one_by_one(seed: int, release: list[tuple[int, ...]]) -> None:
    """Each atom has two tables; which of them is taken at a cell is drawn."""
    rng = np.random.default_rng(seed)
    shape = (2, 3, 2, 4)
    tree = decompose(4, release)
    assert len(tree.atoms) > 1
    # The second table of an atom has the same counts over the separators: those of a table turned round elsewhere.
    x = rng.poisson(2.0, shape)
    parts, both = [], []
    for j, atom in enumerate(tree.atoms):
        seams = {a for s in (tree.separators[j], *(tree.separators[i] for i in children(tree.parents, j))) for a in s}
        one = margin_of(x, atom)
        two = np.flip(one, axis=[i for i, a in enumerate(atom) if a not in seams])
        which = rng.integers(0, 2, (2, one.size))
        parts.append((np.array([one.reshape(-1), two.reshape(-1)]), *which))
        both.append((one, two))
    found = join_all(shape, tree, parts).reshape(2, -1, *shape)
    for place, cell in enumerate(np.ndindex(*shape)):
        for half, side in ((0, 1), (1, -1)):
            chosen = []
            for atom, part, tables in zip(tree.atoms, parts, both):
                inside = np.ravel_multi_index([cell[a] for a in atom], [shape[a] for a in atom])
                chosen.append(tables[part[1 + half][inside]])
            assert np.array_equal(found[half, place], join_tables(shape, tree, chosen, cell, side))


def children(parents: tuple[int, ...], j: int) -> list[int]:
    return [i for i, parent in enumerate(parents) if parent == j]
