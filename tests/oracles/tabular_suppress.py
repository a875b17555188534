"""Suppression the slow, obvious way: all patterns in order of cost; certificates checked in fractions, cell by cell."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Problem


def reach(problem: Problem, hidden: np.ndarray, cell: int, side: int, known: Sequence[int] = ()) -> float:
    """How far a cell can move on a side, by a plain linear program."""
    cells, relations = problem.cells, problem.relations
    matrix = np.zeros((relations.n, cells.n))
    for r in range(relations.n):
        for at in range(relations.start[r], relations.start[r + 1]):
            matrix[r, relations.cell[at]] += relations.sign[at]
    bounds = [
        (lower - value, upper - value) if moves and i not in known else (0, 0)
        for i, (value, lower, upper, moves) in enumerate(zip(cells.value, cells.lower, cells.upper, hidden))
    ]
    cost = np.zeros(cells.n)
    cost[cell] = -side
    found = linprog(cost, A_eq=matrix, b_eq=np.zeros(relations.n), bounds=bounds, method="highs")
    assert found.status == 0
    return -float(found.fun)


def protects(problem: Problem, hidden: np.ndarray, attackers: Sequence[Sequence[int]] = ()) -> bool:
    cells = problem.cells
    for known in ((), *attackers):
        for p in np.flatnonzero(cells.status == PRIMARY):
            if p in known:
                continue
            up, down = (reach(problem, hidden, p, side, known) for side in (1, -1))
            if up < cells.above[p] - 1e-6 or down < cells.below[p] - 1e-6 or up + down < cells.sliding[p] - 1e-6:
                return False
    return True


def cheapest(problem: Problem, attackers: Sequence[Sequence[int]] = ()) -> int | None:
    """The least cost of a pattern that protects, by trying all of them; None where there is none."""
    cells = problem.cells
    free = np.flatnonzero(cells.status == FREE)
    constant = int(cells.cost[cells.status == SECONDARY].sum())
    patterns = [c for size in range(free.size + 1) for c in itertools.combinations(free.tolist(), size)]
    for chosen in sorted(patterns, key=lambda chosen: int(cells.cost[list(chosen)].sum())):
        hidden = cells.status <= SECONDARY
        hidden[list(chosen)] = True
        if protects(problem, hidden, attackers):
            return constant + int(cells.cost[list(chosen)].sum())
    return None


class Rows:
    """The rows of a certificate, rebuilt in fractions."""

    def __init__(self, problem: Problem, certificate: dict[str, Any], attackers: Sequence[Sequence[int]]) -> None:
        self.problem, self.attackers = problem, [sorted(set(own)) for own in attackers]
        self.cuts = [self._cut(cut) for cut in certificate["cuts"]]
        self.bridges = [self._bridge(*bridge) for bridge in certificate["bridges"]]

    def _side(self, p: int, side: int, whole: int, multipliers: dict[str, int]) -> dict[int, int]:
        cells, relations = self.problem.cells, self.problem.relations
        d = {p: side * whole}
        for r, much in multipliers.items():
            for at in range(relations.start[int(r)], relations.start[int(r) + 1]):
                i = int(relations.cell[at])
                d[i] = d.get(i, 0) - much * int(relations.sign[at])
        up = {i: int(cells.upper[i]) - int(cells.value[i]) for i in d}
        down = {i: int(cells.value[i]) - int(cells.lower[i]) for i in d}
        return {i: v * up[i] if v > 0 else -v * down[i] for i, v in d.items()}

    def _cut(self, cut: dict[str, Any]) -> dict[int, Fraction] | None:
        cells = self.problem.cells
        p, side, whole = cut["cell"], cut["side"], cut["denominator"]
        assert cells.status[p] == PRIMARY and whole > 0
        need = int({1: cells.above, -1: cells.below, 0: cells.sliding}[side][p])
        row = self._side(p, side or 1, whole, cut["multipliers"])
        if not side:
            for i, v in self._side(p, -1, whole, cut["below"]).items():
                row[i] = row.get(i, 0) + v
        if "known" in cut:
            assert cut["known"] in self.attackers and p not in cut["known"]
        right = whole * need
        row = {i: min(v, right) for i, v in row.items() if i not in cut.get("known", ()) and cells.status[i] != FIXED}
        right -= sum(v for i, v in row.items() if cells.status[i] <= SECONDARY)
        row = {i: min(v, right) for i, v in row.items() if cells.status[i] == FREE}
        cover = set(cut.get("cover", ()))
        assert all(cells.status[i] == FREE for i in cover)
        right -= sum(v for i, v in row.items() if i in cover)
        if right <= 0:
            return None
        row = {i: min(v, right) for i, v in row.items() if i not in cover}
        if "divisor" in cut:
            divisor = cut["divisor"]
            g = right % divisor
            assert g > 0
            row = {i: v // divisor * g + min(g, v % divisor) for i, v in row.items()}
            right = (right // divisor + 1) * g
        return {i: Fraction(v, right) for i, v in row.items()}

    def _bridge(self, relation: int, alone: int) -> dict[int, Fraction]:
        relations, status = self.problem.relations, self.problem.cells.status
        inside = relations.cell[relations.start[relation] : relations.start[relation + 1]].tolist()
        assert alone in inside and status[alone] == FREE and all(status[i] >= FREE for i in inside)
        return {i: Fraction(-1 if i == alone else 1) for i in inside if status[i] == FREE}

    def weigh(self, proof: dict[str, Any]) -> tuple[Fraction, dict[int, Fraction]]:
        """The base and the reduced costs of weights."""
        cells, whole = self.problem.cells, proof["denominator"]
        base = Fraction(0)
        reduced = {i: Fraction(int(cells.cost[i])) for i in np.flatnonzero(cells.status == FREE).tolist()}
        for rows, weights, right in ((self.cuts, proof["duals"], 1), (self.bridges, proof["bridges"], 0)):
            for k, y in weights.items():
                row = rows[int(k)]
                assert row is not None and y >= 0
                base += Fraction(y, whole) * right
                for i, v in row.items():
                    reduced[i] -= Fraction(y, whole) * v
        return base, reduced


def proven_bound(problem: Problem, certificate: dict[str, Any], attackers: Sequence[Sequence[int]] = ()) -> int:
    """The bound that a certificate proves: the least ceil of its leaves, at most its cost. Wrong ones fail."""
    rows = Rows(problem, certificate, attackers)
    weighed = [rows.weigh(proof) for proof in certificate["proofs"]]
    cost = certificate["cost"]
    constant = int(problem.cells.cost[problem.cells.status == SECONDARY].sum())
    leaves: list[int] = []
    pending: list[tuple[int, dict[int, int]]] = [(0, {})]
    while pending:
        number, held = pending.pop()
        node = certificate["tree"][number]
        if "branch" in node:
            cell = node["branch"]
            assert problem.cells.status[cell] == FREE and cell not in held
            pending += [(node["zero"], {**held, cell: 0}), (node["one"], {**held, cell: 1})]
            continue
        base, reduced = weighed[node["proof"]]

        def bound(held: dict[int, int], base: Fraction = base, reduced: dict[int, Fraction] = reduced) -> Fraction:
            return constant + base + sum(q * held[i] if i in held else min(Fraction(0), q) for i, q in reduced.items())

        if "then" not in node:
            leaves.append(-(-bound(held).numerator // bound(held).denominator))
            continue
        for cells, value in ((node["zero"], 0), (node["one"], 1)):
            for i in cells:
                assert i not in held and bound({**held, i: 1 - value}) > cost - 1
        pending.append((node["then"], held | dict.fromkeys(node["zero"], 0) | dict.fromkeys(node["one"], 1)))
    return min(cost, *leaves)
