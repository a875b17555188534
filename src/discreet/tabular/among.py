"""Other tables whose cells have values from given sets, where boxes would hold values that cannot be.

A move f keeps every relation, A f = 0, and takes each cell to a value of its set. A cell is untold when some move takes
it elsewhere. Moves are looked for by integer programs, first for all cells at once, then for one after the other; where
neither direction has a solution, the cell is told exactly. A set with gaps has a binary for every value v but the own:

    f_i = Σ_v v · z_iv,   Σ_v z_iv ≤ 1
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.mip import Tuning, solve_mip
from discreet.tabular.audit.intervals import Witness
from discreet.tabular.problem import Ints, Problem
from discreet.work import Deadline

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
# Searches for all cells at once, how many nodes each search may take, and how far a cell goes in one.
_SWEEPS, _NODES, _FAR = 6, 2000, 20


class OtherTables(NamedTuple):
    """Which cells are told exactly, which are not (neither where time ran out), and the moves that show it."""

    exact: Flags
    untold: Flags
    witnesses: tuple[Witness, ...]


def other_tables(problem: Problem, among: Mapping[int, Ints], deadline: Deadline) -> OtherTables:
    """Look for another value of every cell; `among` are the values of those whose box has gaps."""
    program, cells = _Program(problem, among), problem.cells
    exact, untold, moves = cells.lower == cells.upper, np.zeros(cells.n, np.bool_), list[Ints]()
    random = np.random.default_rng(0)
    for _ in range(_SWEEPS):
        found, _ = program.solve(np.where(untold, 0.0, random.choice([-1.0, 1.0], cells.n)), deadline)
        if found is None or not (found[~untold] != 0).any():
            break
        untold |= found != 0
        moves.append(found)
    for cell in np.flatnonzero(~exact).tolist():
        sure = not untold[cell]
        for side in (1, -1):
            if untold[cell]:
                break
            found, none = program.solve(np.zeros(cells.n), deadline, cell=cell, side=side)
            sure &= none
            if found is not None:
                untold |= found != 0
                moves.append(found)
        exact[cell] = sure and not untold[cell]
    places = [np.flatnonzero(move) for move in moves]
    return OtherTables(exact, untold, tuple(Witness(at, move[at], 1) for at, move in zip(places, moves)))


class _Program:
    """The integer program; its columns are the moves of cells, then the values of those with gaps."""

    def __init__(self, problem: Problem, among: Mapping[int, Ints]) -> None:
        cells, relations = problem.cells, problem.relations
        self._relations = relations
        steps = {cell: own[own != cells.value[cell]] - cells.value[cell] for cell, own in among.items()}
        value = np.concatenate([np.zeros(0, np.int64), *steps.values()])
        row = np.repeat(np.arange(len(steps)), [own.size for own in steps.values()])
        place = np.arange(value.size)
        gaps = len(steps)
        sums = sp.csr_array(
            (relations.sign.astype(np.float64), relations.cell, relations.start), (relations.n, cells.n)
        )
        own = sp.csr_array((np.ones(gaps), (np.arange(gaps), list(steps))), (gaps, cells.n))
        taken = sp.csr_array((-value.astype(np.float64), (row, place)), (gaps, value.size))
        once = sp.csr_array((np.ones(value.size), (row, place)), (gaps, value.size))
        self._matrix = sp.csc_array(sp.block_array([[sums, None], [own, taken], [None, once]]))
        self._row_lower = np.concatenate([np.zeros(relations.n + gaps), np.full(gaps, -np.inf)])
        self._row_upper = np.concatenate([np.zeros(relations.n + gaps), np.ones(gaps)])
        low, high = cells.lower - cells.value, cells.upper - cells.value
        self._low = np.concatenate([np.maximum(low, -_FAR), np.zeros(value.size)])
        self._high = np.concatenate([np.minimum(high, _FAR), np.ones(value.size)])
        self._whole = bool((low >= -_FAR).all() and (high <= _FAR).all())
        self._n, self._among = cells.n, {cell: {0, *own.tolist()} for cell, own in steps.items()}

    def solve(
        self, wanted: Floats, deadline: Deadline, *, cell: int | None = None, side: int = 0
    ) -> tuple[Ints | None, bool]:
        """A move far in wanted directions, with one cell up or down where asked; and whether there is surely none."""
        if deadline.passed:
            return None, False
        low, high = self._low.copy(), self._high.copy()
        if cell is not None:
            (low if side > 0 else high)[cell] = side
            if low[cell] > high[cell]:
                return None, True
        found = solve_mip(
            np.concatenate([-wanted, np.zeros(low.size - self._n)]),
            self._matrix,
            self._row_lower,
            self._row_upper,
            lower=low,
            upper=high,
            node_limit=_NODES,
            time_limit=None if deadline.limit is None else deadline.remaining,
            tuning=Tuning(relative_gap=0.2),
        )
        move = None if found.x is None else np.rint(found.x[: self._n]).astype(np.int64)
        if move is None or not self._holds(move, low, high):
            return None, found.status == "infeasible" and self._whole
        return move, False

    def _holds(self, move: Ints, low: Floats, high: Floats) -> bool:
        """Whether the move keeps relations and sets in whole numbers, whatever the solver says."""
        inside = bool(((move >= low[: self._n]) & (move <= high[: self._n])).all())
        kept = not (self._relations.residuals(move) + self._relations.right).any()
        return inside and kept and all(int(move[cell]) in own for cell, own in self._among.items())
