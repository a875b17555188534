"""The certificate of an audit: every interval with its multipliers and witnesses, in whole numbers, ready for JSON."""

from __future__ import annotations

from typing import Any

from discreet.tabular.audit import Intervals
from discreet.tabular.audit.intervals import Empty, ProofBranch


def interval_certificate(found: Intervals) -> dict[str, Any]:
    """A document that `discreet.verify.tabular` checks by itself; numbers are of the smallest unit."""
    proofs = {(proof.cell, proof.side): proof for proof in found.proofs}
    trees = {(tree.cell, tree.side): [_node(node) for node in tree.nodes] for tree in found.trees}
    entries: list[dict[str, Any]] = []
    for at, cell in enumerate(found.cell.tolist()):
        entry: dict[str, Any] = {"cell": cell}
        for side, word in ((-1, "lower"), (1, "upper")):
            end = int(getattr(found, word)[at])
            entry[word] = end
            entry[f"{word}_sharp"] = end == int(getattr(found, f"inner_{word}")[at])
            entry[f"{word}_witness"] = int(getattr(found, f"{word}_witness")[at])
            proof = proofs.get((cell, side))
            if proof is not None:
                pairs = zip(proof.relation.tolist(), proof.multiplier.tolist())
                multipliers = {str(relation): multiplier for relation, multiplier in pairs}
                entry[f"{word}_proof"] = {"denominator": proof.denominator, "multipliers": multipliers}
            if (cell, side) in trees:
                entry[f"{word}_tree"] = trees[cell, side]
        entries.append(entry)
    return {
        "format": "discreet interval certificate",
        "version": 1,
        "hidden": found.cell.tolist(),
        "known": [],
        "witnesses": [
            {"denominator": each.denominator, "cells": each.cell.tolist(), "changes": each.change.tolist()}
            for each in found.witnesses
        ],
        "intervals": entries,
    }


def _node(node: ProofBranch | Empty) -> dict[str, Any]:
    """A node of a tree: a cell with the value at which it is divided, or the multipliers that leave nothing."""
    if isinstance(node, Empty):
        return {"multipliers": {str(r): m for r, m in zip(node.relation.tolist(), node.multiplier.tolist())}}
    return {"cell": node.cell, "at": node.at, "below": node.below, "above": node.above}
