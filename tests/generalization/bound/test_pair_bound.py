"""The bound over pairs: the duals of an assignment prove it optimal, and no prices prove too much."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.generalization_domains import joint_domain, random_domain

from discreet.generalization.bound.distinct import distinct
from discreet.generalization.bound.lower_bound import lower_bound
from discreet.generalization.bound.pair_bound import pair_bound
from discreet.generalization.methods import solve
from discreet.scale import workers


@pytest.mark.parametrize("keys", [0, 5])
@pytest.mark.parametrize("missing", [False, True])
def test_pairs_with_numbers_are_proven_optimal(keys: int, missing: bool) -> None:
    domain = joint_domain(300, 8, missing=missing, keys=keys)
    solution = solve(domain, 2)
    bound, kind = lower_bound(domain, 2, solution.gcp, time_limit=5.0, prices=solution.prices)
    assert kind == "assignment duals"
    assert 0.9999 * solution.gcp <= bound <= solution.gcp


def test_the_duals_of_pairs_prove_them_optimal() -> None:
    domain = random_domain(400, 8)
    solution = solve(domain, 2)
    bound, kind = lower_bound(domain, 2, solution.gcp, time_limit=5.0, prices=solution.prices)
    assert kind == "assignment duals"
    assert 0.9999 * solution.gcp <= bound <= solution.gcp
    records = distinct(domain, 2)
    with workers(None) as pool:
        wrong = np.random.default_rng(0).normal(size=records.copies.size)
        assert pair_bound(records, wrong, pool) <= solution.gcp
