"""What rounding may do to each cell: its deviation y = z - a from the true value.

Controlled rounding to base b (zero-restricted; Cox 1987, "A constructive procedure for unbiased controlled rounding")
takes a = b⌊a/b⌋ + f to one of

    y = -f  (down)   or   y = b - f  (up),        y = 0 where f = 0,

in every cell, so that A y = 0: deviations add up as the table does. Small-count rounding (Langsrud and Heldal 2018)
does so with the innermost cells with 0 < |a| < b only; all others stay, and a total is the sum of its parts. Weighted
distance is Σ w |y|.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.tabular.problem import Ints

Mask = NDArray[np.bool_]


class Choices(NamedTuple):
    """One entry a cell. `exact` cells take `low` or `high` (equal: they stay), others any sum of their parts between.

    The distance from down to up is the base in every exact cell that has a choice.
    """

    base: int
    low: Ints
    high: Ints
    exact: Mask
    weight: Ints

    @property
    def free(self) -> Mask:
        """Exact cells that have a choice."""
        return self.exact & (self.low < self.high)

    def distance(self, change: Ints) -> int:
        return int(np.abs(change).sum())

    def weighted(self, change: Ints) -> int:
        return sum(int(w) * int(y) for w, y in zip(self.weight.tolist(), np.abs(change).tolist()))

    def outside(self, change: Ints) -> Ints:
        """Exact cells that left the two multiples next to their value."""
        return np.flatnonzero(self.exact & ((change < self.low) | (change > self.high)))


def all_cells(value: Ints, base: int, weight: Ints) -> Choices:
    """Every cell to a multiple of the base."""
    rest = value % base
    return Choices(base, -rest, np.where(rest > 0, base - rest, 0), np.ones(value.size, np.bool_), weight)


def small_counts(value: Ints, base: int, weight: Ints, inner: Mask, reach: tuple[Ints, Ints] | None = None) -> Choices:
    """Innermost cells below the base to 0 or the base; `reach` are the least and greatest changes of totals."""
    rest = value % base
    small = inner & (value != 0) & (np.abs(value) < base)
    low, high = np.where(small, -rest, 0), np.where(small, base - rest, 0)
    if reach is not None:
        low, high = np.where(inner, low, reach[0]), np.where(inner, high, reach[1])
    return Choices(base, low, high, inner, weight)
