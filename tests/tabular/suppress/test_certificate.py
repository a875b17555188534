"""Certificates as plain data: what they list is used, and weaker evidence proves less."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest
from oracles.tabular_suppress import proven_bound

from discreet.tabular.suppress import Suppression
from discreet.tabular.suppress.certificate import FORMAT, VERSION
from tests.tabular.suppress.test_search import solved, table

PROBLEM = table(np.random.default_rng(5), 9, 0.1)  # its tree branches and fixes


@pytest.fixture(scope="module")
def found() -> Suppression:
    found = solved(PROBLEM, [])
    assert isinstance(found, Suppression) and found.certificate is not None
    return found


def test_it_is_plain_data_that_proves_what_it_says(found: Suppression) -> None:
    certificate: dict[str, Any] = json.loads(json.dumps(found.certificate))
    assert certificate == found.certificate
    assert (certificate["format"], certificate["version"]) == (FORMAT, VERSION)
    assert certificate["pattern"] == np.flatnonzero(found.hidden).tolist()
    assert certificate["cost"] == int(PROBLEM.cells.cost[found.hidden & (PROBLEM.cells.status != 0)].sum())
    assert proven_bound(PROBLEM, certificate) == certificate["lower_bound"] == found.lower_bound


def test_nothing_is_listed_that_no_proof_and_no_node_uses(found: Suppression) -> None:
    certificate = found.certificate
    assert certificate is not None
    assert (
        sum("branch" in node for node in certificate["tree"]) > 1 < sum("then" in node for node in certificate["tree"])
    )
    for kind, weights in (("cuts", "duals"), ("bridges", "bridges")):
        used = {int(number) for proof in certificate["proofs"] for number in proof[weights]}
        assert used == set(range(len(certificate[kind])))
    proofs = {node["proof"] for node in certificate["tree"] if "proof" in node}
    assert proofs == set(range(len(certificate["proofs"])))
    followed = [node[name] for node in certificate["tree"] for name in ("then",) if name in node]
    followed += [node[name] for node in certificate["tree"] if "branch" in node for name in ("zero", "one")]
    assert sorted(followed) == list(range(1, len(certificate["tree"]))), "every node but the root has one parent"


def test_weights_that_are_taken_away_prove_less(found: Suppression) -> None:
    certificate = copy.deepcopy(found.certificate)
    assert certificate is not None
    certificate["tree"] = [{"proof": 0}]
    certificate["proofs"] = [max(certificate["proofs"], key=lambda proof: len(proof["duals"]))]
    first = proven_bound(PROBLEM, certificate)
    certificate["proofs"] = [{"denominator": 1, "duals": {}, "bridges": {}}]
    assert proven_bound(PROBLEM, certificate) < first <= found.lower_bound
