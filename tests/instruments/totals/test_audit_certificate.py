"""The certificate of an audit as plain data: what it says of each side is what was found, and proofs go along."""

from __future__ import annotations

import json

import numpy as np
from oracles.patterns import random_problem

from discreet.instruments.totals.audit_certificate import interval_certificate
from discreet.tabular.audit import audit
from discreet.tabular.audit.intervals import Empty, ProofBranch, ProofTree

PROBLEM = random_problem(np.random.default_rng(147))  # one of its ends takes a proof by multipliers
FOUND = audit(PROBLEM)


def test_every_side_with_what_proves_it() -> None:
    found = FOUND
    told, proofs = json.loads(json.dumps(interval_certificate(found))), 0
    assert told["hidden"] == found.cell.tolist() == [entry["cell"] for entry in told["intervals"]]
    for at, entry in enumerate(told["intervals"]):
        for word in ("lower", "upper"):
            assert entry[word] == int(getattr(found, word)[at])
            assert entry[f"{word}_sharp"] == (entry[word] == int(getattr(found, f"inner_{word}")[at]))
            number = entry[f"{word}_witness"]
            witness = told["witnesses"][number] if number >= 0 else {"cells": [], "changes": [], "denominator": 1}
            change = dict(zip(witness["cells"], witness["changes"])).get(entry["cell"], 0)
            value = int(PROBLEM.cells.value[entry["cell"]])
            if entry[f"{word}_sharp"]:
                assert entry[word] == value + change / witness["denominator"]
            proofs += f"{word}_proof" in entry
    assert proofs == len(found.proofs) > 0


def test_trees_are_told_node_by_node() -> None:
    found = FOUND
    cell = int(found.cell[0])
    leaf = Empty(np.array([3, 5]), np.array([-1, 2]))
    tree = ProofTree(cell, 1, (ProofBranch(cell, 4, 1, 2), leaf, leaf))
    told = json.loads(json.dumps(interval_certificate(found._replace(trees=(tree,)))))
    first, second = told["intervals"][0], told["intervals"][1]
    assert "upper_tree" in first and "lower_tree" not in first and "upper_tree" not in second
    assert first["upper_tree"][0] == {"cell": cell, "at": 4, "below": 1, "above": 2}
    assert first["upper_tree"][1] == {"multipliers": {"3": -1, "5": 2}}
