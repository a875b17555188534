"""The evidence of a bound, as plain data: rows by their multipliers, weights, and a tree. A checker trusts none of it.

    cuts     [{cell, side, denominator, multipliers {relation: λ}, below (sliding), known or holder, cover,
             divisor}]
    bridges  [[relation, cell]]
    proofs   [{denominator Q, duals {cut: y}, bridges {bridge: y}}], weights y/Q of the rows divided by their right side
    tree     nodes, the root first: {proof} a leaf; {branch, zero, one} both values of a cell;
             {proof, zero, one, then} cells whose other value is too dear keep theirs from here on

Every pattern follows a path to a leaf, where the leaf's weights prove that it costs more than `cost` − 1.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from discreet.tabular.problem import Ints
from discreet.tabular.suppress.capacity import Cut
from discreet.tabular.suppress.proof import Proof
from discreet.tabular.suppress.state import State
from discreet.tabular.suppress.tree import Node, Tree

FORMAT = "discreet suppression certificate"
VERSION = 1
Status = Literal["optimal", "closed", "time limit", "heuristic"]


def certificate_of(state: State, tree: Tree, status: Status, lower_bound: int) -> dict[str, Any]:
    """What proves `lower_bound`: the fixings at the root, then the tree, with what is left open as leaves."""
    assert state.best is not None
    nodes: list[dict[str, Any]] = []
    proofs: list[Proof] = []
    for proof, cells in state.master.fixings:
        nodes.append({"proof": len(proofs), "zero": cells.tolist(), "one": [], "then": len(nodes) + 1})
        proofs.append(proof)
    before = len(nodes)
    places: dict[int, int] = {}
    for node in tree.nodes:
        if node.branch < 0 and node.proof not in places:
            places[node.proof] = len(proofs)
            proofs.append(tree.proofs[node.proof])
        nodes.append(_node(node, before, places))
    cuts, bridges = _used(proofs)
    return {
        "format": FORMAT,
        "version": VERSION,
        "cost": state.best.cost,
        "lower_bound": lower_bound,
        "status": status,
        "pattern": np.flatnonzero(state.best.hidden).tolist(),
        "cuts": [_cut(state, state.master.pool.cuts[number]) for number in cuts],
        "bridges": [list(state.master.pool.bridges[-1 - number]) for number in bridges],
        "proofs": [_weights(proof, cuts, bridges) for proof in proofs],
        "tree": nodes,
    }


def _node(node: Node, before: int, places: dict[int, int]) -> dict[str, Any]:
    if node.branch >= 0:
        zero, one = node.children
        return {"branch": node.branch, "zero": before + zero, "one": before + one}
    proof = {"proof": places[node.proof]}
    if node.then < 0:
        return proof
    return {**proof, "zero": node.zero.tolist(), "one": node.one.tolist(), "then": before + node.then}


def _used(proofs: list[Proof]) -> tuple[dict[int, int], dict[int, int]]:
    """Rows that some proof uses, with the places they get."""
    numbers = np.unique(np.concatenate([proof.row for proof in proofs] or [np.zeros(0, np.int64)])).tolist()
    cuts = [number for number in numbers if number >= 0]
    bridges = [number for number in numbers if number < 0]
    return {number: k for k, number in enumerate(cuts)}, {number: k for k, number in enumerate(bridges)}


def _cut(state: State, cut: Cut) -> dict[str, Any]:
    needs, source = state.model.requirements, cut.source
    r = source.requirement
    entry: dict[str, Any] = {
        "cell": int(needs.cell[r]),
        "side": int(needs.side[r]),
        "denominator": source.denominator,
        "multipliers": _sparse(source.rows, source.multipliers),
    }
    if not needs.side[r]:
        entry["below"] = _sparse(source.below_rows, source.below)
    attacker = int(needs.attacker[r])
    if attacker and needs.holder[attacker] >= 0:
        entry["holder"] = int(needs.holder[attacker])
    elif attacker:
        entry["known"] = needs.known_to(attacker).tolist()
    if source.cover.size:
        entry["cover"] = source.cover.tolist()
    if source.divisor:
        entry["divisor"] = source.divisor
    return entry


def _sparse(rows: Ints, multipliers: Ints) -> dict[str, int]:
    return {str(row): value for row, value in zip(rows.tolist(), multipliers.tolist())}


def _weights(proof: Proof, cuts: dict[int, int], bridges: dict[int, int]) -> dict[str, Any]:
    pairs = list(zip(proof.row.tolist(), proof.weight.tolist()))
    return {
        "denominator": proof.denominator,
        "duals": {str(cuts[number]): weight for number, weight in pairs if number >= 0},
        "bridges": {str(bridges[number]): weight for number, weight in pairs if number < 0},
    }
