"""A move of a wanted size by an integer program over the cells near a sensitive one.

    minimize Σ |f_j|   subject to   A f = 0,   low ≤ f ≤ high,   f whole,   f_p ≥ need

over the cells that are a few relations away from p; the others do not move. Short moves use few fractions, and few
cells suffice for most, so that a neighborhood is tried that grows fourfold. Large needs are met in multiples of a unit
u, with boxes rounded inwards to such multiples: a whole move times u is a whole move. What is found is checked by the
caller; that nothing is found proves nothing.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from discreet.solvers.mip import solve_mip
from discreet.tabular.audit.circuits import Graph
from discreet.tabular.problem import Ints

SIZES = (150, 600, 2400, 9600)
NODES = (50, 50, 20, 5)
# Needs beyond this are met in multiples of a unit: of the need itself, of its quarter, of its sixteenth.
SMALL = 32
PARTS = (1, 4, 16)


def near(known: Graph, column: int, count: int) -> Ints:
    """The first `count` columns, or a few more, that are met when going from relation to relation."""
    seen = np.zeros(known.low.size, np.bool_)
    rows_seen = np.zeros(known.start.size - 1, np.bool_)
    seen[column] = True
    found, at = [column], 0
    while at < len(found) and len(found) < count:
        j = found[at]
        at += 1
        for r in known.row[known.column_start[j] : known.column_start[j + 1]]:
            if rows_seen[r]:
                continue
            rows_seen[r] = True
            others = known.column[known.start[r] : known.start[r + 1]]
            fresh = others[~seen[others]]
            seen[fresh] = True
            found.extend(fresh.tolist())
    return np.sort(np.array(found, np.int64))


def local_move(known: Graph, matrix: sp.csc_matrix, column: int, sign: int, need: int, size: int, nodes: int) -> Ints | None:
    """A move by at least `need` of `column` to its side among `size` cells near it; None where none was found.

    `matrix` are the component's relations by columns.
    """
    columns = near(known, column, size)
    part = matrix[:, columns].tocsr()
    rows = np.flatnonzero(np.diff(part.indptr))
    part = part[rows].tocsc().astype(np.float64)
    own = int(np.searchsorted(columns, column))
    for share in (1,) if need <= SMALL else PARTS:
        unit = 1 if need <= SMALL else -(-need // share)
        low, high = -(-known.low[columns] // unit), known.high[columns] // unit
        wanted = -(-need // unit)
        if (high[own] if sign > 0 else -low[own]) < wanted:
            continue
        move = _least(part, low, high, own, sign, wanted, nodes)
        if move is not None:
            change = np.zeros(known.low.size, np.int64)
            change[columns] = move * unit
            return change
    return None


def _least(part: sp.csc_matrix, low: Ints, high: Ints, own: int, sign: int, wanted: int, nodes: int) -> Ints | None:
    """Whole ups and downs of the columns of `part`, as short as found."""
    n = low.size
    most = 64 * wanted
    ups, downs = np.minimum(high, most).astype(np.float64), np.minimum(-low, most).astype(np.float64)
    least = np.zeros(2 * n)
    least[own if sign > 0 else n + own] = wanted
    (downs if sign > 0 else ups)[own] = 0.0
    zero = np.zeros(part.shape[0])
    answer = solve_mip(
        np.ones(2 * n),
        sp.hstack([part, -part]).tocsc(),
        zero,
        zero,
        lower=least,
        upper=np.concatenate([ups, downs]),
        node_limit=nodes,
        relative_gap=10.0,
    )
    if answer.x is None:
        return None
    return np.rint(answer.x[:n]).astype(np.int64) - np.rint(answer.x[n:]).astype(np.int64)
