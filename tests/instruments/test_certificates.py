"""What a certificate states is what its check computes; what the check refuses is replaced by weaker evidence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.certificate import optimum

from discreet.instruments import certificates as module
from discreet.instruments.certificates import check_certificate
from discreet.microaggregation.certificate import certify
from discreet.microaggregation.problem import centroids, sse, sst

K = 3


def evidence(seed: int = 3) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Points, the means of the best partition, and what proves that it is the best."""
    points = np.random.default_rng(seed).standard_normal((12, 2))
    proof = certify(points, K)
    return points, centroids(points, proof.labels), dict(proof.payload)


def test_the_proof_is_stated_as_the_check_computes_it() -> None:
    points, means, payload = evidence()
    found = check_certificate(payload, points, means, K, "none", time_limit=None)
    best, total = optimum(points, K), sst(points)
    assert found.optimal and found.note is None and found.payload["status"] == "optimal"
    assert best * (1 - 1e-7) <= found.payload["lower_bound"] <= best * (1 + 1e-12)
    assert found.lower_bound == pytest.approx(100 * best / total, rel=1e-6) and found.lower_bound <= 100 * best / total
    assert found.payload["sse"] == pytest.approx(best) and found.payload["sst"] == pytest.approx(total)


def test_a_worse_release_keeps_the_bound_and_is_not_called_optimal() -> None:
    points, _, payload = evidence()
    labels = np.arange(12) // 3
    found = check_certificate(payload, points, centroids(points, labels), K, "none", time_limit=None)
    assert not found.optimal and found.payload["status"] != "optimal"
    assert found.payload["sse"] == pytest.approx(sse(points, labels))
    assert found.payload["lower_bound"] <= optimum(points, K)


def test_refused_evidence_is_weakened_and_the_reason_told() -> None:
    points, means, payload = evidence()
    best = optimum(points, K)
    for spoiled in (
        payload | {"multipliers": [1e9] * 12} if "multipliers" in payload else payload | {"bound": "hat"},
        payload | {"multipliers": "none"},
        payload | {"target": 1e6},
    ):
        found = check_certificate(spoiled, points, means, K, "none", time_limit=None)
        assert found.payload["lower_bound"] <= best * (1 + 1e-12)
        if found.kind != payload["bound"]:
            assert found.note
    lost = check_certificate(
        payload | {"bound": "hat", "multipliers": [0.0] * 12}, points, means, K, "none", time_limit=None
    )
    assert lost.kind in ("column generation", "column generation with cuts", "nearest neighbors", "zero")
    assert lost.payload["lower_bound"] <= best


def test_a_check_that_ends_early_falls_back_to_nearest_neighbors(monkeypatch: pytest.MonkeyPatch) -> None:
    points, means, payload = evidence()
    monkeypatch.setattr(module, "BRANCHES", 0)
    found = check_certificate(payload, points, means, K, "none", time_limit=None)
    assert found.kind == "nearest neighbors" and found.note
    assert 0 < found.payload["lower_bound"] <= optimum(points, K)
    assert not {"multipliers", "target", "cuts"} & set(found.payload)


def test_records_without_any_loss_have_a_bound_of_zero() -> None:
    points = np.repeat(np.array([[0.0, 1.0], [5.0, 2.0]]), 3, axis=0)
    payload = dict(certify(points, K).payload)
    found = check_certificate(payload, points, points, K, "none", time_limit=1.0)
    assert found.payload["lower_bound"] == 0.0 and found.lower_bound == 0.0
