"""k = 2 to the optimum, against every permutation."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from oracles.generalization import is_regular, least_loss, loss
from oracles.generalization_domains import random_domain

from discreet.generalization.pairs import optimal_pairs
from discreet.work import Deadline


def paired(n: int, seed: int, limit: float | None = None) -> tuple[bool, np.ndarray, float, float]:
    domain = random_domain(n, seed, missing=seed % 2 == 1)
    matches = np.stack([np.arange(n), np.roll(np.arange(n), 1)], axis=1).astype(np.int64)
    start = loss(domain, matches.tolist())
    with ThreadPoolExecutor(2) as pool:
        done = optimal_pairs(domain, matches, np.zeros(n, np.int32), pool, Deadline(limit), lambda *_, **__: None)
    return done, matches, start, loss(domain, matches.tolist()) - (least_loss(domain, 2) if done else start)


@pytest.mark.parametrize("seed", range(6))
def test_no_partners_lose_less(seed: int) -> None:
    done, matches, _, above = paired(6, seed)
    assert done and is_regular(matches, 2)
    assert above == pytest.approx(0.0, abs=1e-6)


def test_a_deadline_that_has_passed_leaves_the_matches_alone() -> None:
    done, matches, _, change = paired(6, 0, limit=0.0)
    assert not done and change == 0.0 and matches[:, 1].tolist() == [5, 0, 1, 2, 3, 4]
