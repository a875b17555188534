"""What a hidden part allows: moves of whole numbers that keep every relation, and boxes that relations narrow.

With moves f = y - a: published cells and cells an attacker knows do not move, Σ sign · f = 0 in every relation, and
lower - a ≤ f ≤ upper - a. A move that keeps all of this is a table the attacker must think possible. Everything is
computed in Python's whole numbers. Where a cell can have some values of its box only, `among` lists its moves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from discreet.verify.tabular.problem import Table

SWEEPS = 200


class Hidden:
    """The hidden cells of a table for an attacker who knows some of them: boxes of moves, and relations over them."""

    def __init__(
        self,
        table: Table,
        hidden: Iterable[int],
        known: Collection[int] = (),
        among: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        apart = set(known)
        self.table = table
        self.among = among or {}
        self.cells = [cell for cell in hidden if cell not in apart]
        self.low = {c: int(table.lower[c]) - int(table.value[c]) for c in self.cells}
        self.high = {c: int(table.upper[c]) - int(table.value[c]) for c in self.cells}
        self.rows: dict[int, list[tuple[int, int]]] = {}
        self.of: dict[int, list[tuple[int, int]]] = {c: [] for c in self.cells}
        inside = self.low
        mask = np.zeros(table.n, np.bool_)
        mask[self.cells] = True
        row = np.repeat(np.arange(table.right.size), np.diff(table.start))
        for relation in np.unique(row[mask[table.cell]]).tolist():
            terms = [(cell, sign) for cell, sign in table.terms(relation) if cell in inside]
            if terms:
                self.rows[relation] = terms
                for cell, sign in terms:
                    self.of[cell].append((relation, sign))

    def possible(self, move: Mapping[int, int], denominator: int = 1) -> bool:
        """Whether move / denominator keeps boxes and relations, and takes each cell to a value that it can have."""
        if denominator < 1 or (self.among and denominator > 1) or self.astray(move) is not None:
            return False
        sums: dict[int, int] = {}
        for cell, change in move.items():
            if cell not in self.low or not self.low[cell] * denominator <= change <= self.high[cell] * denominator:
                return False
            for relation, sign in self.of[cell]:
                sums[relation] = sums.get(relation, 0) + sign * change
        return not any(sums.values())

    def astray(self, move: Mapping[int, int]) -> int | None:
        """A cell that the move takes to a value of its box that it cannot have."""
        return next((cell for cell, to in move.items() if to and to not in self.among.get(cell, (to,))), None)

    def narrowed(self) -> tuple[dict[int, int], dict[int, int]]:
        """Boxes after every relation has said what it can, again and again."""
        low, high = dict(self.low), dict(self.high)
        waiting, todo = list(self.rows), set(self.rows)
        for _ in range(SWEEPS):
            if not waiting:
                break
            now, waiting, todo = waiting, [], set()
            for relation in now:
                for cell in _narrow(self.rows[relation], low, high):
                    for other, _ in self.of[cell]:
                        if other not in todo:
                            todo.add(other)
                            waiting.append(other)
        return low, high

    def bound(
        self,
        cell: int,
        side: int,
        denominator: int,
        multipliers: Mapping[int, int],
        boxes: tuple[Mapping[int, int], Mapping[int, int]],
    ) -> int:
        """The whole number that `multipliers` prove f_cell not to exceed (side 1), or not to be below (side -1).

        denominator · f_cell = Σ_j c_j f_j with c = denominator · e_cell - Aᵀλ, for every move and whatever λ.
        """
        if denominator < 1:
            raise ValueError
        rest = {cell: denominator}
        for relation, multiplier in multipliers.items():
            for other, sign in self.rows.get(relation, ()):
                rest[other] = rest.get(other, 0) - multiplier * sign
        low, high = boxes
        ends = ((c * low[j], c * high[j]) for j, c in rest.items())
        if side > 0:
            return sum(max(pair) for pair in ends) // denominator
        return -(-sum(min(pair) for pair in ends) // denominator)


def _narrow(terms: list[tuple[int, int]], low: dict[int, int], high: dict[int, int]) -> list[int]:
    """Let one relation narrow the boxes of its cells; returns those that became narrower."""
    least = sum(low[c] if s > 0 else -high[c] for c, s in terms)
    most = sum(high[c] if s > 0 else -low[c] for c, s in terms)
    changed = []
    for cell, sign in terms:
        a, b = (low[cell], high[cell]) if sign > 0 else (-high[cell], -low[cell])
        bottom, top = max(a, b - most), min(b, a - least)
        if bottom > a or top < b:
            least, most = least + bottom - a, most + top - b
            low[cell], high[cell] = (bottom, top) if sign > 0 else (-top, -bottom)
            changed.append(cell)
    return changed
