"""Which records each published row may stand for, and which of them it carries: what every guarantee comes down to.

A row of the release shows, for keys, numbers and the weight, something that depends on a *set* of records only: their
least box, their mean. Beside it stand the other columns of one record of the set, the row's *origin*.

- Matchings: every record is in exactly k sets, the sets split into k disjoint perfect matchings between rows and
  records, and one of these is drawn uniformly in each connected component. To whoever knows all but the draw, a record
  is at each of its k rows with probability 1/k.
- Classes: rows fall into classes of k or more that show the same set, the class itself; a record's row is one of them.

With households the sets are of households of one size, member for member, and whole households are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from discreet.methods import Detail, Status

Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Covering:
    """The set of every published row, before anything is drawn.

    `members[r, :size[r]]` are the records of row r's set; what follows in `members[r]` repeats the first of them, so
    that a box over the whole row of the matrix is the box of the set. `matchings[r, t]` is the record at row r in
    matching t; None for classes, where row r carries record `home[r]`. `unit[r]` numbers the household of row r, −1 for
    a row that belongs to none; without households every row is a unit. `lost` are the records that are not published.
    `loss` is the mean over rows and columns of NCP and of the share of variance (weights scaled to mean 1), `losses`
    the same by column; `lower_bound` is below what any release of this kind and guarantee can reach.
    """

    members: Integers = field(repr=False)
    size: Integers = field(repr=False)
    matchings: Integers | None = field(repr=False)
    home: Integers | None = field(repr=False)
    unit: Integers = field(repr=False)
    lost: Integers = field(repr=False)
    loss: float
    losses: Mapping[str, float]
    lower_bound: float | None
    method: str
    status: Status
    detail: Detail = field(repr=False)

    @property
    def rows(self) -> int:
        return self.members.shape[0]


@dataclass(frozen=True)
class Drawn:
    """`origin[r]`: the record whose other columns row r carries; `drawn[r]`: the matching (from 0; 0 for classes).

    `order` is the order in which rows are published: units are shuffled and stand together, their rows in random order.
    """

    origin: Integers = field(repr=False)
    drawn: Integers = field(repr=False)
    order: Integers = field(repr=False)
