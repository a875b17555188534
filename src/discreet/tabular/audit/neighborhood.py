"""A move of a wanted size by an integer program over the cells near a sensitive one.

    find whole f   with   A f = 0,   low ≤ f ≤ high,   f_p ≥ need

over the cells that are a few relations away from p; the others do not move. With few cells there is no such move, with
all of them the program is too hard: a neighborhood grows until it has one, and where the relations just begin to leave
freedom the solver's presolve finds it at once. Moves found that way are long, and settle many other cells. Large needs
are met in multiples of a unit u, with boxes rounded inwards to such multiples: a whole move times u is a whole move.
What is found is checked by the caller; that nothing is found proves nothing.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from discreet.solvers.mip import solve_mip
from discreet.tabular.audit.circuits import Graph
from discreet.tabular.problem import Ints

# Cells of the neighborhoods one after the other; and whether a cell's last relations are followed first, which leads to
# other cells. What is left for the last of them is little.
PLAN = (
    *((size, False) for size in (400, 800, 1200, 1400, 1600, 1800, 2000, 2200, 2400)),
    *((size, back) for size in (2000, 2400, 2600, 2800, 3000, 3200, 3400) for back in (True, False)),
)
NODES = 20
# Needs beyond this are met in multiples of a unit: of the need itself, of its quarter, of its sixteenth.
SMALL = 64
PARTS = (1, 4, 16)


def near(known: Graph, column: int, count: int, back: bool = False) -> Ints:
    """The first `count` columns, or a few more, that are met when going from relation to relation.

    Relations are followed in the order in which they were met; within a cell the last first, where `back` says so.
    """
    seen = np.zeros(known.low.size, np.bool_)
    rows_seen = np.zeros(known.start.size - 1, np.bool_)
    seen[column] = True
    found, at = [column], 0
    while at < len(found) and len(found) < count:
        j = found[at]
        at += 1
        own = known.row[known.column_start[j] : known.column_start[j + 1]]
        for r in own[::-1] if back else own:
            if rows_seen[r]:
                continue
            rows_seen[r] = True
            others = known.column[known.start[r] : known.start[r + 1]]
            fresh = others[~seen[others]]
            fresh = fresh[::-1] if back else fresh
            seen[fresh] = True
            found.extend(fresh.tolist())
    return np.sort(np.array(found, np.int64))


def local_move(
    known: Graph, matrix: sp.csc_matrix, column: int, sign: int, need: int, plan: tuple[int, bool]
) -> Ints | None:
    """A move by at least `need` of `column` to its side among cells near it; None where none was found.

    `matrix` are the component's relations by columns, `plan` one of `PLAN`.
    """
    columns = near(known, column, *plan)
    part = matrix[:, columns].tocsr()
    rows = np.flatnonzero(np.diff(part.indptr))
    part = part[rows].tocsc().astype(np.float64)
    own = int(np.searchsorted(columns, column))
    zero = np.zeros(rows.size)
    for share in (1,) if need <= SMALL else PARTS:
        unit = 1 if need <= SMALL else -(-need // share)
        low, high = -(-known.low[columns] // unit), known.high[columns] // unit
        wanted = -(-need // unit)
        if (high[own] if sign > 0 else -low[own]) < wanted:
            continue
        (low if sign > 0 else high)[own] = sign * wanted
        answer = solve_mip(
            np.zeros(columns.size),
            part,
            zero,
            zero,
            lower=low.astype(np.float64),
            upper=high.astype(np.float64),
            node_limit=NODES,
        )
        if answer.x is not None:
            change = np.zeros(known.low.size, np.int64)
            change[columns] = np.rint(answer.x).astype(np.int64) * unit
            return change
    return None
