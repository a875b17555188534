"""What is known only gets better."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.microaggregation.certificate.progress import TOLERANCE, Progress, Proof
from discreet.work import Deadline

POINTS = np.array([[0.0], [1.0], [10.0], [12.0]])
WORSE, BEST = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])


def begun(told: list[dict[str, float]], unit: float = 1.0) -> Progress:
    return Progress(POINTS, 2, WORSE, Deadline(None), lambda *_, **figures: told.append(figures), unit)


def test_only_a_better_partition_is_taken_over_and_its_labels_are_renumbered() -> None:
    told: list[dict[str, float]] = []
    progress = begun(told, unit=4.0)
    assert progress.sse == 50.0 + 60.5
    assert not progress.offer_partition(WORSE[::-1]) and not told
    assert progress.offer_partition(BEST + 7)
    assert progress.sse == 2.5 and progress.labels.tolist() == [0, 0, 1, 1]
    assert told[-1]["sse"] == 10.0, "told in the user's unit"


def test_a_partition_with_a_small_group_is_refused_though_it_loses_less() -> None:
    progress = begun([])
    with pytest.raises(Exception, match=r"\w"):
        progress.offer_partition(np.array([0, 1, 2, 2]))
    assert progress.labels is WORSE


def test_only_a_higher_bound_is_taken_over() -> None:
    progress = begun([])
    assert progress.offer_proof(Proof(1.0, "nearest neighbors"))
    assert not progress.offer_proof(Proof(1.0, "column generation"))
    assert progress.proof.kind == "nearest neighbors"
    progress.offer_partition(BEST)
    assert progress.gap == pytest.approx(60.0) and not progress.closed
    assert progress.offer_proof(Proof(2.5 * (1 - TOLERANCE / 2), "column generation"))
    assert progress.closed
    assert progress.offer_proof(Proof(2.6, "column generation")) and progress.gap == 0.0


def test_a_fork_counts_for_itself() -> None:
    progress = begun([])
    progress.count(nodes=2, rounds=1)
    fork = progress.fork()
    fork.count(nodes=5)
    fork.offer_partition(BEST)
    progress.count(nodes=1)
    assert progress.counts == {"nodes": 3, "rounds": 1} and fork.counts == {"nodes": 5}
    assert progress.sse > fork.sse
