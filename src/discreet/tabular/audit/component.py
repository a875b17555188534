"""What an attacker can infer about the cells of one component: both ends of each, from outside and from inside.

Outer ends hold for every table: boxes narrowed relation by relation, and duals of linear programs rounded to whole
multipliers λ (with a denominator D): D f_i = Σ_j c_j f_j with c = D e_i - Aᵀλ, hence D f_i ≤ Σ_j max(c_j low_j, c_j
high_j). Inner ends are attained by tables: every move that is found counts for all cells. A program is solved only for
a side whose two ends do not meet yet. Where whole numbers stay behind fractions, branch and bound closes the rest in
small components (branching.py), with a tree as its proof.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from discreet.solvers.lp import ExtremeLp, certified_bound, floor_bound
from discreet.tabular.audit.branching import Tree, small, whole_table
from discreet.tabular.audit.moves import Move, fraction, holds
from discreet.tabular.audit.rounding import nearest_whole
from discreet.tabular.audit.system import Component
from discreet.tabular.problem import Ints
from discreet.work import Deadline

UP, DOWN = 0, 1
SIDE = (1, -1)
# So many trees of a component that grew too large say that others will, too.
VAIN = 3


class Proof(NamedTuple):
    """Multipliers of the component's rows: `denominator` · f_column is bounded by their combination with the boxes."""

    column: int
    side: int
    bound: int
    denominator: int
    row: Ints
    multiplier: Ints


class Ends:
    """Outer and inner ends of a component's cells, with the proofs of the one and the witnesses of the other.

    `outer` and `inner` are (2, n): greatest and least moves. `witness[side, j]` numbers the move that attains the inner
    end (-1: the true table), `fractional[side, j]` one of fractions that attains the outer end of the linear program.
    """

    def __init__(self, component: Component) -> None:
        n = component.n
        self.component = component
        self.outer = np.array([component.high, component.low])
        self.inner = np.zeros((2, n), np.int64)
        self.witness = np.full((2, n), -1, np.int64)
        self.fractional = np.full((2, n), -1, np.int64)
        self.moves: list[Move] = []
        self.proofs: dict[tuple[int, int], Proof] = {}
        self.trees: dict[tuple[int, int], Tree] = {}
        self.asked = 0
        self.complete = True
        self._lp: ExtremeLp | None = None
        self._matrix: sp.csr_matrix | None = None
        self._vain = 0

    def met(self, column: int, side: int) -> bool:
        return bool(self.inner[side, column] == self.outer[side, column])

    def take(self, change: Ints) -> bool:
        """Count a move of whole numbers for all cells, if it is one; and its opposite, where boxes allow it."""
        if not holds(self.component, change):
            return False
        self._count(change)
        opposite = -change
        if (opposite >= self.component.low).all() and (opposite <= self.component.high).all():
            self._count(opposite)
        return True

    def keep(self, change: Ints) -> None:
        """`take`, for a move that may serve against who knows cells of others, and is kept though it is no news."""
        before = len(self.moves)
        if self.take(change) and len(self.moves) == before:
            used = np.flatnonzero(change)
            self.moves.append(Move(used, change[used]))

    def _count(self, change: Ints) -> None:
        further = np.array([change > self.inner[UP], change < self.inner[DOWN]])
        if not further.any():
            return
        used = np.flatnonzero(change)
        self.moves.append(Move(used, change[used]))
        for side in (UP, DOWN):
            self.inner[side, further[side]] = change[further[side]]
            self.witness[side, further[side]] = len(self.moves) - 1

    def solve(self, column: int, side: int, time_limit: float | None = None, *, target: int | None = None) -> bool:
        """Close one side by its linear program; False where the solver gave nothing.

        With a `target` the integer program that may follow is content with a move that far.
        """
        program, matrix = self._program()
        self.asked += 1
        sign = SIDE[side]
        solution = program.extreme(column, sign, time_limit)
        if solution.status != "optimal":
            return False
        whole = program.whole(solution.x)
        exact = whole is not None and self.take(whole)
        self._bound(matrix, column, side, solution.duals)
        if self.met(column, side) or exact:
            return True
        found = fraction(self.component, solution.x)
        if found is not None:
            self._count_fraction(*found)
        if target is None or sign * (self.inner[side, column] - target) < 0 <= sign * (
            self.outer[side, column] - target
        ):
            rounded = nearest_whole(self.component, solution.x, column, sign)
            if rounded is not None:
                self.take(rounded)
            self._branch(column, side, target, Deadline(time_limit))
        return True

    def _branch(self, column: int, side: int, target: int | None, deadline: Deadline) -> None:
        """Close a side that fractions leave open, or decide whether it reaches the target."""
        sign = SIDE[side]
        while not self.met(column, side) and self._vain < VAIN and small(self.component):
            goal = int(self.inner[side, column]) + sign if target is None else target
            if sign * (goal - int(self.inner[side, column])) <= 0 or sign * (goal - int(self.outer[side, column])) > 0:
                return
            move, tree = whole_table(self.component, column, sign, goal, deadline)
            if move is not None and self.take(move):
                continue
            if tree is None:
                self._vain += 1
            else:
                self.outer[side, column] = goal - sign
                self.trees[column, side] = tree
            return

    def forget(self) -> None:
        """Let go of the solver: what is left can travel between processes."""
        self._lp = self._matrix = None

    def _program(self) -> tuple[ExtremeLp, sp.csr_matrix]:
        own = self.component
        if self._lp is None or self._matrix is None:
            entries = own.sign.astype(np.int64)
            zero = np.zeros(own.row.size, np.int64)
            self._lp = ExtremeLp(own.start, own.column, zero, own.low, own.high, entries)
            shape = own.row.size, own.n
            self._matrix = sp.csr_matrix((entries, own.column, own.start), shape=shape).T.tocsr()
        return self._lp, self._matrix

    def _bound(self, transposed: sp.csr_matrix, column: int, side: int, duals: np.ndarray) -> None:
        own, sign = self.component, SIDE[side]
        zero = np.zeros(own.row.size, np.int64)
        enough = int(self.inner[side, column])
        value = certified_bound(transposed, zero, own.low, own.high, duals, column, sign, enough)
        bound, scale = floor_bound(value, sign), value[1]
        if sign * (bound - self.outer[side, column]) < 0:
            whole = np.rint(duals * scale).astype(np.int64)
            used = np.flatnonzero(whole)
            self.outer[side, column] = bound
            self.proofs[column, side] = Proof(column, side, bound, scale, used, whole[used])

    def _count_fraction(self, change: Ints, denominator: int) -> None:
        """Sides whose outer end, as a whole number, a table of fractions attains: the linear program says no more."""
        if denominator == 1:
            return
        reach = np.array([change // denominator, -(-change // denominator)])
        news = (reach == self.outer) & (self.fractional < 0) & (self.inner != self.outer)
        if news.any():
            used = np.flatnonzero(change)
            self.moves.append(Move(used, change[used], denominator))
            self.fractional[news] = len(self.moves) - 1
