"""What is known of every cell while tables are sought: how far it may go, and how far the tables found reach.

A side of a cell is its upper bound (1) or its lower one (−1).
"""

from __future__ import annotations

from typing import NamedTuple

from discreet.kernels import inner
from discreet.tables.table import Ints


class Extremes(NamedTuple):
    """Outer bounds; the least and greatest counts of the tables, and which of them have these (−1: none).

    `tables` has one table per row, and room for more: found[0] of them so far.
    """

    lower: Ints
    upper: Ints
    inner_lower: Ints
    inner_upper: Ints
    low_witness: Ints
    high_witness: Ints
    tables: Ints
    found: Ints


@inner
def attained(known: Extremes, c: int, side: int) -> bool:
    """Whether a table reaches the outer bound."""
    if side > 0:
        return bool(known.inner_upper[c] >= known.upper[c])
    return bool(known.inner_lower[c] <= known.lower[c])


@inner
def keep(known: Extremes) -> None:
    """The table in the first free row is one of those that are found."""
    place = known.found[0]
    x = known.tables[place]
    inner_lower, inner_upper = known.inner_lower, known.inner_upper
    for b in range(x.size):
        if x[b] > inner_upper[b]:
            inner_upper[b], known.high_witness[b] = x[b], place
        if x[b] < inner_lower[b]:
            inner_lower[b], known.low_witness[b] = x[b], place
    known.found[0] = place + 1
