"""A sensitive cell that no chain protects: routes over the cells near it, by the linear programs of repair.py.

The neighborhood grows from the cell over its relations: of each relation all hidden cells and the cheapest others. The
rest of the table does not move, so that what protects here protects there. Growing neighborhoods are tried in turn.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Cells, Ints, Problem, Relations
from discreet.tabular.suppress.chains.witnesses import Pattern, Witness
from discreet.tabular.suppress.model import Flags, Model
from discreet.tabular.suppress.repair import repair
from discreet.tabular.suppress.requirements import requirements_of
from discreet.work import Deadline

# Cells of the neighborhoods, and how many of the cheapest of each relation.
PLAN = ((200, 4), (1000, 6), (5000, 12), (20_000, 1_000_000))


class Neighbors:
    """The relations of a table by cells and cells by relations."""

    def __init__(self, pattern: Pattern) -> None:
        cells, relations = pattern.problem
        self._pattern = pattern
        shape = relations.n, cells.n
        self._by_row = sp.csr_matrix((relations.sign.astype(np.int64), relations.cell, relations.start), shape)
        self._by_cell = self._by_row.tocsc()

    def protect(self, owner: int, known: Ints, deadline: Deadline) -> Witness | None:
        """The cells that protect `owner` against who knows the cells `known`; None where none of the plans does."""
        hidden = self._pattern.hidden
        last = 0
        for size, cheapest in PLAN:
            chosen = self._near(owner, size, cheapest, hidden)
            if chosen.size == last or deadline.passed:
                break
            last = chosen.size
            part, place = self._part(owner, chosen, hidden), np.searchsorted(chosen, owner)
            own = np.flatnonzero(np.isin(chosen, known)).tolist()
            needs = requirements_of(part, [own] if own else [])
            needs = needs.part(np.flatnonzero((needs.attacker == (1 if own else 0)) & (needs.cell == place)))
            found = repair(Model(part, needs), part.cells.hidden, deadline)
            if found is not None:
                used = [*found.support.values(), np.flatnonzero(found.hidden & (part.cells.status == FREE))]
                return Witness(owner, chosen[np.unique(np.concatenate(used))], None, None)
        return None

    def _near(self, owner: int, size: int, cheapest: int, hidden: Flags) -> Ints:
        """So many cells that can move, or a few more, in the order in which relations lead to them; sorted."""
        pattern, rows, columns = self._pattern, self._by_row, self._by_cell
        status, price = pattern.problem.cells.status, pattern.room.price
        moves = (pattern.room.up > 0) | (pattern.room.down > 0)
        found, seen, seen_rows, at = [owner], {owner}, set[int](), 0
        while at < len(found) and len(found) < size:
            i = found[at]
            at += 1
            for r in columns.indices[columns.indptr[i] : columns.indptr[i + 1]].tolist():
                if r in seen_rows:
                    continue
                seen_rows.add(r)
                others = rows.indices[rows.indptr[r] : rows.indptr[r + 1]]
                others = others[moves[others] & ((status[others] != FIXED) | hidden[others])]
                open_cells = others[~hidden[others]]
                open_cells = open_cells[np.argsort(price[open_cells], kind="stable")[:cheapest]]
                for j in [*others[hidden[others]].tolist(), *open_cells.tolist()]:
                    if j not in seen:
                        seen.add(j)
                        found.append(j)
        return np.array(sorted(found), np.int64)

    def _part(self, owner: int, chosen: Ints, hidden: Flags) -> Problem:
        """The problem of the chosen cells alone, in which `owner` is the only sensitive one."""
        cells = self._pattern.problem.cells
        status = np.where(hidden[chosen], SECONDARY, FREE).astype(np.int8)
        status[np.searchsorted(chosen, owner)] = PRIMARY
        rows = self._by_cell[:, chosen].tocsr()
        rows = rows[np.flatnonzero(np.diff(rows.indptr))]
        relations = Relations(
            rows.indptr.astype(np.int64),
            rows.indices.astype(np.int64),
            rows.data.astype(np.int8),
            np.zeros(rows.shape[0], np.int64),
        )
        amounts = (cells.value, cells.lower, cells.upper, cells.cost)
        levels = (cells.below, cells.above, cells.sliding)
        value, lower, upper, cost = (own[chosen] for own in amounts)
        below, above, sliding = (own[chosen] for own in levels)
        return Problem(Cells(value, lower, upper, cost, status, below, above, sliding), relations)
