"""Tables with given margins, counted as far as a number or listed, where that takes little work (`counting`)."""

from __future__ import annotations

import numpy as np

from discreet.tables.draw.counting import Enumeration
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints

# Rows looked at before counting, or listing, is given up.
COUNTING_WORK = 50_000_000
LISTING_WORK = 5_000_000


def at_least(state: AtomState, number: int) -> bool | None:
    """Whether there are at least so many tables; None where that takes too long to count."""
    _, found = _count_as_far_as(state, number, COUNTING_WORK)
    return None if found is None else found >= number


def list_tables(state: AtomState, most: int) -> Ints | None:
    """All tables, one per row; None where there are more than `most`, or finding them takes too long."""
    search, number = _count_as_far_as(state, most + 1, LISTING_WORK)
    return None if number is None or number > most else search.tables(np.arange(number))


def _count_as_far_as(state: AtomState, enough: int, work: int) -> tuple[Enumeration, int | None]:
    """The number of tables, or at least `enough`, where counting stops; None where even that takes too long."""
    search = Enumeration(state.lattice, state.right_side, state.lower, state.upper)
    if not search.possible:
        return search, None
    found, _ = search._search(np.array([enough - 1], np.int64), work)
    return search, None if found < 0 else found
