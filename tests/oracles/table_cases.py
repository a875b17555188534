"""Small random tables and releases, shared by the tests of the room."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from discreet.tables.table import Margins, Table


@st.composite
def releases(draw: st.DrawFn, variables: int) -> list[tuple[int, ...]]:
    some = st.sets(st.integers(0, variables - 1), min_size=1, max_size=max(1, variables - 1))
    return [tuple(sorted(draw(some))) for _ in range(draw(st.integers(1, 4)))]


@st.composite
def small_tables(draw: st.DrawFn, cells: int = 12, most: int = 2) -> tuple[Table, Margins]:
    """A table of few cells and persons, and some of its margins."""
    shape: list[int] = []
    for _ in range(draw(st.integers(2, 4))):
        size = draw(st.integers(2, 4))
        if np.prod([*shape, size]) <= cells:
            shape.append(size)
    n = int(np.prod(shape))
    occupied = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(1, most)), min_size=1, max_size=3))
    counts = np.zeros(n, np.int64)
    for cell, count in occupied:
        counts[cell] += count
    table = Table.from_array(counts.reshape(shape))
    chosen = draw(releases(len(shape)))
    return table, table.margins([[table.names[a] for a in axes] for axes in chosen])


def random_table(seed: int, shape: tuple[int, ...], mean: float = 3.0) -> Table:
    rng = np.random.default_rng(seed)
    return Table.from_array(rng.poisson(mean * rng.gamma(0.5, 2.0, shape)))


def all_ways(table: Table, order: int) -> Margins:
    from itertools import combinations

    return table.margins(list(combinations(table.names, order)))
