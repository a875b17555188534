"""Which innermost cells each total is the sum of.

A cell that is the total (sign -1) of no relation is innermost. Going up from it, from part to total, gives the totals
it counts in. Where every relation holds for all values of the innermost cells, any choice there is an additive table;
linked tables that share totals but not their parts are not of this kind.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from discreet.tabular.problem import Ints, Relations


class Innermost(NamedTuple):
    """`cell[k]` is innermost; its totals are `total[start[k]:start[k + 1]]`; the parts of total t, as places in `cell`,
    are `part[first[t]:first[t + 1]]`."""

    cell: Ints
    start: Ints
    total: Ints
    first: Ints
    part: Ints

    def sums(self, values: Ints) -> Ints:
        """All cells of the table whose innermost cells have these values."""
        out = np.zeros(self.first.size - 1, np.int64)
        out[self.cell] = values
        np.add.at(out, self.total, np.repeat(values, np.diff(self.start)))
        return out


def innermost_cells(n: int, relations: Relations) -> Innermost | None:
    """The innermost cells and their totals; None where they do not determine the table."""
    rows = np.repeat(np.arange(relations.n), np.diff(relations.start))
    head = np.full(relations.n, -1, np.int64)
    negative = relations.sign < 0
    if (np.bincount(rows[negative], minlength=relations.n) != 1).any() or relations.right.any():
        return None
    head[rows[negative]] = relations.cell[negative]
    part, above = relations.cell[~negative], head[rows[~negative]]
    up = sp.csr_matrix((np.ones(part.size, np.int32), (part, above)), shape=(n, n))
    inner = np.ones(n, np.bool_)
    inner[head] = False
    cell = np.flatnonzero(inner)
    step = sp.csr_matrix((np.ones(cell.size, np.int32), (np.arange(cell.size), cell)), shape=(cell.size, n))
    totals = sp.csr_matrix((cell.size, n), dtype=np.int32)
    for _ in range(n):
        step = step @ up
        if not step.nnz:
            break
        step.data[:] = 1
        totals = totals + step
    else:  # a total that is part of itself
        return None
    totals.sort_indices()
    below = totals.T.tocsr()
    below.sort_indices()
    found = Innermost(
        cell, totals.indptr.astype(np.int64), totals.indices.astype(np.int64),
        below.indptr.astype(np.int64), below.indices.astype(np.int64),
    )  # fmt: skip
    return found if _determine(found, relations) else None


def _determine(found: Innermost, relations: Relations) -> bool:
    """Whether each relation holds whatever the innermost cells are: three tables drawn at random all add up.

    A relation that does not hold for all of them misses a random table with probability 1 - 2^-20 or more. Results are
    added up again in any case.
    """
    random = np.random.default_rng(0)
    for _ in range(3):
        values = random.integers(0, 1 << 20, found.cell.size)
        if relations.residuals(found.sums(values)).any():
            return False
    return True
