"""The bound of a suppression certificate: weights of rows at the leaves of a tree, in fractions.

Weights y ≥ 0 of the rows Σ a_ki x_i ≥ b_k prove for all patterns at a node, where some cells are 0 and some 1,

    cost(x) ≥ Σ_k y_k b_k + Σ_{x_i = 1} q_i + Σ_{i free} min(0, q_i),      q = cost - Σ_k y_k a_k

Costs are whole, so that the bound may be rounded up. A node is a leaf with a proof; or branches on a cell; or fixes
cells that every pattern cheaper than the one shown must hide or publish, which the same formula proves with the cell
at its other value. Two branches cover all patterns, so that the least leaf bounds them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from discreet.verify.tabular.cuts import Rejected, cells_of, numbers, whole
from discreet.verify.tabular.problem import FREE, SECONDARY, Table

Row = Mapping[int, Fraction | int]


class Reduced(NamedTuple):
    """What a proof amounts to: the weighted right sides, and the reduced costs of the free cells."""

    base: Fraction
    cost: dict[int, Fraction]


def reduced(table: Table, proof: Any, cuts: Sequence[Row | None], bridges: Sequence[Row]) -> Reduced:
    """The combination of rows that a proof names."""
    if not isinstance(proof, Mapping):
        raise Rejected("a proof is no object")
    scale = whole(proof.get("denominator"), "the denominator of a proof", 1)
    cost = {i: Fraction(int(table.cost[i])) for i in range(table.n) if table.status[i] == FREE}
    base = Fraction(0)
    rows: tuple[tuple[dict[int, int], Sequence[Row | None], int], ...] = (
        (numbers(proof.get("duals", {}), "the weights of a proof", len(cuts)), cuts, 1),
        (numbers(proof.get("bridges", {}), "the weights of a proof", len(bridges)), bridges, 0),
    )
    for weights, among, right in rows:
        for k, weight in weights.items():
            if weight < 0:
                raise Rejected("a proof has a weight below 0")
            row = among[k]
            if row is None or not weight:
                continue
            y = Fraction(weight, scale)
            base += y * right
            for i, a in row.items():
                cost[i] -= y * a
    return Reduced(base, cost)


class Tree:
    """Walks the nodes of a certificate; `least` is the smallest bound of its leaves."""

    def __init__(self, table: Table, nodes: Any, proofs: list[Reduced], cost: int) -> None:
        if not isinstance(nodes, list) or not nodes:
            raise Rejected("the tree has no nodes")
        self.table, self.nodes, self.proofs, self.cost = table, nodes, proofs, cost
        self.constant = sum(int(table.cost[i]) for i in range(table.n) if table.status[i] == SECONDARY)
        self.free = [sum((min(q, Fraction(0)) for q in proof.cost.values()), Fraction(0)) for proof in proofs]

    def least(self) -> int:
        """The bound that the whole tree proves: no protecting pattern costs less than the smaller of it and `cost`."""
        found: int | None = None
        seen: set[int] = set()
        waiting: list[tuple[int, dict[int, int]]] = [(0, {})]
        while waiting:
            number, fixed = waiting.pop()
            if number in seen or not 0 <= number < len(self.nodes):
                raise Rejected("the tree names a node twice or one that is not there")
            seen.add(number)
            node = self.nodes[number]
            if not isinstance(node, Mapping):
                raise Rejected("a node is no object")
            if "branch" in node:
                cell = self._free_cell(whole(node["branch"], "a branch", 0), fixed)
                for value, word in ((0, "zero"), (1, "one")):
                    waiting.append((whole(node.get(word), "a branch", 0), {**fixed, cell: value}))
            elif "then" in node:
                waiting.append((whole(node["then"], "a node", 0), self._fixed(node, fixed)))
            else:
                bound = self._bound(self._proof(node), fixed)
                whole_bound = -(-bound.numerator // bound.denominator)
                found = whole_bound if found is None else min(found, whole_bound)
        assert found is not None
        return found

    def _proof(self, node: Mapping[str, Any]) -> int:
        number = whole(node.get("proof"), "the proof of a node", 0)
        if number >= len(self.proofs):
            raise Rejected("a node names a proof that is not there")
        return number

    def _free_cell(self, cell: int, fixed: Mapping[int, int]) -> int:
        if cell >= self.table.n or self.table.status[cell] != FREE or cell in fixed:
            raise Rejected("a node is about a cell that is not free")
        return cell

    def _bound(self, number: int, fixed: Mapping[int, int]) -> Fraction:
        proof = self.proofs[number]
        bound = proof.base + self.free[number] + self.constant
        for cell, value in fixed.items():
            bound += (proof.cost[cell] if value else 0) - min(proof.cost[cell], Fraction(0))
        return bound

    def _fixed(self, node: Mapping[str, Any], fixed: dict[int, int]) -> dict[int, int]:
        """Cells whose other value every cheaper pattern rules out; each by the bound before any of them is fixed."""
        number = self._proof(node)
        bound, costs = self._bound(number, fixed), self.proofs[number].cost
        after = dict(fixed)
        for value, word in ((0, "zero"), (1, "one")):
            for cell in cells_of(node.get(word, []), "the fixed cells of a node", self.table):
                self._free_cell(cell, after)
                q = costs[cell]
                other = bound - min(q, Fraction(0)) + (q if value == 0 else 0)
                if other <= self.cost - 1:
                    raise Rejected("a node fixes a cell that it does not prove to be fixed")
                after[cell] = value
        return after
