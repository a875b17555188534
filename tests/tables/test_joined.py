"""Tables joined all at once against one by one, and what an update does with them."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.table_cases import random_table
from oracles.tables import margin_of

from discreet.tables.frechet import join_tables
from discreet.tables.graph import decompose
from discreet.tables.joined import join_all
from discreet.tables.lattice import lattice_of
from discreet.tables.solve import Solution, solve
from discreet.tables.state import State
from discreet.tables.table import Margins, Table
from discreet.tables.warm import joined_start

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


def joined(before: Solution, margins: Margins) -> State | None:
    """The old state that a solution of several parts is made into."""
    lattice = lattice_of(margins.shape, tuple(margins.values))
    state = State(lattice, {g: margins.values[g] for g in lattice.generators})
    assert state.shuttle()
    warm = joined_start(state, before)
    return None if warm is None else warm.old


@pytest.mark.parametrize("seed", range(30))
def test_a_margin_that_joins_parts_gives_the_same_as_from_scratch(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = ((2, 3, 2, 4), (3, 4, 3, 5), (2, 2, 2, 2, 2, 2), (4, 3, 5))[seed % 4]
    table = random_table(seed, shape, float(rng.choice([0.5, 4.0, 20.0])))
    chain = [(a, a + 1) for a in range(len(shape) - 1)]
    first = table.margins([[table.names[a] for a in g] for g in chain])
    before = solve(first)
    assert len(before.parts) > 1
    full = first.add(table.margin((table.names[0], table.names[-1])))
    warm, cold = solve(full, previous=before), solve(full)
    old = joined(before, full)
    assert old is not None or np.array_equal(cold.lower, cold.upper)
    if old is not None:
        assert not old.open_count
        assert np.array_equal(old.lower, before.lower.reshape(-1))
        assert np.array_equal(old.upper, before.upper.reshape(-1))
    assert np.array_equal(warm.lower, cold.lower)
    assert np.array_equal(warm.upper, cold.upper)
    assert warm.lower_sharp.all()
    assert warm.upper_sharp.all()
    for cell in list(np.ndindex(*shape))[::5]:
        for side, bound in ((1, warm.upper), (-1, warm.lower)):
            x = warm.witness(cell, side)
            assert x[cell] == bound[cell]
            assert x.min() >= 0
            assert all(np.array_equal(margin_of(x, g), v) for g, v in full.values.items())


def test_nothing_is_joined_where_the_shuttle_says_it_all() -> None:
    even, single = np.full((2, 2, 2), 3), np.zeros((2, 2, 2), np.int64)
    single[0, 0, 0] = 3
    for counts, wanted in ((even, True), (single, False)):
        chosen = Table.from_array(counts)
        first = chosen.margins([("V1", "V2"), ("V2", "V3")])
        assert (joined(solve(first), first.add(chosen.margin(("V1", "V3")))) is not None) == wanted
