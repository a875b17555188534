"""Starting from what was known before one more margin was released.

Every table with the new margins has the old ones, so old outer bounds still hold. Old tables need not have the new
margin; completed by its equations they are integer tables with the margins, a few cells out of bounds, from which the
search soon finds proper ones that reach as far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from discreet.tables.state import SHUTTLE, State
from discreet.tables.table import Ints

if TYPE_CHECKING:
    from discreet.tables.graph import Axes
    from discreet.tables.solve import Solution


@dataclass(frozen=True)
class Warm:
    """Tables of the old fibre, and which of them was furthest at each side of each cell."""

    tables: list[Ints]
    low: Ints
    high: Ints


def warm_start(state: State, atom: Axes, previous: Solution) -> Warm | None:
    """Give a fresh state the old bounds inside the atom; returns the old tables where they are over the same cells."""
    shape = state.lattice.shape
    for part in previous.parts:
        if part.state is None or not set(part.axes) <= set(atom):
            continue
        sizes = [shape[i] if a in part.axes else 1 for i, a in enumerate(atom)]
        upper = np.broadcast_to(part.state.upper.reshape(sizes), shape).reshape(-1)
        lower = np.zeros(state.lattice.size, np.int64)
        if part.axes == atom:
            lower = part.state.lower
        state.tighten(lower, upper, SHUTTLE)
        if part.axes == atom:
            better = state.upper == part.state.upper
            state.upper_proof[better] = part.state.upper_proof[better]
            better = state.lower == part.state.lower
            state.lower_proof[better] = part.state.lower_proof[better]
            if part.state.feasible:
                return Warm(part.state.pool, part.state.low_witness, part.state.high_witness)
    return None
