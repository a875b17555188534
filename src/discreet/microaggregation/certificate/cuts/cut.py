"""A cut of the set-partitioning master, and what it charges the groups that it counts.

For multipliers a_v/b of the records' rows, Σ_C ⌊Σ_{v∈C} a_v / b⌋·x_C ≤ ⌊Σ a_v / b⌋ holds for every partition: the rows,
weighted, with both sides rounded down. A cut of penalty w ≥ 0 adds w·⌊Σ_{v∈C} a_v / b⌋ to the reduced cost of a group
C.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.microaggregation.certificate.pricing.search import Penalties
from discreet.microaggregation.certificate.space import Floats, Ints


class Cut(NamedTuple):
    """Σ_C ⌊Σ_{v∈C} numerators_v / divisor⌋·x_C ≤ ⌊Σ numerators / divisor⌋: a Chvátal-Gomory cut of rank 1."""

    records: tuple[int, ...]
    numerators: tuple[int, ...]
    divisor: int

    @property
    def rhs(self) -> int:
        return sum(self.numerators) // self.divisor

    @property
    def is_triple(self) -> bool:
        return self.numerators == (1, 1, 1) and self.divisor == 2


class CutIndex(NamedTuple):
    """Cuts listed by record: which, with what numerator."""

    start: Ints
    cut_of: Ints
    numerator: Ints
    divisor: Ints


def index_cuts(cuts: Sequence[Cut], n: int) -> CutIndex:
    record = np.array([v for cut in cuts for v in cut.records], np.int64)
    which = np.array([t for t, cut in enumerate(cuts) for _ in cut.records], np.int32)
    numerator = np.array([a for cut in cuts for a in cut.numerators], np.int32)
    order = np.argsort(record, kind="stable")
    start = np.zeros(n + 1, np.int32)
    start[1:] = np.cumsum(np.bincount(record, minlength=n))
    return CutIndex(start, which[order], numerator[order], np.array([cut.divisor for cut in cuts], np.int32))


def penalties_of(cuts: Sequence[Cut], weights: Floats, n: int) -> Penalties:
    """The cuts of positive weight as pricing wants them."""
    active = [t for t in range(len(cuts)) if weights[t] > 0]
    triples = [t for t in active if cuts[t].is_triple]
    others = [t for t in active if not cuts[t].is_triple]
    three = index_cuts([cuts[t] for t in triples], n)
    rest = index_cuts([cuts[t] for t in others], n)
    return Penalties(
        np.array([cuts[t].records for t in triples], np.int32).reshape(-1, 3),
        weights[triples].astype(np.float64),
        three.start,
        three.cut_of,
        rest.divisor,
        weights[others].astype(np.float64),
        rest.start,
        rest.cut_of,
        rest.numerator,
    )


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def coefficients(members: Ints, sizes: Ints, cuts: CutIndex) -> tuple[Ints, Ints, Floats]:
    """Sparse rows: for every group, the cuts in which its coefficient is not zero."""
    groups = sizes.size
    start = np.zeros(groups + 1, np.int32)
    capacity = 1024
    index = np.empty(capacity, np.int32)
    value = np.empty(capacity)
    count = np.zeros(cuts.divisor.size, np.int32)
    touched = np.empty(cuts.divisor.size, np.int32)
    at = 0
    for g in range(groups):
        seen = 0
        for a in range(sizes[g]):
            v = members[g, a]
            for e in range(cuts.start[v], cuts.start[v + 1]):
                T = cuts.cut_of[e]
                if count[T] == 0:
                    touched[seen] = T
                    seen += 1
                count[T] += cuts.numerator[e]
        for q in range(seen):
            T = touched[q]
            f = count[T] // cuts.divisor[T]
            count[T] = 0
            if f > 0:
                if at == capacity:
                    more_index = np.empty(2 * capacity, np.int32)
                    more_value = np.empty(2 * capacity)
                    for e in range(capacity):
                        more_index[e] = index[e]
                        more_value[e] = value[e]
                    index, value, capacity = more_index, more_value, 2 * capacity
                index[at] = T
                value[at] = f
                at += 1
        start[g + 1] = at
    return start, index[:at], value[:at]
