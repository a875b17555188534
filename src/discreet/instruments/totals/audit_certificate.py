"""The certificate of an audit: every interval with its multipliers and witnesses, in whole numbers, ready for JSON."""

from __future__ import annotations

from typing import Any

from discreet.tabular.audit import Intervals


def interval_certificate(found: Intervals) -> dict[str, Any]:
    """A document that `discreet.verify.tabular` checks by itself; numbers are of the smallest unit."""
    proofs = {(proof.cell, proof.side): proof for proof in found.proofs}
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
