"""The certificate as it is handed out: scaled back, and complete in its file."""

from __future__ import annotations

import json

import numpy as np
import pytest

from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.progress import Progress, Proof
from discreet.microaggregation.certificate.result import FORMAT, certificate_of, settled
from discreet.work import Deadline

POINTS = np.array([[0.0], [1.0], [10.0], [12.0]])
LABELS = np.array([0, 0, 1, 1])


def made(proof: Proof, exponent: int) -> Progress:
    progress = Progress(np.ldexp(POINTS, exponent), 2, LABELS, Deadline(None), lambda *_, **__: None)
    progress.proof = proof
    return progress


def test_what_is_settled_has_no_gap_and_writes_what_it_says() -> None:
    found = settled(POINTS, 2, LABELS + 3, "dynamic programming")
    assert found.lower_bound == found.sse == 2.5 and found.gap == 0.0 and found.status == "optimal"
    assert found.labels.tolist() == [0, 0, 1, 1]
    assert json.loads(found.to_json()) == {
        "format": FORMAT, "bound": "dynamic programming", "k": 2, "n": 4, "sse": 2.5, "lower_bound": 2.5,
    }  # fmt: skip


@pytest.mark.parametrize("exponent", [-3, 0, 5])
def test_squares_of_the_scale_are_taken_back_exactly(exponent: int) -> None:
    scale = 4.0**exponent
    proof = Proof(
        2.0 * scale,
        "column generation with cuts",
        multipliers=np.array([0.5, 0.25, 1.0, 1.0]) * scale,
        cuts=(Cut((0, 1, 2), (1, 1, 1), 2),),
        penalties=np.array([0.125]) * scale,
        roots=np.array([0.0, -0.5, 0.0, -0.25]) * scale,
        target=2.25 * scale,
        searched=3,
        spent=0.75 * scale,
    )
    found = certificate_of(POINTS, made(proof, exponent), exponent, "converged")
    assert found.lower_bound == 2.0 and found.sse == 2.5 and found.gap == pytest.approx(20.0)
    written = json.loads(found.to_json())
    assert written["multipliers"] == [0.5, 0.25, 1.0, 1.0]
    assert written["roots"] == {"1": -0.5, "3": -0.25}, "only what is below zero"
    assert written["cuts"] == [{"records": [0, 1, 2], "numerators": [1, 1, 1], "divisor": 2, "penalty": 0.125}]
    assert (written["target"], written["searched"], written["spent"]) == (2.25, 3, 0.75)


def test_neither_bound_nor_target_exceeds_the_partition_found() -> None:
    proof = Proof(2.75, "target enumeration", np.ones(4), (), None, np.zeros(4), target=2.75)
    found = certificate_of(POINTS, made(proof, 0), 0, "optimal")
    assert found.lower_bound == found.payload["target"] == 2.5
    assert "searched" not in found.payload and "spent" not in found.payload


def test_a_bound_without_multipliers_has_none_in_its_file() -> None:
    found = certificate_of(POINTS, made(Proof(1.0, "nearest neighbors"), 0), 0, "time limit")
    assert set(found.payload) == {"format", "bound", "k", "n", "sse", "lower_bound", "status"}
