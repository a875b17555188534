"""A partition and its certificate: the better of two, the stronger of two proofs, optimal only where it was checked."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from discreet.instruments.certificates import Checked
from discreet.instruments.grouped.proven import as_checked, certified, improved
from discreet.microaggregation.certificate import Certificate, certify
from discreet.microaggregation.methods import Call, Problem
from discreet.microaggregation.problem import Partition, sse, sst

POINTS = np.random.default_rng(5).standard_normal((15, 2))
LABELS = np.arange(15) // 3


@pytest.fixture(scope="module")
def proof() -> Certificate:
    return certify(POINTS, 3)


def partition(**more: object) -> Partition:
    found = Partition(LABELS, "mdav", "complete", sse(POINTS, LABELS), sst(POINTS), {"rounds": 2})
    return replace(found, **more)  # type: ignore[arg-type]


def test_the_partition_of_the_certificate_counts_where_it_is_better(proof: Certificate) -> None:
    assert proof.status == "optimal" and proof.sse < partition().sse
    found = improved(partition(), proof)
    assert found.labels is proof.labels and found.sse == proof.sse and found.status == "optimal"
    assert found.method == f"mdav, {proof.bound}" and found.detail["rounds"] == 2
    assert any(name.startswith("certificate ") for name in found.detail)
    best = partition(labels=proof.labels, sse=proof.sse)
    same = improved(best, replace(proof, status="converged"))
    assert (same.method, same.status, same.labels is proof.labels) == ("mdav", "complete", True)


def test_a_proof_that_closes_the_gap_is_not_made_again(proof: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    call = Call(problem=Problem(POINTS, 3))
    made: list[object] = []
    room = import_module("discreet.microaggregation.certificate.certify")
    monkeypatch.setattr(room, "prove", lambda *given: made.append(given) or proof)
    assert certified(call, partition(proof=proof)) is proof and not made
    assert certified(call, partition()) is proof and len(made) == 1
    weaker = replace(proof, status="converged", lower_bound=proof.lower_bound / 2)
    assert certified(call, partition(proof=weaker)) is proof
    stronger = replace(weaker, lower_bound=2 * proof.lower_bound, bound="so", payload={"a": 1})
    found = certified(call, partition(proof=stronger))
    assert (found.lower_bound, found.bound, found.payload) == (2 * proof.lower_bound, "so", {"a": 1})
    assert found.status == proof.status and found.labels is proof.labels


def test_optimal_is_what_the_check_calls_so() -> None:
    checked = Checked({}, 1.0, "nearest neighbors", optimal=False, note=None)
    assert as_checked(partition(status="optimal"), checked).status == "complete"
    assert as_checked(partition(status="time limit"), checked).status == "time limit"
    assert as_checked(partition(), replace(checked, optimal=True)).status == "optimal"
    assert "certificate weakened" not in as_checked(partition(), checked).detail
    weakened = as_checked(partition(), replace(checked, note="too many branches"))
    assert weakened.detail["certificate weakened"] == "too many branches" and weakened.detail["rounds"] == 2
